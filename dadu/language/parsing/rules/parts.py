"""What rules make on the way from words to frames."""

from __future__ import annotations

from dataclasses import dataclass

from dadu.language.frames.frame import Ask, Frame
from dadu.language.frames.noun import NounPhrase, PlacePhrase, Quantity


@dataclass(frozen=True)
class Complement:
    """Things and places behind a verb that belong together: the cup and the plate | on the table."""

    things: tuple[NounPhrase, ...] = ()
    places: tuple[PlacePhrase, ...] = ()
    particles: tuple[str, ...] = ()
    recipient: bool = False
    """bring *me*"""
    alone: bool = False
    """leave it *where it is*"""
    becoming: str = ""
    """leave the door *open*"""
    ordered: bool = False
    """first the cup, then the plate"""


@dataclass(frozen=True)
class Amount:
    """All, two, at least three, of different kinds."""

    quantity: Quantity
    other: bool = False


@dataclass(frozen=True)
class Purpose:
    """To drink from."""

    words: str


@dataclass(frozen=True)
class Alternative:
    noun: NounPhrase


@dataclass(frozen=True)
class Excluded:
    noun: NounPhrase


@dataclass(frozen=True)
class Relative:
    """That is red, lying on the table."""

    attributes: tuple[str, ...] = ()
    places: tuple[PlacePhrase, ...] = ()
    excluded: tuple[NounPhrase, ...] = ()
    """that is not red"""


class Ordered(tuple[NounPhrase, ...]):
    """Things one after the other: the cup, then the plate."""


class Due(tuple[Frame, ...]):
    """What is to be so, by a statement: the keys should be in the drawer."""


@dataclass(frozen=True)
class Stated:
    """Something is somewhere, in a state, or there at all."""

    things: tuple[NounPhrase, ...]
    places: tuple[PlacePhrase, ...] = ()
    becoming: str = ""
    """an adjective"""
    negated: bool = False


@dataclass(frozen=True)
class Premise:
    """A claim that is to hold; None: the one that was asked before."""

    asks: tuple[Ask, ...] = ()
    none: bool = False
    """if there is none of what was just spoken of"""
    at: PlacePhrase | None = None
    """and where"""


@dataclass(frozen=True)
class SaidStep:
    """Frames to be done together, and how they stand to those before."""

    frames: tuple[Frame, ...]
    ordered: bool = False
    """only after all before"""
    explains: bool = False
    """how what was said before is to be done"""


@dataclass(frozen=True)
class Otherwise:
    """What to do where the last condition did not hold, or where it did."""

    frames: tuple[Frame, ...]
    holds: bool = False
    at: PlacePhrase | None = None
    """where the last thing was to be, for it to hold"""
    offered: tuple[NounPhrase, ...] = ()
    """what would do instead"""
    lacking: tuple[NounPhrase, ...] = ()
    """of this"""


@dataclass(frozen=True)
class Sentence:
    steps: tuple[SaidStep | Otherwise, ...]
