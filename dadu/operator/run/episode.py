"""What happened in a run, gathered from its bag: the task, its steps, the way driven, the true end state."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from dadu.core.errors import DaduError
from dadu.core.geometry import Pose2, vector3
from dadu.core.privilege_report import PrivilegeReport
from dadu.operator.bags.bag_reader import Recorded, recorded
from dadu.operator.run.identity import Believed, Identities, frame_of
from dadu.operator.run.pose_error import BelievedPath, PoseError, PoseErrors
from dadu.operator.run.run_info import read_privilege_report
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code
from dadu.world.from_message import world_state
from dadu.world.graph import Kind
from dadu.world.state import WorldState


class ClockMap:
    """Simulated time against wall time, from the ``/clock`` of a recording: piecewise linear; where there was none (a
    real robot), both are the same."""

    def __init__(self, wall: list[float], simulated: list[float]) -> None:
        """Samples in the order of reception [s]; of a clock that was set back only what follows counts."""
        start = 1 + max((i for i in range(len(simulated) - 1) if simulated[i + 1] < simulated[i]), default=-1)
        self._wall, self._simulated = np.array(wall[start:]), np.array(simulated[start:])

    def wall(self, simulated: float) -> float:
        """[s]"""
        return float(np.interp(simulated, self._simulated, self._wall)) if len(self._wall) else simulated

    def speed(self) -> float:
        """Simulated over wall time, over the whole."""
        if len(self._wall) < 2 or self._wall[-1] == self._wall[0]:
            return 1.0
        return float((self._simulated[-1] - self._simulated[0]) / (self._wall[-1] - self._wall[0]))


TOPICS = ("/clock", "/plan_trace", "/skill_results", "/sim/ground_truth", "/odom", "/operator/state", "/diagnostics",
          "/world_graph", "/tf")
_FROM_MAP = {"/tf": b"map\0"}
"""of the transforms, only localisation's: there are a hundred times as many others"""

_TIMED = ("count", "seconds", "worst")
"""what a node reports of a part of its work"""


class NoTask(DaduError):
    """A recording in which nobody asked for anything."""


@dataclass
class StepRecord:
    """One turn of the closed loop. Times on the clock in use [s]."""

    number: int
    call: SkillCall
    reasoning: str
    policy: str
    start: float
    planning: float
    """wall time that choosing took [s]"""
    end: float | None = None
    code: Code | None = None
    detail: str = ""
    message: str = ""
    by: str = ""
    plan: tuple[SkillCall, ...] = ()
    tokens_in: int = 0
    tokens_out: int = 0

    @property
    def finished(self) -> bool:
        return self.code is not None


@dataclass(frozen=True)
class RecordedSighting:
    """When memory first knew of an object, or had last a piece of furniture that it found, and as what."""

    stamp: float
    believed: Believed


