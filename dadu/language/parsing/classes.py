"""The word classes of ``words.yaml``: what each word or phrase may be in a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from dadu.core.config import Settings, load
from dadu.knowledge.lexicon import Words, default_lexicon, doubled, gerund


@dataclass(frozen=True)
class Entry:
    """What a word or phrase may be."""

    classes: frozenset[str]
    """terminals of the grammar: VERB, PREP..."""
    verb: str = ""
    """of a verb in any form its base form: ``pick up`` of ``picking up``"""


class WordClasses(Settings):
    """The file as it is written, and `entries` by word."""

    classes: dict[str, list[str]]
    fillers: list[str]
    actions: dict[str, str]
    numbers: dict[str, int]
    verbs: dict[str, list[str]]
    times: list[str]
    past: dict[str, str]
    states: dict[str, list[str]]
    superlatives: dict[str, str]
    place_nouns: list[str]
    place_adjectives: dict[str, list[str]]

    @cached_property
    def entries(self) -> Mapping[Words, Entry]:
        classes: dict[Words, set[str]] = {}
        bases: dict[Words, str] = {}
        for phrase, kind, base in self._rows():
            words = tuple(phrase.split())
            classes.setdefault(words, set()).add(kind)
            if base:
                bases.setdefault(words, base)
        return {words: Entry(frozenset(kinds), bases.get(words, "")) for words, kinds in classes.items()}

    @cached_property
    def longest(self) -> int:
        return max(map(len, self.entries))

    @cached_property
    def frame_of(self) -> Mapping[str, str]:
        """What a verb in its base form asks for."""
        return {verb: frame for frame, verbs in self.verbs.items() for verb in verbs}

    @cached_property
    def state_of(self) -> Mapping[str, str]:
        """The state that an adjective or participle means."""
        listed = {word: state for state, words in self.states.items() for word in words}
        made = {self.participle(verb): state for frame, state in STATE_OF_VERBS.items() for verb in self.verbs[frame]}
        return {**made, **listed}

    def participle(self, phrase: str) -> str:
        """``picked up`` of ``pick up``"""
        verb, _, rest = phrase.partition(" ")
        past = self.past.get(verb) or (f"{verb}d" if verb.endswith("e") else f"{doubled(verb)}ed")
        past = re.sub("([^aeiou])yed$", r"\1ied", past)
        return f"{past} {rest}".strip()

    def _rows(self) -> Iterator[tuple[str, str, str]]:
        """A phrase, what it may be, and of a verb its base form."""
        for kind, phrases in self.classes.items():
            yield from ((phrase, kind.upper(), "") for phrase in phrases)
        yield from ((phrase, "FILLER", "") for phrase in self.fillers)
        yield from ((phrase, "NUMBER", "") for phrase in self.numbers)
        for frame, verbs in self.verbs.items():
            for verb in verbs:
                kind = "APART" if frame == "apart" else "VERB"
                yield verb, kind, verb
                yield gerund(verb), "GERUND", verb
                yield self.participle(verb), "PARTICIPLE", verb
                if self.participle(verb) != verb:
                    yield self.participle(verb), "PAST", verb
        yield from self._plain()

    def _plain(self) -> Iterator[tuple[str, str, str]]:
        """Nouns and adjectives."""
        yield from ((noun, "ACTION", verb) for noun, verb in self.actions.items())
        lexicon = default_lexicon()
        for word in (*lexicon.colors, *lexicon.materials, *lexicon.adjectives_ignored, *lexicon.unseen, *self.state_of,
                     *self.superlatives):
            yield word, "PREDICATIVE", ""
            if word not in ("on", "off"):  # the lamp is on; no "on lamp"
                yield word, "ADJECTIVE", ""
        yield from ((word, "NOUN", "") for words in (lexicon.pieces, lexicon.units, lexicon.vessels) for word in words)
        yield from ((word, "NOUN", "") for word in (*self.place_nouns, *self.times))
        for words in self.place_adjectives.values():
            yield from ((word, "ADJECTIVE", "") for word in words)


STATE_OF_VERBS = {"clean": "clean", "fill": "filled", "heat": "hot", "cool": "cold", "slice": "sliced",
                  "power_on": "powered_on", "power_off": "powered_off", "open": "open", "close": "closed"}
"""the state that these verbs bring about"""


@cache
def word_classes() -> WordClasses:
    return load(WordClasses, Path(__file__).with_name("words.yaml"))
