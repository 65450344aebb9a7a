"""Nouns to speak of: the catalogue's, less those kept out for testing, and words that nobody taught."""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from dadu.knowledge.lexicon import default_lexicon
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.world.graph import Kind

HELD_OUT = 8
"""one category in so many is only spoken of in sentences for testing"""
_UNKNOWN = 0.25
"""share of nouns that are no name of the catalogue"""
_CONSONANTS, _VOWELS = "bcdfghjklmnprstvwz", "aeiou"


def is_held_out(name: str) -> bool:
    """Whether a category or another name is kept out of training. The same for `mugs` and `mug`."""
    return zlib.crc32(default_lexicon().singular(name.split()[-1]).encode()) % HELD_OUT == 0


class SpokenNames(Protocol):
    """Where a speaker has words for things from."""

    def draw(self, kind: Kind, rng: random.Random) -> str:
        """A name, in the singular."""
        ...

    def adjective(self, kind: Kind, options: Sequence[str], rng: random.Random) -> str:
        """One of these; the next thing of this kind that is drawn is so."""
        ...

    def follow(self) -> None:
        """The next place that is drawn is where the newest thing is."""
        ...


@dataclass(frozen=True)
class NameSource:
    """The catalogue's, of no world; with `held_out`, half of them are those that training never sees."""

    held_out: bool = False

    def adjective(self, kind: Kind, options: Sequence[str], rng: random.Random) -> str:
        """Any."""
        return rng.choice(options)

    def follow(self) -> None:
        """Things are nowhere."""

    def draw(self, kind: Kind, rng: random.Random) -> str:
        """A name, in the singular."""
        known, kept = _names()[kind]
        if kind is not Kind.ROOM and rng.random() < _UNKNOWN:
            return made_up(rng)
        return rng.choice(kept if self.held_out and kept and rng.random() < 0.5 else known)


@cache
def _names() -> dict[Kind, tuple[tuple[str, ...], tuple[str, ...]]]:
    """By kind: those for training, those kept out."""
    rooms = _of_catalogue(Kind.ROOM) | {name for room, others in default_lexicon().rooms.items()
                                        for name in (room, *others)}
    split: dict[Kind, tuple[tuple[str, ...], tuple[str, ...]]] = {Kind.ROOM: (_plain(rooms), ())}
    for kind in (Kind.OBJECT, Kind.FURNITURE):
        names = _plain(_of_catalogue(kind))
        out = tuple(name for name in names if is_held_out(name))
        split[kind] = (tuple(name for name in names if name not in out), out)
    return split


def _of_catalogue(kind: Kind) -> set[str]:
    return {" ".join(words) for entry in default_vocabulary().entries.values() if entry.kind is kind
            for words in (entry.name, *entry.aliases)}


def _plain(names: Iterable[str]) -> tuple[str, ...]:
    """Those of letters alone."""
    spaced = sorted(name.replace("_", " ") for name in names)
    return tuple(name for name in spaced if name.replace(" ", "").isalpha())


def made_up(rng: random.Random) -> str:
    """``tavilo``: a noun that nobody can know."""
    return "".join(rng.choice(_CONSONANTS) + rng.choice(_VOWELS) for _ in range(rng.randint(2, 3))) + rng.choice(
        ("", "n", "r", "t", "ck", "l"))
