"""What an instruction is made of: clauses of a verb with noun and prepositional phrases, their order and conditions.

    instruction := sentence ("." sentence)*
    sentence    := [condition ","] clause (connector clause)* ["otherwise" clause*] | statement | question
    clause      := [preposition nouns ","] verb item* ["if" condition]  |  nouns "goes" item*
    item        := nouns | preposition nouns | "and"
    nouns       := [quantity] [determiner] adjective* noun ["of" noun] ["except" nouns] ["or" nouns]  |  pronoun

Which prepositional phrase belongs to which noun is decided later, with the world graph at hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from dadu.knowledge.lexicon import Words

BACKGROUND = ("remark", "given", "spare", "avoid")
"""frames of clauses that ask for nothing"""


@dataclass(frozen=True)
class Noun:
    """A noun phrase; `words` are its adjectives and nouns, in the singular."""

    words: Words = ()
    text: str = ""
    number: int | None = None
    every: bool = False
    plural: bool = False
    indefinite: bool = False
    other: bool = False
    pronoun: str = ""
    """it, them, one, none or there"""
    more: bool = False
    """two more"""
    each: bool = False
    """one by one: in every room, next to each plate"""
    own: bool = False
    """on its own table"""
    kinds: bool = False
    """two kinds of drinks: different ones"""
    half: bool = False
    """half of the books"""
    these: bool = False
    """these toys, the items: where some were spoken of, those"""
    uses: tuple[str, ...] = ()
    """what it has to be good for, names in uses/*.yaml"""
    without: tuple[Noun, ...] = ()
    """except these"""
    alternatives: tuple[Noun, ...] = ()
    """or one of these"""
    joined: bool = False
    """one of several of which the same is said"""
    holding: Noun | None = None
    """the table where this is"""
    places: tuple[Prep, ...] = ()
    """of an exception, or of where something comes from: only what is there"""


@dataclass(frozen=True)
class Prep:
    """``preposition noun``; the preposition by its relation: on, in, next_to, from, to, at, with, for, between, light,
    under; or together, usual and former, which need no noun."""

    relation: str
    noun: Noun = Noun()
    approximate: str = ""
    """the preposition's words, where `relation` is not quite what they say"""
    second: Noun | None = None
    """between one and the other, next to both"""
    narrows: bool = False
    """of a relative clause: it says where the thing named just before is, never where to"""
    directed: bool = False
    """into, onto: where to, never where from"""
    also: tuple[Noun, ...] = ()
    """on the table and the desk"""
    within: tuple[Prep, ...] = ()
    """where the noun is: on the bed in the kids room"""

    def each(self) -> list[Prep]:
        """One phrase a noun."""
        nouns = [self.noun, *self.also, *([self.second] if self.second is not None else [])]
        return [replace(self, noun=n, also=(), second=None) for n in nouns]


class And:
    """A conjunction or comma between two items."""


Item: TypeAlias = Noun | Prep | And


def nouns_among(items: Sequence[Item]) -> list[tuple[int, Noun]]:
    """The items that are nouns, each with its place among them."""
    return [(i, item) for i, item in enumerate(items) if isinstance(item, Noun)]


@dataclass(frozen=True)
class Condition:
    """``there is NOUN`` with its places, ``NOUN is ADJECTIVE or PLACE``, or (again) the last one once more."""

    kind: str
    """exists, is or again"""
    noun: Noun = Noun()
    preps: tuple[Prep, ...] = ()
    state: str = ""
    """the predicate that the adjective means"""
    negated: bool = False
    text: str = ""
    look: str = ""
    """the colour or material that the adjective means"""


@dataclass(frozen=True)
class Clause:
    """One verb (by its frame) with its items as they stand in the text."""

    frame: str
    verb: str
    items: tuple[Item, ...] = ()
    recipient: bool = False
    """for me"""
    ordered: bool = False
    """only after everything before it"""
    respectively: bool = False
    in_turn: bool = False
    """its nouns one after the other"""
    text: str = ""
    condition: Condition | None = None
    otherwise: bool = False
    """where the condition does not hold"""
    elliptical: bool = False
    """its verb is the one before"""
    elsewhere: bool = False
    """from wherever it is"""
    explains: bool = False
    """in a sentence behind a colon"""
    details: bool = False
    """behind a colon: how what was said before is meant"""
    corrections: tuple[Item, ...] = ()
    """what was said instead of some of its items: no wait, the apple"""
    opens: bool = False
    """the first of its sentence"""
    purpose: bool = False
    """what for: turn it on | to start the cycle"""
    remarks: tuple[str, ...] = ()
    """words that were not taken as part of the task"""
