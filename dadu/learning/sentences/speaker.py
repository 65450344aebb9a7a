"""How a sentence is drawn: templates with choices, whose words remember what they are."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol, TypeVar

from dadu.world.graph import Kind

T = TypeVar("T")
Meaning = dict[str, Any]
"""a frame or a part of one as JSON has it, with a `Span` for every string that the sentence holds"""


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


@dataclass(eq=False)
class Said:
    """One word of a sentence; `copied`: the meaning points at it."""

    text: str
    copied: bool = False


@dataclass(frozen=True)
class Span:
    """Words that stand side by side."""

    words: tuple[Said, ...]


@dataclass
class Phrase:
    """Words and what they mean."""

    words: list[Said]
    meaning: Any = None


@dataclass
class Speaker:
    """One who draws a sentence, in one style."""

    rng: random.Random
    names: SpokenNames
    terse: bool = False
    """leaves articles out"""
    gerund: bool = False
    """says ``putting`` where `say` has <put>"""
    spoken: bool = False
    """something was spoken of before: `it` may stand for it"""
    style: random.Random | None = None
    """decides among words for the same; None: `rng` decides that, too"""

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def pick(self, options: Sequence[T]) -> T:
        return self.rng.choice(options)

    def weighted(self, options: dict[T, float]) -> T:
        return self.rng.choices(list(options), list(options.values()))[0]

    def say(self, template: str, **parts: Phrase) -> list[Said]:
        """``<put> {what} [right|] on {to}``: one of the choices in brackets, verbs in angles as this speaker conjugates
        them, and the words of the parts."""
        words: list[Said] = []
        for token in self._choose(_parsed(template)).split():
            if token.startswith("{"):
                words += parts[token[1:-1]].words
            elif token.startswith("<"):
                verb = (self.style or self.rng).choice(token[1:-1].split("|")).split("_")
                words += [Said(gerund(verb[0]) if self.gerund else verb[0]), *map(Said, verb[1:])]
            else:
                words.append(Said(token))
        return words

    def copied(self, text: str) -> tuple[list[Said], Span]:
        """Words that the meaning points at."""
        words = [Said(word, True) for word in text.split()]
        return words, Span(tuple(words))

    def _choose(self, parsed: tuple[str | tuple[Any, ...], ...]) -> str:
        return " ".join(p if isinstance(p, str) else self._choose((self.style or self.rng).choice(p)) for p in parsed)


@lru_cache(maxsize=4096)
def _parsed(template: str) -> tuple[Any, ...]:
    """Text and choices in turn; a choice is a tuple of parsed templates."""
    tokens = re.findall(r"[\[\]|]|<[^>]*>|[^\[\]|<]+", template)
    found, rest = _sequence(tokens, 0)
    assert rest == len(tokens), template
    return found


def _sequence(tokens: list[str], at: int) -> tuple[tuple[Any, ...], int]:
    out: list[Any] = []
    while at < len(tokens) and tokens[at] not in "|]":
        if tokens[at] != "[":
            out.append(tokens[at])
            at += 1
            continue
        options, at = [], at + 1
        while True:
            option, at = _sequence(tokens, at)
            options.append(option)
            at += 1
            if tokens[at - 1] == "]":
                break
        out.append(tuple(options))
    return tuple(out), at


_DOUBLED = frozenset({"put", "set", "get", "drop", "grab", "cut", "chop", "pop", "stop", "swap", "shut", "slip", "dip",
                      "mop", "scrub", "tip", "pat", "plop", "spot", "chill out", "wet", "run", "let"})


@lru_cache(maxsize=1024)
def gerund(verb: str) -> str:
    """``putting``."""
    if verb in _DOUBLED:
        return f"{verb}{verb[-1]}ing"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")) and len(verb) > 2:
        return f"{verb[:-1]}ing"
    return f"{verb}ing"