@dataclass
class RecordedEpisode:
    """One task of a run."""

    run_dir: Path
    instruction: str
    steps: list[StepRecord]
    goal: dict[str, Any] | None
    """as the interpreter or the check understood the instruction, in a suite's format; None: neither did"""
    substitutions: tuple[str, ...]
    truth: list[WorldState]
    """from the start of the task on; empty on a real robot"""
    path: np.ndarray
    """float64 (N, 4): stamp [s], x, y [m], yaw [rad] of the robot in map, from the start of the task on"""
    clock: ClockMap
    house: str = ""
    privilege_report: PrivilegeReport | None = None
    """what the robot was told and was privileged to; None: nobody has said"""
    believed: BelievedPath = BelievedPath.unknown()
    """where the robot took itself to be"""
    operator: list[tuple[float, int, str]] = field(default_factory=list)
    """(stamp, state, reason) of every change of who has the base"""
    sightings: dict[str, RecordedSighting] = field(default_factory=dict)
    """by memory's own id, which need not be the simulator's name of the thing"""
    timings: dict[str, dict[str, tuple[float, float, float]]] = field(default_factory=dict)
    """by node and part: count, total and worst wall time [s]"""

    @property
    def start(self) -> float:
        return self.steps[0].start

    @property
    def end(self) -> float:
        """Of the last step; of the recording where that one was never finished."""
        if not self.steps[-1].finished and len(self.path):
            return float(self.path[-1, 0])
        return max((s.end for s in self.steps if s.end is not None), default=self.start)

    @property
    def wall_seconds(self) -> float:
        return self.clock.wall(self.end) - self.clock.wall(self.start)

    @property
    def path_length(self) -> float:
        """Driven [m]."""
        return float(np.linalg.norm(np.diff(self.path[:, 1:3], axis=0), axis=1).sum()) if len(self.path) > 1 else 0.0

    @property
    def pose_error(self) -> PoseError | None:
        """How far the robot was from where it took itself to be; None without ground truth."""
        errors = PoseErrors(mapped=self.privilege_report is None or "map" in self.privilege_report.told)
        for state in self.truth:
            believed = self.believed.at(state.stamp)
            if believed is not None:
                errors.add(believed, state.robot)
        return errors.result()

    def state_at(self, stamp: float) -> WorldState:
        """The true one that is nearest to a time [s]. Errors: ValueError without ground truth."""
        return min(self.truth, key=lambda state: abs(state.stamp - stamp))

    def true_name(self, id: str, identities: Identities) -> str:
        """Of what memory calls `id`, by where it was when it was seen; `id` itself where it never was."""
        seen = self.sightings.get(id)
        if seen is None:
            return id
        then = self.state_at(seen.stamp)
        return identities.name(id, seen.believed, frame_of(then.robot, self.believed.at(then.stamp)), then)

    def pose_at(self, stamp: float) -> Pose2 | None:
        """Where the robot was."""
        if not len(self.path):
            return None
        at = min(int(np.searchsorted(self.path[:, 0], stamp)), len(self.path) - 1)
        x, y, yaw = map(float, self.path[at, 1:])
        return Pose2(x, y, yaw)


def read_episode(run_dir: Path) -> RecordedEpisode:
    """The last task of a run. Errors: NoBag, NoTask."""
    messages = _messages_by_topic(run_dir)
    traces = [item.message for item in messages["/plan_trace"]]
    if not traces:
        raise NoTask(f"{run_dir}: nothing was asked of the robot while this was recorded")
    last = traces[-1]
    traces = [m for m in traces if m.task_id == last.task_id]
    steps = _steps(traces, [i.message for i in messages["/skill_results"] if i.message.task_id == last.task_id])
    truths = messages["/sim/ground_truth"]
    truth = _after(steps[0].start, (world_state(i.message) for i in truths))
    return RecordedEpisode(
        run_dir=run_dir, instruction=last.instruction, steps=steps, truth=truth, goal=_newest_goal(traces),
        house=truths[-1].message.house if truths else "", substitutions=tuple(last.substitutions),
        path=_path(truth, steps[0].start, messages["/odom"]), clock=_clock_map(messages["/clock"]),
        privilege_report=read_privilege_report(run_dir), believed=_believed(messages["/odom"], messages["/tf"]),
        operator=[(_seconds(i.message.header.stamp), int(i.message.state), i.message.reason)
                  for i in messages["/operator/state"]],
        sightings=_sightings(i.message for i in messages["/world_graph"]),
        timings=_timings(messages["/diagnostics"]),
    )


def _messages_by_topic(run_dir: Path) -> dict[str, list[Recorded]]:
    messages: dict[str, list[Recorded]] = {topic: [] for topic in TOPICS}
    for item in recorded(run_dir, TOPICS, _FROM_MAP):
        messages[item.topic].append(item)
    return messages


def _newest_goal(traces: Iterable[Any]) -> dict[str, Any] | None:
    goals = [m.goal for m in traces if m.goal]
    return json.loads(goals[-1]) if goals else None


def _clock_map(ticks: list[Recorded]) -> ClockMap:
    return ClockMap([i.received for i in ticks], [_seconds(i.message.clock) for i in ticks])


