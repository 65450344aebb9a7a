"""The pipeline of one proposal: is it to be done, would anybody want it, can it be done, do the words say it?"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal

from dadu.core.config import Settings, parse
from dadu.core.errors import ConfigError
from dadu.goals.findings import finding
from dadu.goals.goal import Goal
from dadu.goals.predicates.truth_view import TruthView
from dadu.goals.suite_goal import SuiteGoal, parse_goal
from dadu.language.grounding.ground import ground_in
from dadu.language.parsing.names import names_of
from dadu.language.parsing.parse import parse as read
from dadu.language.refusal import NotUnderstood
from dadu.learning.plans.home import PlanHome
from dadu.learning.plans.task import TRIES
from dadu.learning.tasks.propose import KINDS, Proposal, Proposer, Unsaid, type_of
from dadu.learning.tasks.sense import objection
from dadu.learning.tasks.signature import signature
from dadu.robots.loader import load_robot
from dadu.tasks.expert import NotFeasible, demonstrate
from dadu.tasks.prepare import Prepared
from dadu.tasks.suite import Episode
from dadu.world.graph import Kind

TYPES = tuple(KINDS)
DEFAULTS: dict[str, Any] = {"known": "layout", "steps": 60, "sim_seconds": 3600}


class VerifiedTask(Settings):
    """A task that the expert has carried out, and that ground truth has confirmed."""

    type: str
    """PARTNR's: constraint-free, spatial, temporal, heterogeneous"""
    kind: str
    room: str
    """category of the room that it is about"""
    things: tuple[str, ...]
    """categories that its goal speaks of"""
    instruction: str
    goal: SuiteGoal
    signature: str
    reading: Literal["same", "other", "refused"]
    """what the grammar reads in the instruction: the same goal, another one, none"""
    read: str = ""
    """the goal that it reads instead, or why none"""
    keypath: tuple[tuple[str, ...], ...]
    """the expert's sub-tasks"""
    length: float
    """driven by the expert [m]"""
    steps: int
    """skills that the expert used"""

    @property
    def person(self) -> bool:
        """True if it takes somebody who can do more than the robot."""
        return self.type == "heterogeneous"


class Rejected(Exception):
    """A proposal that does not stand; says why."""


class TaskMaker:
    """Makes tasks in one home, and counts what was rejected by its reason."""

    def __init__(self, home: PlanHome, robot: str, types: Sequence[str] = TYPES) -> None:
        self.home, self.robot, self.types = home, robot, types
        self.rejected: Counter[str] = Counter()
        self._names = names_of(home.vocabulary, home.truth)
        self._view, self._capabilities = TruthView(home.start), load_robot(robot).capabilities
        self._known: set[str] = set()

    def task(self, number: int, rng: random.Random) -> VerifiedTask | None:
        """The one of that number: types and rooms take turns. None after some proposals of which none stands."""
        rooms = sorted(self.home.truth.of(Kind.ROOM), key=lambda room: room.id)
        room = rooms[number // len(self.types) % len(rooms)]
        for left in reversed(range(TRIES)):
            try:
                about = room if left >= TRIES // 2 else None
                return self._verified(Proposer(self.home, about, rng).draw(self.types[number % len(self.types)]))
            except Unsaid:
                self.rejected["the home has no such things"] += 1
            except Rejected as why:
                self.rejected[str(why)] += 1
        return None

    def _verified(self, proposal: Proposal) -> VerifiedTask:
        """What is cheap to find out comes first. Errors: Rejected."""
        goal, home = proposal.goal, self.home
        if any(finding(self._view, p).holds for p in goal.propositions if p.predicate != "is_closed"):
            raise Rejected("so already, or in part")
        if why := objection(goal, home):
            raise Rejected(why)
        key = signature(goal)
        if key in self._known:
            raise Rejected("asked for before in this home")
        sort = type_of(goal, self._capabilities)
        try:
            done = demonstrate(self._prepared(proposal, sort))
        except NotFeasible:
            raise Rejected("the expert finds no way") from None
        reading, read_as = self.read_back(proposal.text, key)
        self._known.add(key)
        things = sorted({home.truth[n].category for n in goal.names if n in home.truth})
        return VerifiedTask(
            type=sort, kind=proposal.kind, room=proposal.room, things=tuple(things), instruction=proposal.text,
            goal=goal, signature=key, reading=reading, read=read_as, keypath=done.keypath, length=round(done.length, 2),
            steps=len(done.calls))

    def read_back(self, text: str, meant: str) -> tuple[Literal["same", "other", "refused"], str]:
        """What the grammar reads in an instruction that should mean a goal of the signature `meant`, in this home; and
        what it reads instead."""
        try:
            goal = ground_in(self.home.scene, read(text, self._names))
        except NotUnderstood as why:
            return "refused", str(why)
        if not isinstance(goal, Goal) or goal.branches or not goal.propositions:
            return "refused", "no goal"
        try:
            found = parse_goal(goal.to_suite(), "the reading", self.home.names).held_to_the_end()
        except ConfigError as why:
            return "refused", str(why)
        return ("same", "") if signature(found) == meant else ("other", "; ".join(map(str, found.propositions)))

    def _prepared(self, proposal: Proposal, sort: str) -> Prepared:
        data = {**DEFAULTS, "id": "proposal", "instruction": proposal.text, "house": self.home.house.house,
                "robot": self.robot, "person": sort == "heterogeneous"}
        episode = parse(Episode, {**data, "goal": proposal.goal.model_dump(mode="json")}, "a proposal")
        return Prepared(episode, self.home.house, self.home.layout, -1, "proposals")
