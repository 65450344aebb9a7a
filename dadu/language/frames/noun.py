"""How an instruction speaks of things and places: noun phrases, with nothing resolved yet."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeVar

from typing_extensions import dataclass_transform

_T = TypeVar("_T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frame_type(cls: type[_T]) -> type[_T]:
    """A frozen dataclass. Only text from outside is validated, and refused with other keys (`schema.py`): pydantic's
    own dataclasses build their validators at import, which takes longer than reading an instruction."""
    made = dataclass(frozen=True)(cls)
    made.__pydantic_config__ = {"extra": "forbid"}  # type: ignore[attr-defined]
    return made


Determiner = Literal["definite", "indefinite", "other", "same", "own", "none"]
"""the mug, a mug or some mugs, the other mug or another one, the same table, its own shelf, no mug"""
Pronoun = Literal["", "it", "them", "one", "there", "here", "me", "any", "none", "rest", "former", "latter", "held",
                  "needed"]
"""Stands for something spoken of before. `rest`: those left over; `held`: what is in the hand; `needed`: what a wish
spoken of before takes; `me`: who speaks."""
Preposition = Literal["on", "in", "at", "next_to", "between", "under", "behind", "from", "of", "with"]
"""`at`: at, to or for, where on or in is not said; `of`: the door of the fridge; `with`: the table with the toys,
a mug with a handle."""
Amount = Literal["", "all", "each", "both", "half", "some", "most"]


@frame_type
class Quantity:
    """How many."""

    number: int | None = None
    """as said: two mugs; None where only `amount` or nothing says it"""
    amount: Amount = ""
    bound: Literal["exactly", "at_least", "at_most"] = "exactly"
    kinds: bool = False
    """of different kinds: two kinds of fruit"""
    more: bool = False
    """beside those spoken of or there already: two more"""


@frame_type
class NounPhrase:
    """Something or some things, as the words have it."""

    name: str = ""
    """noun or compound in the singular, less adjectives: ``dining table``; "" where a pronoun or purpose stands"""
    attributes: tuple[str, ...] = ()
    """adjectives that say which: red, wooden, dirty, chilled"""
    quantity: Quantity = Quantity()
    determiner: Determiner = "definite"
    plural: bool = False
    pronoun: Pronoun = ""
    superlative: str = ""
    """big, small, tall, short, near or far: the biggest one"""
    places: tuple[PlacePhrase, ...] = ()
    """where it is, to tell which one is meant: the mug on the table"""
    purpose: str = ""
    """words for what it is good for: something to drink, for a cold child"""
    excluded: tuple[NounPhrase, ...] = ()
    """all fruits except the apple"""
    alternatives: tuple[NounPhrase, ...] = ()
    """or one of these instead, in order of preference"""
    text: str = ""
    """as it stands in the instruction, for messages"""


@frame_type
class PlacePhrase:
    """A preposition and what it is said of; several nouns: between A and B, on the table and the desk."""

    preposition: Preposition
    nouns: tuple[NounPhrase, ...]
    special: Literal["", "usual", "former", "elsewhere", "together"] = ""
    """needs no noun: where it belongs; where it was; somewhere else; next to each other"""
    text: str = ""
