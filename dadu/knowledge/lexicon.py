"""What words of things mean, read from ``lexicon.yaml``, and the one way in which words are normalised."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, cached_property, lru_cache
from pathlib import Path

from dadu.core.config import Settings, load
from dadu.knowledge.commonsense import uses

Words = tuple[str, ...]


class Lexicon(Settings):
    """The file as it is written."""

    no_adverbs: list[str]
    subjects: list[str]
    choosing: list[str]
    liquids: list[str]
    house: list[str]
    adjectives_ignored: list[str]
    rinsed: list[str]
    """of these, what is so once it was held under water"""
    unseen: list[str]
    colors: list[str]
    materials: list[str]
    same_value: dict[str, str]
    color_families: dict[str, list[str]]
    vessels: list[str]
    not_ready: dict[str, list[str]]
    pieces: list[str]
    units: list[str]
    parts: list[str]
    floor: list[str]
    positions: list[str]
    surfaces: list[str]
    features: list[str]
    mass_nouns: list[str]
    plain_nouns: list[str]
    synonyms: dict[str, str]
    vague_nouns: dict[str, str]
    rooms: dict[str, list[str]]
    irregular_plurals: dict[str, str]

    def singular(self, word: str) -> str:
        """The singular of a noun; both sides of every comparison go through it."""
        if word in self.irregular_plurals:
            return self.irregular_plurals[word]
        if re.search(r"(ches|shes|sses|xes|zzes|oes|[^aeo]uses)$", word):
            return word[:-2]
        if word.endswith("ies") and len(word) > 4:
            return word[:-3] + "y"
        if re.search(r"[^su]s$", word) and not word.endswith("is") and len(word) > 3:
            return word[:-1]
        return word

    def says_how(self, word: str) -> bool:
        """True if it is an adverb that changes nothing: thoroughly."""
        return word.endswith("ly") and len(word) > 4 and word not in self._matters

    @cached_property
    def _matters(self) -> set[str]:
        """Words in -ly that are names, say how much, or are part of what things are good for."""
        useful = [phrase for use in uses().values() for phrase in (*use.phrases, *use.wishes)]
        return {*self.no_adverbs, *(word for phrase in useful for word in phrase.split())}

    @cached_property
    def normal(self) -> Callable[[str], Words]:
        """``Dining_Tables`` as (dining, table); the same few thousand names are asked for over and over."""
        return lru_cache(maxsize=16384)(self._normal)

    def _normal(self, name: str) -> Words:
        words = re.findall(r"[a-z0-9']+", name.lower().replace("_", " ").replace("-", " "))
        return tuple(self.singular(w) for w in words)


@cache
def default_lexicon() -> Lexicon:
    return load(Lexicon, Path(__file__).with_name("lexicon.yaml"))


def with_article(noun: str) -> str:
    """``an apple``"""
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


def plural_of(noun: str) -> str:
    """``dining tables``, ``bottles of milk``; what is plural already, such as scissors, stays."""
    head, of, rest = noun.partition(" of ")
    first, space, last = head.rpartition(" ")
    return f"{first}{space}{_plural(last)}{of}{rest}"


def _plural(word: str) -> str:
    if word in _irregular():
        return _irregular()[word]
    if default_lexicon().singular(word) != word:
        return word
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("s", "x", "z", "ch", "sh")) else f"{word}s"


@cache
def _irregular() -> Mapping[str, str]:
    """Plurals by singulars."""
    return {one: many for many, one in default_lexicon().irregular_plurals.items()}


def gerund(phrase: str) -> str:
    """``picking up`` of ``pick up``"""
    verb, _, rest = phrase.partition(" ")
    verb = verb[:-1] if verb.endswith("e") and not verb.endswith("ee") else doubled(verb)
    return f"{verb}ing {rest}".strip()


def doubled(verb: str) -> str:
    return verb + verb[-1] if re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", verb) else verb