def _steps(traces: Iterable[Any], results: Iterable[Any]) -> list[StepRecord]:
    """From the two traces of every turn; a skill's own record has the better times."""
    steps: dict[int, StepRecord] = {}
    for m in traces:
        step = steps.setdefault(m.step, StepRecord(
            number=m.step, call=_call(m.call), reasoning=m.reasoning, policy=m.policy, start=_seconds(m.header.stamp),
            planning=_seconds(m.planning_time), plan=tuple(map(_call, m.plan)), tokens_in=m.tokens_in,
            tokens_out=m.tokens_out))
        if m.finished:
            _finish(step, m.outcome, _seconds(m.header.stamp))
    for r in results:
        if r.step in steps:
            _finish(steps[r.step], r.outcome, _seconds(r.end))
    return [steps[n] for n in sorted(steps)]


def _finish(step: StepRecord, outcome: Any, end: float) -> None:
    step.code, step.detail, step.message, step.end = Code(outcome.code), outcome.detail, outcome.message, end
    step.by = getattr(outcome, "by", "")


def _after(start: float, states: Iterable[WorldState]) -> list[WorldState]:
    """States from `start` on; a reset of the simulator discards what was before."""
    kept: list[WorldState] = []
    for state in states:
        if kept and state.stamp < kept[-1].stamp:
            kept.clear()
        kept.append(state)
    return [s for s in kept if s.stamp >= start - 1.0]


def _path(truth: list[WorldState], start: float, odometry: list[Recorded]) -> np.ndarray:
    """The true path where there is one, else odometry's."""
    if truth:
        rows = [(s.stamp, *s.robot) for s in truth]
    else:
        rows = [_odometry_row(i.message) for i in odometry]
    return np.array([r for r in rows if r[0] >= start - 1.0], float).reshape(-1, 4)


def _believed(odometry: list[Recorded], transforms: list[Recorded]) -> BelievedPath:
    corrections = [(_seconds(t.header.stamp), t.transform.translation.x, t.transform.translation.y, _yaw(
        t.transform.rotation)) for item in transforms for t in item.message.transforms if t.header.frame_id == "map"]
    rows = ([_odometry_row(item.message) for item in odometry], corrections)
    return BelievedPath(*(np.array(sorted(group), float).reshape(-1, 4) for group in rows))


def _yaw(q: Any) -> float:
    return float(2 * np.arctan2(q.z, q.w))


def _odometry_row(m: Any) -> tuple[float, float, float, float]:
    p = m.pose.pose.position
    return _seconds(m.header.stamp), p.x, p.y, _yaw(m.pose.pose.orientation)


def _sightings(graphs: Iterable[Any]) -> dict[str, RecordedSighting]:
    """By id. What furniture is like memory knows the better the more it has seen of it; furniture that it was told of
    goes by the house's own names."""
    found: dict[str, RecordedSighting] = {}
    for graph in graphs:
        for e in graph.entities:
            if e.kind == Kind.OBJECT.value and e.id not in found or (
                    e.kind == Kind.FURNITURE.value and e.provenance == "detection"):
                color = dict(zip(e.attribute_names, e.attribute_values)).get("color", "")
                place = (e.position.x, e.position.y, e.position.z)
                found[e.id] = RecordedSighting(_seconds(graph.header.stamp),
                                               Believed(e.category, place, Kind(e.kind), color))
    return found


def _timings(diagnostics: list[Recorded]) -> dict[str, dict[str, tuple[float, float, float]]]:
    """The last report of each node: values ``PART.count``, ``PART.seconds``, ``PART.worst``."""
    found: dict[str, dict[str, tuple[float, float, float]]] = {}
    for item in diagnostics:
        for status in item.message.status:
            values = {v.key: v.value for v in status.values}
            parts = [key.removesuffix(".count") for key in values if key.endswith(".count")]
            found[status.name] = {part: vector3([values.get(f"{part}.{field}", 0) for field in _TIMED])
                                  for part in parts}
    return {node: parts for node, parts in found.items() if parts}


def _call(m: Any) -> SkillCall:
    return SkillCall(m.skill, tuple(m.arguments))


def _seconds(stamp: Any) -> float:
    return stamp.sec + stamp.nanosec * 1e-9
