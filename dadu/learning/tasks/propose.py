"""Tasks that a home affords, in words, with the goal that they mean: whether anybody would want them is asked later.

Words and frames are drawn together, by the grammar that planners are trained on, plainly, of things that go together;
the goal is what the frames mean by all that is true in the home. That the words are read the same is a check of that.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dadu.goals.predicates.predicate import Family
from dadu.goals.suite_goal import SuiteGoal
from dadu.house.objects import object_model
from dadu.language.frames.frame import MoveFrame
from dadu.language.frames.within import iter_parts
from dadu.learning.plans.asked.families import FAMILIES
from dadu.learning.plans.asked.names import HomeNames
from dadu.learning.plans.home import PlanHome
from dadu.learning.plans.task import NotAsked, SaidInstruction, said_by
from dadu.learning.sentences.speaker import Speaker
from dadu.learning.sentences.wording import text_of
from dadu.learning.tasks.sense import kept_together, suits
from dadu.planner.model.goal.names import nouns
from dadu.tasks.generate.homes import HAND
from dadu.world.graph import Entity, Kind

KINDS: Mapping[str, Sequence[str]] = {
    "constraint-free": ("place", "place", "take_and_place", "several", "rearrange", "stow"),
    "spatial": ("beside",),
    "temporal": ("in_turn",),
    "heterogeneous": ("treat", "treat_and_place")}
"""PARTNR's types of tasks, and the families of requests that are drawn for each"""


_MEANT = {"on": ("is_on_top",), "in": ("is_inside", "is_in_room")}
"""by preposition, the predicates that it says of where things are"""
_BRINGS = ("is_on_top", "is_inside", "is_in_room", "is_next_to")


@dataclass(frozen=True)
class Proposal:
    """An instruction and what is meant by it."""

    kind: str
    """the family that was drawn"""
    text: str
    goal: SuiteGoal
    room: str
    """category of the room that it is about"""


class SensibleNames(HomeNames):
    """Of what a hand can take, the first of it in a room where one is given; places and neighbours are where people
    keep what was last spoken of."""

    general = 0.0

    def __init__(self, home: PlanHome, room: Entity | None) -> None:
        super().__init__(home.truth, home.vocabulary)
        self._home, self._room = home, room
        self._small = {o.name for o in home.house.objects if min(object_model(o).size[:2]) <= HAND}
        self.first: Entity | None = None

    def draw(self, kind: Kind, rng: random.Random) -> str:
        """A name of something in the home, in the singular."""
        name = super().draw(kind, rng)
        self.first = self.first or self.newest
        return name

    def likely(self, kind: Kind, options: Sequence[Entity]) -> Sequence[Entity]:
        """Those that people would speak of next."""
        before = self.newest if self.newest is not None and self.newest.kind is Kind.OBJECT else None
        if kind is Kind.OBJECT:
            small = [e for e in options if e.id in self._small]
            room_of = self._home.truth.room_of
            near = [e for e in small if (room_of(e.id) == self._room if before is None and self._room is not None
                                         else before is None or kept_together(before.category, e.category))]
            return near or small or options
        if kind is Kind.FURNITURE and before is not None:
            return [e for e in options if self._suits(before, e)] or options
        return options

    def _suits(self, thing: Entity, piece: Entity) -> bool:
        room = self._home.layout.room_of(piece.id)
        return room is not None and any(suits(thing.category, room.category, piece.category, inside)
                                        for inside in {s.inside for s in piece.surfaces})


def propose(home: PlanHome, room: Entity | None, type_of_task: str, rng: random.Random) -> Proposal:
    """One task, about a room of the home where one is given. Errors: NotAsked."""
    kind, names = rng.choice(KINDS[type_of_task]), SensibleNames(home, room)
    said = said_by(Speaker(rng, names, plain=True), FAMILIES[kind], home)
    if any(home.truth[name.partition("/")[0]].kind not in (Kind.OBJECT, Kind.FURNITURE)
           for p in said.goal.propositions for name in p.arguments[0]):
        raise NotAsked("nothing to do")
    if why := _misspoken(said):
        raise NotAsked(why)
    text = re.sub(r"(^|\. )([a-z])", lambda m: m[1] + m[2].upper(), text_of(said.words, False, rng)) + "."
    about = home.truth.room_of(names.first.id) if names.first is not None else None
    return Proposal(kind, text, said.goal, about.category if about is not None else "")


def _misspoken(said: SaidInstruction) -> str:
    """What nobody would say so: *the* for one of several, several where there is one, *in* for what things are on, and
    a thing that is brought twice."""
    spoken, goal = [noun for noun in nouns(said.utterance) if noun.name], said.goal.propositions
    if all(noun.determiner != "indefinite" for noun in spoken) and any(
            len(names) > number for p in goal for names, number in zip(p.arguments, p.numbers)):
        return "says *the* of one of several"
    one = all(number == 1 for p in goal for number in p.numbers)
    brought = [name for p in goal if p.predicate in _BRINGS for name in p.arguments[0]]
    if len(set(brought)) < len(brought):
        return "brings a thing twice"
    moves = [place.preposition for move in iter_parts(said.utterance, MoveFrame) for place in move.to]
    for preposition, meant in _MEANT.items():
        if sum(one == preposition for one in moves) > sum(p.predicate in meant for p in goal):
            return "says *in* for on, or on for in"
    return "says several of one" if one and any(noun.plural for noun in spoken) else ""


def type_of(goal: SuiteGoal, capabilities: Sequence[str]) -> str:
    """PARTNR's type, by the goal itself: beyond the robot's skills, tied by place, tied by time, or none of these."""
    for p in goal.propositions:
        skills = p.definition.skills()
        if p.definition.family is Family.STATE and not set(skills) & set(capabilities):
            return "heterogeneous"
    if any(p.predicate == "is_next_to" for p in goal.propositions) or any(c.links for c in goal.constraints):
        return "spatial"
    return "temporal" if goal.dependencies or any(c.temporal for c in goal.constraints) else "constraint-free"
