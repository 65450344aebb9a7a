"""What has been spoken of so far: an immutable value that grounding hands from frame to frame."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

from dadu.goals.goal import Description, Term
from dadu.language.frames.noun import NounPhrase
from dadu.language.refusal import Refusal
from dadu.world.graph import Kind

SUPPORTS = (Kind.FURNITURE, Kind.ROOM)
"""what things are brought to"""


class Role(str, Enum):
    """As what a thing was spoken of."""

    ABOUT = "about"
    """what something is to be done with"""
    PLACE = "place"
    """where something is to go, or is"""
    SOURCE = "source"
    """where something is taken from"""
    IMPLIED = "implied"
    """thought of for a wish rather than named"""


@dataclass(frozen=True)
class Referent:
    """A noun phrase in this world: a term, and how many are meant."""

    term: Term
    kind: Kind
    number: int = 1
    every: bool = False
    phrase: NounPhrase = NounPhrase()
    requires: tuple[str, ...] = ()
    """predicates that its adjectives ask for: a washed cup"""
    substitution: str = ""
    """``WORDS -> ID`` where it is not called so"""
    notes: tuple[str, ...] = ()
    carried: tuple[Referent, ...] = ()
    """what is to be in or on it: a bowl with a spoon in it"""
    role: Role = Role.ABOUT
    turn: int = 0
    """number of the frame that spoke of it"""

    @property
    def description(self) -> Description:
        """What the words say of it. Errors: Refusal where they say no more than where it is."""
        if self.term.description is None:
            raise Refusal(f"I do not know what {self.term.name!r} is; call it by its name", [self.term.name])
        return self.term.description

    @property
    def single(self) -> bool:
        return self.number == 1 and not self.every

    def of(self, ids: Iterable[str]) -> Referent:
        """The same of these ids only."""
        return replace(self, term=replace(self.term, ids=tuple(ids)))

    def only(self, key: str, ids: Iterable[str], **changes: object) -> Referent:
        """Just these things, whatever else is called so."""
        ids = tuple(ids)
        told = self.term.description
        description = replace(told, categories=(), ids=ids, where=(), alternatives=(), general=()) if told else None
        return replace(self, term=Term(key, ids, description), **changes)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Discourse:
    """What was said before the frame at hand."""

    mentions: tuple[Referent, ...] = ()
    """the newest last"""
    moved: tuple[Referent, ...] = ()
    """what was moved, taken or changed last, all of it"""
    filled: Referent | None = None
    """in or on which things were put last: a bowl, a plate"""
    turn: int = 0
    """number of the frame at hand"""
    rooms: frozenset[str] = frozenset()
    """spoken of, or gone to, as where the rest is to happen"""
    asker: Referent | None = None
    """the room or piece of furniture where the speaker says to be"""
    spared: tuple[Description, ...] = ()
    """what is to be left where it is"""
    unwanted: tuple[Description, ...] = ()
    """what nothing that is chosen for a purpose may be"""
    lacking: frozenset[str] = frozenset()
    """categories that, as the speaker says, are not there or do not work"""
    bound: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """key of a thing, and where it is to be by now"""
    use: str = ""
    """name in ``knowledge/uses`` of what was wished for last"""
    extra: tuple[Referent, ...] = ()
    """what goes with it: tea with honey"""

    def mention(self, things: Iterable[Referent], role: Role = Role.ABOUT) -> Discourse:
        new = tuple(replace(t, role=role, turn=self.turn) for t in things)
        return replace(self, mentions=self.mentions + new)

    def last(self, *kinds: Kind, roles: tuple[Role, ...] = tuple(Role)) -> Referent | None:
        """The newest mention of one of these kinds."""
        return next((t for t in reversed(self.mentions) if t.kind in kinds and t.role in roles), None)

    def place_of(self, key: str) -> tuple[str, ...]:
        """Where the thing is to be by now; empty where nothing was said of it."""
        return next((ids for known, ids in reversed(self.bound) if known == key), ())

    def put(self, key: str, ids: tuple[str, ...]) -> Discourse:
        return replace(self, bound=(*self.bound, (key, ids)))
