"""The words that carry structure, read from ``lexicon.yaml``, and the one way in which words are normalised."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from dadu.config import Settings, load

Words = tuple[str, ...]


_PLAIN = ("belongs", "unsupported_prepositions", "sequence", "before", "after", "conjunctions", "respectively",
          "relatives", "determiners", "indefinite", "every", "other", "recipients", "fillers", "politeness",
          "particles", "unsupported")
"""tags whose value is the phrase itself"""


class Lexicon(Settings):
    """The file as it is written; `tags` is what the reader of instructions uses."""

    verbs: dict[str, list[str]]
    belongs: list[str]
    prepositions: dict[str, list[str]]
    unsupported_prepositions: list[str]
    sequence: list[str]
    before: list[str]
    after: list[str]
    conjunctions: list[str]
    respectively: list[str]
    relatives: list[str]
    determiners: list[str]
    indefinite: list[str]
    every: list[str]
    other: list[str]
    numbers: dict[str, int]
    pronouns: dict[str, str]
    recipients: list[str]
    fillers: list[str]
    politeness: list[str]
    particles: list[str]
    unsupported: list[str]
    adjectives_ignored: list[str]
    colors: list[str]
    materials: list[str]
    superlatives: dict[str, str]
    same_value: dict[str, str]
    vessels: list[str]
    parts: list[str]
    mass_nouns: list[str]
    plain_nouns: list[str]
    rooms: dict[str, list[str]]
    irregular_plurals: dict[str, str]

    def tags(self) -> Mapping[Words, dict[str, str]]:
        """Phrase: its possible tags, each with a value (the frame of a verb, the relation of a preposition...)."""
        out: dict[Words, dict[str, str]] = {}
        for tag, phrase, value in self._entries():
            out.setdefault(tuple(phrase.split()), {})[tag] = value
        return out

    def singular(self, word: str) -> str:
        """The singular of a noun; both sides of every comparison go through it."""
        if word in self.irregular_plurals:
            return self.irregular_plurals[word]
        if re.search(r"(ches|shes|sses|xes|zzes|oes)$", word):
            return word[:-2]
        if word.endswith("ies") and len(word) > 4:
            return word[:-3] + "y"
        if re.search(r"[^su]s$", word) and not word.endswith("is") and len(word) > 3:
            return word[:-1]
        return word

    def normal(self, name: str) -> Words:
        """``Dining_Tables`` as (dining, table)."""
        words = re.findall(r"[a-z0-9']+", name.lower().replace("_", " ").replace("-", " "))
        return tuple(self.singular(w) for w in words)

    def _entries(self) -> Iterator[tuple[str, str, str]]:
        for frame, phrases in self.verbs.items():
            for phrase in phrases:
                yield "verb", phrase, frame
                yield "verb", _gerund(phrase), frame
        for relation, phrases in self.prepositions.items():
            yield from (("preposition", phrase, relation) for phrase in phrases)
        for phrase, number in self.numbers.items():
            yield "number", phrase, str(number)
        for phrase, meaning in self.pronouns.items():
            yield "pronoun", phrase, meaning
        for tag in _PLAIN:
            yield from ((tag, phrase, phrase) for phrase in getattr(self, tag))


@cache
def default_lexicon() -> Lexicon:
    return load(Lexicon, Path(__file__).with_name("lexicon.yaml"))


def _gerund(phrase: str) -> str:
    verb, _, rest = phrase.partition(" ")
    if verb.endswith("e") and not verb.endswith("ee"):
        verb = verb[:-1]
    elif re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", verb):
        verb += verb[-1]
    return f"{verb}ing {rest}".strip()
