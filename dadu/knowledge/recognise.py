"""From what people say to the use that they mean, by the words that carry meaning, in whatever form they stand:
``for washing my hands`` and ``to wash her hands with`` are the same. The phrases are those of ``uses/*.yaml``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from dadu.knowledge.commonsense import uses, words_of_wishes

_SUFFIXES = ("ing", "ed", "es", "s")
_NEGATIONS = frozenset({"not", "no", "never"})
_SHORTEST = 3
"""letters that must be left of a word without its suffix"""


@dataclass(frozen=True)
class Recognised:
    """The use that some words mean, and those of them that say something else."""

    use: str
    size: int
    """words that say it"""
    rest: tuple[str, ...] = ()


def purpose(words: Sequence[str]) -> Recognised | None:
    """What a thing has to be good for: ``to dry my hands with``; None where that is not known."""
    return _nearest(_content(words), _purposes())


def wish(words: Sequence[str]) -> Recognised | None:
    """What is wished for by a statement: ``my son has a runny nose``; None where it is none of the wishes."""
    return _nearest(_content(words), _wishes())


def negated(text: str) -> bool:
    """True if a sentence denies something: ``I am not cold``, ``I can't sleep``."""
    words = text.lower().split()
    return "cannot" in words or not _NEGATIONS.isdisjoint(words) or any(word.endswith("n't") for word in words)


def _nearest(said: tuple[str, ...], known: Mapping[frozenset[str], str]) -> Recognised | None:
    """The phrase that leaves the fewest of the words over; of these the one that has the most, and first the most that
    say something: to clean windows with is not merely to clean with."""
    found, light = set(said), _light()
    fitting = {phrase: _left_over(said, phrase, use, light) for phrase, use in known.items() if phrase <= found}
    if not fitting:
        return None
    best = min(fitting, key=lambda phrase: (len(fitting[phrase]), -len(phrase - light), -len(phrase)))
    return Recognised(known[best], len(best), fitting[best])


def _left_over(said: tuple[str, ...], phrase: frozenset[str], use: str, light: frozenset[str]) -> tuple[str, ...]:
    if uses()[use].any and said[0] in phrase:
        return ()
    return tuple(w for w in said if w not in phrase and w not in light)


@cache
def _purposes() -> Mapping[frozenset[str], str]:
    return _index((phrase, name) for name, use in uses().items() for phrase in (*use.phrases, *use.contains))


@cache
def _wishes() -> Mapping[frozenset[str], str]:
    return _index((phrase, name) for name, use in uses().items() for phrase in use.wishes)


def _index(phrases: Iterable[tuple[str, str]]) -> Mapping[frozenset[str], str]:
    """By the words of each phrase; of two phrases with the same words the first counts."""
    out: dict[frozenset[str], str] = {}
    for phrase, name in phrases:
        content = frozenset(_content(phrase.replace("'s", "").split()))
        if content:
            out.setdefault(content, name)
    return out


def _content(words: Iterable[str]) -> tuple[str, ...]:
    """The stems of the words that carry meaning, in their order."""
    return tuple(_alike().get(stem, stem) for word in words if word not in words_of_wishes().empty
                 for stem in (_stem(word),))


@cache
def _alike() -> dict[str, str]:
    return {_stem(variant): _stem(word) for word, variants in words_of_wishes().alike.items() for variant in variants}


@cache
def _light() -> frozenset[str]:
    return frozenset(map(_stem, words_of_wishes().light | words_of_wishes().persons))


@lru_cache(maxsize=8192)
def _stem(word: str) -> str:
    """``washing``, ``washes`` and ``wash``, ``dries`` and ``dry`` are the same."""
    if word in _NEGATIONS:
        return "-"
    suffix = next((s for s in _SUFFIXES if word.endswith(s) and len(word) - len(s) >= _SHORTEST), "")
    word = word.removesuffix(suffix)
    if len(word) > _SHORTEST and word[-1] == word[-2]:
        word = word[:-1]
    word = word.rstrip("e") or word
    return f"{word[:-1]}i" if word.endswith("y") else word
