"""Watches an episode from outside: feeds every true state to the goal, follows the robot, counts what agents do."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from dadu.core.errors import DaduError
from dadu.core.privilege_report import PrivilegeReport
from dadu.eval.episode.backends import Watched
from dadu.eval.mapped.record import MapFigures, MapRecord
from dadu.eval.mapped.watch import MapWatch
from dadu.eval.metrics.stages import NEAR, Stages
from dadu.eval.metrics.together import Action
from dadu.goals.findings import finding
from dadu.goals.monitor import GoalMonitor
from dadu.goals.predicates.table import BRINGING
from dadu.goals.predicates.truth_view import TruthView
from dadu.operator.run.pose_error import PoseErrors
from dadu.planner.asking.question import is_question
from dadu.planner.step import Step
from dadu.skills.generator import TICK
from dadu.skills.specification import Takes
from dadu.skills.table import does
from dadu.tasks.expert import settle_states
from dadu.tasks.prepare import Prepared
from dadu.world.boxes import OrientedBox, horizontal_gap
from dadu.world.graph import ROBOT, points_in_polygon
from dadu.world.occupancy import OccupancyMap
from dadu.world.state import TrueWorld

_EVERY = 0.5
"""simulated time between states that are judged while a skill runs [s]"""


class OutOfTime(DaduError):
    """An episode took longer than it may, by the wall clock."""


@dataclass
class Trace:
    """What a report shows of an episode beside its numbers."""

    path: list[tuple[float, float]] = field(default_factory=list)
    """of the base [m]"""
    marks: list[tuple[float, float]] = field(default_factory=list)
    """where each step ended"""
    messages: list[str] = field(default_factory=list)
    """of each step"""
    moves: dict[str, list[tuple[float, float]]] = field(default_factory=dict)
    """things of the goal: from, to"""
    picture: bytes = b""
    """at the last step that failed, or at the end, JPEG"""
    picture_of: str = ""
    map: MapRecord | None = None
    """the robot's map and the true one at the end; None where the robot's is not known"""
    chart: OccupancyMap | None = None
    """obstacles, where the robot has made the map itself"""


class Observer:
    """One episode's."""

    def __init__(self, prepared: Prepared, backend: Watched, wall_seconds: float, pictures: bool,
                 privilege_report: PrivilegeReport, seen: Callable[[TrueWorld, int], None] | None = None) -> None:
        """`privilege_report`: what the robot was told. `seen` gets every state that is judged, and how often it
        counts."""
        self._seen = seen
        self.backend, self.prepared, self.privilege_report = backend, prepared, privilege_report
        self.pose_errors = PoseErrors("map" in privilege_report.told)
        self.map_figures: MapFigures | None = None
        """at the end, where the robot's map is known"""
        self._maps = MapWatch(prepared.episode.known != "nothing")
        self.monitor = GoalMonitor(prepared.episode.goal)
        self.plan: list[list[str]] = []
        self.steps: list[Step] = []
        self.actions: list[Action] = []
        self.turns: Counter[str] = Counter()
        """skills chosen, by who chose them"""
        self.fallback_turns = 0
        self.asked: list[tuple[str, str]] = []
        """questions of the robot, and what came of them"""
        self.trace = Trace()
        self.length = 0.0
        self._deadline = time.monotonic() + wall_seconds
        self._pictures = pictures
        self._best, self._judged = 0.0, -math.inf
        self.start = backend.stack.now()
        self._stages = {(i, s): Stages() for i, p in enumerate(prepared.episode.goal.propositions)
                        if p.predicate in BRINGING for s in p.arguments[0]}
        self.world = self.look()
        self._best = self.monitor.percent_complete
        self._first = self.world

    @property
    def elapsed(self) -> float:
        """Simulated time since the start [s]."""
        return self.backend.stack.now() - self.start

    @property
    def driven(self) -> float:
        """[m]: by the backend's odometer where it has one, else along the poses seen."""
        return getattr(self.backend.stack, "travelled", self.length)

    def look(self) -> TrueWorld:
        """Takes in the true state as it stands, often enough for all that depends on it to count."""
        self.world = TrueWorld(self.prepared.layout, self.backend.truth())
        times = settle_states(self.prepared.episode.goal)
        self.monitor.update(self.world, times)
        if self._seen is not None:
            self._seen(self.world, times)
        self._judged = self.backend.stack.now()
        believed = self.backend.believed_pose()
        if believed is not None:
            self.pose_errors.add(believed, self.world.state.robot)
            belief = self.backend.belief()
            if belief is not None:
                self._maps.look(belief, believed, self.world)
        robot = self.world.state.robot
        here = (round(float(robot.x), 3), round(float(robot.y), 3))
        if not self.trace.path or math.dist(here, self.trace.path[-1]) > 0.02:
            if self.trace.path:
                self.length += math.dist(here, self.trace.path[-1])
            self.trace.path.append(here)
        self._stage()
        return self.world

    def tick(self) -> None:
        """While a skill runs. Errors: OutOfTime."""
        if time.monotonic() > self._deadline:
            raise OutOfTime("the episode took too long by the wall clock")
        if self.backend.stack.now() - self._judged >= _EVERY:
            self.look()

    def step(self, step: Step, agent: str = ROBOT) -> None:
        """Every step of an agent twice: chosen, then carried out. Errors: OutOfTime."""
        if step.result is None:
            self.turns[step.decision.policy] += 1
            self.fallback_turns += bool(step.decision.instead_of)
            self.plan.append([step.call.skill, *map(self.backend.true_name, step.call.arguments)])
            self.tick()
            return
        self.steps.append(step)
        if step.result.ok and does(step.call.skill, Takes):
            self.backend.took(step.call.arguments[0])
        self.look()
        self.trace.marks.append(self.trace.path[-1])
        self.trace.messages.append(step.result.message)
        if is_question(step.call):
            self.asked.append((step.call.arguments[0], step.result.message))
        elif step.result.ok:
            self.act(Action(agent=agent, skill=step.call.skill, gained=False), step.start)
        elif self._pictures:
            self.trace.picture, self.trace.picture_of = self.backend.picture(), f"{step.index}: {step.call}"

    def act(self, action: Action, start: float) -> None:
        """A successful skill of any agent; `start` [s]."""
        percent = self.monitor.percent_complete
        ticks = round((start - self.start) / TICK)
        self.actions.append(action.model_copy(update={"gained": percent > self._best + 1e-9, "steps_before": ticks}))
        self._best = max(self._best, percent)

    def stages(self) -> dict[str, float]:
        """Share of the things to be brought that reached each stage; empty where nothing is to be brought. Of several
        that would do, those that came farthest."""
        rows: list[dict[str, bool]] = []
        for i, p in enumerate(self.prepared.episode.goal.propositions):
            of = [self._stages[i, s].finish(self._placed(i, s)) for s in p.arguments[0] if (i, s) in self._stages]
            rows += sorted(of, key=lambda row: -sum(row.values()))[:p.numbers[0]]
        return {name: sum(row[name] for row in rows) / len(rows) for name in rows[0]} if rows else {}

    def _placed(self, i: int, subject: str) -> bool:
        p = self.prepared.episode.goal.propositions[i]
        alone = p.model_copy(update={"arguments": ((subject,), *p.arguments[1:]), "number": 1})
        return finding(TruthView(self.world), alone).holds

    def finish(self) -> None:
        """After the last look; where nothing failed on the way and the goal still was not reached, with a picture of
        the end."""
        if self._pictures and not self.trace.picture_of and not self.monitor.verdict().success:
            self.trace.picture, self.trace.picture_of = self.backend.picture(), "the last step"
        belief, pose = self.backend.belief(), self.backend.believed_pose()
        if belief is not None and pose is not None:
            self.map_figures, self.trace.map = self._maps.finish(belief, pose, self.world)
            self.trace.chart = belief.chart
        for name in sorted(self.prepared.episode.goal.names & set(self._first.state.bodies)):
            a, b = (w.state.bodies[name].box.centre for w in (self._first, self.world))
            if math.dist(a[:2], b[:2]) > 0.2:
                self.trace.moves[name] = [(float(a[0]), float(a[1])), (float(b[0]), float(b[1]))]

    def _stage(self) -> None:
        """A thing counts as found where the robot is near it and it is not shut away."""
        if all(s.find_receptacle for s in self._stages.values()):
            return
        state = self.world.state
        robot = self.world.box(ROBOT)
        for (i, subject), stage in self._stages.items():
            body = state.bodies.get(subject)
            if body is None or stage.find_receptacle:
                continue
            near = not stage.find_object and horizontal_gap(robot, body.box) <= NEAR and not self._shut(body.box)
            targets = self.prepared.episode.goal.propositions[i].arguments[1] if body.held else ()
            stage.take(near_object=near, held=body.held, near_receptacle=any(self._near(robot, t) for t in targets))

    def _shut(self, box: OrientedBox) -> bool:
        """Behind a door or in a drawer that is closed."""
        for piece in (e for e in self.prepared.layout if e.parts):
            shut = any(self.world.state.parts.get(f"{piece.id}/{p.name}", 0.0) < p.range / 2 for p in piece.parts)
            if shut and any(space.holds(box.centre, 0.01) for space in self.world.inner_boxes(piece)):
                return True
        return False

    def _near(self, robot: OrientedBox, target: str) -> bool:
        entity = self.world.entity(target)
        if entity is not None and entity.polygon:
            return bool(points_in_polygon(entity.polygon, robot.centre[:2]))
        return horizontal_gap(robot, self.world.box(target)) <= NEAR
