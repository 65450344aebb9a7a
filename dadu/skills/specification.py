"""What the table of skills says of each skill: its arguments, what it needs, what it changes. Types alone, no skill."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal, Protocol, TypeAlias, get_args

from dadu.world.graph import Kind

Purpose: TypeAlias = Literal["look", "pick", "place", "open", "close", "press"]
"""What the base is placed for: where it stands to look, to take something, to put something down..."""
PURPOSES: tuple[Purpose, ...] = get_args(Purpose)


class Hand(Enum):
    """What the hand must hold when a skill begins."""

    ANY = "any"
    EMPTY = "empty"
    FULL = "full"


@dataclass(frozen=True)
class StateValue:
    """A state of the world graph with one of its two values, such as is_powered_on = False."""

    name: str
    value: bool
    word: str
    """what is then said of the thing: off"""


@dataclass(frozen=True)
class Argument:
    """One argument of a skill, and what must be true of the thing that it names."""

    name: str
    kinds: tuple[Kind, ...] = ()
    """entities of the world graph that it may name"""
    words: tuple[str, ...] = ()
    """what it may be instead of the id of an entity"""
    optional: bool = False
    stand: Mapping[Kind, Purpose] = field(default_factory=dict)
    """how the base has to stand at the thing, which must be in reach then, and not shut away; empty: anywhere"""
    held: bool = False
    """it is what the hand holds"""
    affordance: str = ""
    """what the thing's category must afford, as in `dadu.house.catalogue.Affordance`"""
    must_be: StateValue | None = None

    @property
    def fixed(self) -> bool:
        """A word that only introduces the argument after it: ``next_to``."""
        return not self.kinds and len(self.words) == 1


class Changing(Protocol):
    """What effects change: a world as it is expected to be, as it is believed to be after an outcome, or as it is."""

    def arrive(self, target: str) -> None:
        """The base is there."""

    def take(self, object: str) -> None:
        """It is in the hand."""

    def put(self, relation: str, receptacle: str, reference: str) -> None:
        """What was held is there, next to `reference` unless that is empty."""

    def hand_over(self, agent: str) -> None:
        """What was held is in the hand of this agent."""

    def turn(self, path: str, open: bool) -> None:
        """Doors and drawers of furniture, or the one called ``FURNITURE/PART``, are open, or closed."""

    def give(self, id: str, state: StateValue) -> None:
        """The thing has this state."""


@dataclass(frozen=True)
class MovesBase:
    """The robot is at the thing or in the room."""

    target: str
    """name of the argument, as in all effects"""

    def change(self, world: Changing, given: Mapping[str, str]) -> None:
        """`given`: the call's arguments by name, as in all effects."""
        world.arrive(given[self.target])


@dataclass(frozen=True)
class Shows:
    """What is there has been seen."""

    place: str

    def change(self, world: Changing, given: Mapping[str, str]) -> None:
        """What will be seen cannot be told, and what was seen is learnt by seeing it."""


@dataclass(frozen=True)
class Takes:
    """The object is in the hand."""

    object: str

    def change(self, world: Changing, given: Mapping[str, str]) -> None:
        world.take(given[self.object])


@dataclass(frozen=True)
class Puts:
    """What was held is on or in the receptacle, next to the reference where one is given."""

    relation: str
    receptacle: str
    reference: str

    def change(self, world: Changing, given: Mapping[str, str]) -> None:
        world.put(given[self.relation], given[self.receptacle], given.get(self.reference, ""))


@dataclass(frozen=True)
class Gives:
    """What was held is in the hand of this agent."""

    agent: str

    def change(self, world: Changing, given: Mapping[str, str]) -> None:
        world.hand_over(given[self.agent])


@dataclass(frozen=True)
class MovesPart:
    """A door or drawer is open, or closed."""

    receptacle: str
    open: bool

    def change(self, world: Changing, given: Mapping[str, str]) -> None:
        world.turn(given[self.receptacle], self.open)


@dataclass(frozen=True)
class SetsState:
    """A state of the thing has this value."""

    argument: str
    state: StateValue

    def change(self, world: Changing, given: Mapping[str, str]) -> None:
        world.give(given[self.argument], self.state)


Effect: TypeAlias = MovesBase | Shows | Takes | Puts | Gives | MovesPart | SetsState


@dataclass(frozen=True)
class SkillSpec:
    """One skill of the instruction set. A robot can do it that lists its name among its capabilities."""

    name: str
    about: str
    """a line for prompts and help"""
    arguments: tuple[Argument, ...] = ()
    hand: Hand = Hand.ANY
    effects: tuple[Effect, ...] = ()
    """once it has succeeded"""
    base: bool = False
    """every robot of this project can do it"""
    drives: bool = False
    """the base drives while it runs"""
    action: str = ""
    """the ROS action that it goes over; empty where no node serves it"""

    @property
    def required(self) -> int:
        """How many arguments it takes at least."""
        return sum(not argument.optional for argument in self.arguments)

    @property
    def at(self) -> Argument | None:
        """The argument that says where the robot has to stand, if it has to stand somewhere."""
        return next((argument for argument in self.arguments if argument.stand), None)

    @property
    def changes_world(self) -> bool:
        """True if it changes more than what the robot sees and where it is."""
        return any(not isinstance(effect, (MovesBase, Shows)) for effect in self.effects)

    @property
    def only_sets_states(self) -> bool:
        """True if all that it does is to give states of things a value: what it does to them is no matter then."""
        return bool(self.effects) and all(isinstance(effect, SetsState) for effect in self.effects)

    def change(self, world: Changing, arguments: Sequence[str]) -> None:
        """Has the effects of a call that works."""
        for effect in self.effects:
            effect.change(world, self.named(arguments))

    def does(self, *effects: type[Effect]) -> bool:
        """True if it has an effect of one of these kinds."""
        return any(isinstance(e, effects) for e in self.effects)

    @property
    def lets_go(self) -> bool:
        """True if what the hand held is elsewhere once it has succeeded."""
        return self.does(Puts, Gives)

    def sets(self, state: str, value: bool, kind: Kind | None = None) -> bool:
        """True if it gives its one argument, an entity of `kind` (None: of any), that value of a state."""
        return len(self.arguments) == 1 and (kind is None or kind in self.arguments[0].kinds) and any(
            isinstance(e, SetsState) and (e.state.name, e.state.value) == (state, value) for e in self.effects)

    def named(self, arguments: Sequence[str]) -> dict[str, str]:
        """The arguments of a call by their names; optional ones that it leaves out are missing."""
        return dict(zip((argument.name for argument in self.arguments), arguments, strict=False))

    def ordered(self, named: Mapping[str, str]) -> tuple[str, ...]:
        """The inverse of `named`, with the word before an argument that a fixed word introduces."""
        found: list[str] = []
        word: tuple[str, ...] = ()
        for argument in self.arguments:
            if argument.name in named:
                found += (*word, named[argument.name])
            word = argument.words if argument.fixed else ()
        return tuple(found)

    def purpose(self, arguments: Sequence[str], target: str, kind: Kind) -> Purpose | None:
        """What the base is placed for at `target`, an entity of `kind`, before a call; None where the call does not ask
        for it."""
        named = self.named(arguments)
        return next((a.stand[kind] for a in self.arguments if named.get(a.name) == target and kind in a.stand), None)
