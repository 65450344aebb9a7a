"""What one person who plays an agent is shown: what that agent knows, and no more. Made in the thread of the team."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import count

import numpy as np

from dadu.core.geometry import Pose2, wrap
from dadu.house.format import Door
from dadu.operator.console.live_plan import LivePlan
from dadu.operator.console.state import StepView
from dadu.operator.console.views import thing_views
from dadu.operator.play.state import AgentMark, JobView, KnownThing, MenuItem, MessageView, PlayState
from dadu.planner.situation import Situation
from dadu.planner.step import Step
from dadu.skills.call import SkillCall
from dadu.skills.table import SKILLS
from dadu.stacks.played import KnownJob, PlayedAgent
from dadu.stacks.team import TeamStack
from dadu.team.menu import approached, menu
from dadu.team.messages import TeamMessage
from dadu.world.graph import ROBOT, Relation, WorldGraph
from dadu.world.names import PERSON, meant

_STEPS, _SAID = 12, 30
"""that are shown, the newest"""
_KEPT = 40
"""places of an agent that are remembered"""
_NUMBERS = count(1)
"""of what changes now and then, so that a page knows what it has; never the same twice, in whichever episode"""


class Tracks:
    """Where agents were when: an agent's own clock is ahead of what is shown by what it is doing just now."""

    def __init__(self) -> None:
        self._of: dict[str, deque[tuple[float, Pose2]]] = {}

    def add(self, name: str, clock: float, pose: Pose2) -> None:
        """At its own `clock` [s]."""
        track = self._of.setdefault(name, deque(maxlen=_KEPT))
        if not track or track[-1] != (clock, pose):
            track.append((clock, pose))

    def at(self, name: str, time: float) -> Pose2:
        """On the straight way between the two nearest [s]."""
        track = self._of[name]
        before = next((kept for kept in reversed(track) if kept[0] <= time), track[0])
        after = next((kept for kept in track if kept[0] >= time), track[-1])
        span = after[0] - before[0]
        share = (time - before[0]) / span if span > 0 else 1.0
        a, b = before[1], after[1]
        x, y = np.array(a[:2]) + share * (np.array(b[:2]) - a[:2])
        return Pose2(float(x), float(y), a.yaw + share * wrap(b.yaw - a.yaw))


class PlayScene:
    """Of one agent in one episode. `state` and what `offers` draws on are replaced as a whole, so that other threads
    may read them at any time."""

    def __init__(self, played: PlayedAgent, stack: TeamStack, doors: Iterable[Door]) -> None:
        self._played, self._stack = played, stack
        self._plan = LivePlan(doors)
        self._known, self._shape, self._things = 0, 0, list[KnownThing]()
        self._seen: tuple[WorldGraph, Situation] = WorldGraph(), Situation()
        self.svg = ""
        self.state: PlayState | None = None

    def show(self, base: PlayState, poses: Mapping[str, Pose2], start: float) -> None:
        """Takes in how things are; `base`: what is the same for all, `start` of the episode [s]."""
        played, agent = self._played, self._played.member.agent
        graph = played.member.graph().copy()
        self._seen = graph, played.situation.copy()
        revision = self._plan.revision
        self._plan.update(graph)
        if self._plan.revision != revision or not self.svg:
            self.svg, self._shape = self._plan.svg(), next(_NUMBERS)
        things = [KnownThing(id=v.id, kind=v.kind, where=_held(graph, v.id, played.name) or v.where, at=v.at,
                             states=v.states) for v in thing_views(graph, self._plan)]
        if things != self._things:
            self._known, self._things = next(_NUMBERS), things
        jobs = played.jobs()
        steps = [*played.steps[-_STEPS:], *([played.now] if played.now is not None else [])]
        said = self._stack.channel.said
        self.state = base.model_copy(update={
            "you": played.name, "room": agent.room, "held": agent.held,
            "doing": str(played.now.call) if played.now is not None else "",
            "ended": played.ended,
            "agents": [AgentMark(name=name, you=name == played.name, person=name == PERSON, pose=self._plan.pose(pose))
                       for name, pose in poses.items()],
            "jobs": [JobView(name=job.name, words=job.words, done=job.done, by=job.by) for job in jobs],
            "steps": [_step(step, start) for step in steps],
            "said": [_message(n, said[n], start, jobs) for n in range(max(0, len(said) - _SAID), len(said))],
            "things": self._things, "known": self._known, "plan": self._shape})

    def offers(self, id: str) -> list[MenuItem]:
        """What can be done with it, by what was known a moment ago."""
        graph, _ = self._seen
        calls = menu(id, graph, self._played.member.capabilities)
        return [MenuItem(call=call.as_list(), about=SKILLS[call.skill].about) for call in calls]

    def calls(self, call: SkillCall) -> list[SkillCall]:
        """It, with the way there."""
        graph, situation = self._seen
        return approached(call, graph, self._played.member.capabilities, situation)


def _step(step: Step, start: float) -> StepView:
    view = StepView(number=step.index, call=str(step.call), reasoning="", started=round(step.start - start, 1))
    if step.result is not None:
        code = step.result.code
        view.outcome, view.ok, view.detail = code.name, code.ok, step.result.detail
        view.message, view.elapsed = step.result.message, round(step.end - step.start, 1)
    return view


def _message(number: int, message: TeamMessage, start: float, jobs: Iterable[KnownJob]) -> MessageView:
    """In words, as far as your agent knows what it is about."""
    words = next((job.words for job in jobs if job.name == message.job), message.job)
    return MessageView(number=number, stamp=round(message.stamp - start, 1), sender=message.sender,
                       text=str(replace(message, job=words)).removeprefix(f"{message.sender}: "))


def _held(graph: WorldGraph, id: str, by: str) -> str:
    """In whose hand it is, agents by their names; empty: in nobody's. `by`: name of the agent whose graph it is."""
    edge = graph.support(id)
    if edge is None or edge.relation is not Relation.HELD_BY:
        return ""
    return "in your hand" if edge.object == ROBOT else f"held by {meant(edge.object, by)}"
