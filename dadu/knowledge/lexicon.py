"""The words that carry structure, read from ``lexicon.yaml``, and the one way in which words are normalised."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, cached_property, lru_cache
from itertools import product
from pathlib import Path

from dadu.core.config import Settings, load
from dadu.knowledge.commonsense import occasions, uses

Words = tuple[str, ...]


_PLAIN = ("belongs", "approximate", "usual", "sequence", "before", "after", "condition", "unless", "otherwise",
          "if_so", "exists", "exists_not", "hasnt", "has", "copula", "conjunctions", "choice", "respectively",
          "in_turn", "exception", "lacking", "relatives", "determiners", "indefinite", "every", "own", "other",
          "more", "kinds", "half", "most", "recipients", "elsewhere", "fillers", "politeness", "particles",
          "negation", "leave_alone", "alone", "that_kind", "unsupported", "circumstances", "meanwhile", "effects",
          "results", "happened", "comments", "reasons", "subjects", "third_person", "waits",
          "pleasing", "amiss", "defect", "former", "correction", "mild_correction")
"""tags whose value is the phrase itself"""


class Lexicon(Settings):
    """The file as it is written; `tags` is what the reader of instructions uses."""

    verbs: dict[str, list[str]]
    undertakings: list[str]
    actions: dict[str, str]
    split_verbs: dict[str, str]
    past: dict[str, str]
    belongs: list[str]
    pleasing: list[str]
    amiss: list[str]
    defect: list[str]
    former: list[str]
    prepositions: dict[str, list[str]]
    approximate: list[str]
    sides: list[str]
    usual: list[str]
    sequence: list[str]
    before: list[str]
    after: list[str]
    condition: list[str]
    unless: list[str]
    otherwise: list[str]
    if_so: list[str]
    exists: list[str]
    exists_not: list[str]
    has: list[str]
    hasnt: list[str]
    copula: list[str]
    conjunctions: list[str]
    choice: list[str]
    respectively: list[str]
    in_turn: list[str]
    exception: list[str]
    lacking: list[str]
    relatives: list[str]
    determiners: list[str]
    indefinite: list[str]
    every: list[str]
    own: list[str]
    other: list[str]
    more: list[str]
    kinds: list[str]
    half: list[str]
    most: list[str]
    numbers: dict[str, int]
    pronouns: dict[str, str]
    recipients: list[str]
    elsewhere: list[str]
    fillers: list[str]
    politeness: list[str]
    particles: list[str]
    negation: list[str]
    leave_alone: list[str]
    that_kind: list[str]
    alone: list[str]
    unsupported: list[str]
    circumstances: list[str]
    meanwhile: list[str]
    effects: list[str]
    results: list[str]
    happened: list[str]
    comments: list[str]
    no_adverbs: list[str]
    correction: list[str]
    mild_correction: list[str]
    reasons: list[str]
    waits: list[str]
    third_person: list[str]
    subjects: list[str]
    states: dict[str, list[str]]
    choosing: list[str]
    liquids: list[str]
    walls: list[str]
    floor: list[str]
    house: list[str]
    adjectives_ignored: list[str]
    unseen: list[str]
    colors: list[str]
    materials: list[str]
    superlatives: dict[str, str]
    same_value: dict[str, str]
    color_families: dict[str, list[str]]
    vessels: list[str]
    containers: list[str]
    not_ready: dict[str, list[str]]
    pieces: list[str]
    units: list[str]
    parts: list[str]
    positions: list[str]
    regions: list[str]
    surfaces: list[str]
    ends: list[str]
    features: list[str]
    mass_nouns: list[str]
    plain_nouns: list[str]
    general_nouns: dict[str, str]
    synonyms: dict[str, str]
    vague_nouns: dict[str, str]
    rooms: dict[str, list[str]]
    irregular_plurals: dict[str, str]

    @cached_property
    def tags(self) -> Mapping[Words, dict[str, str]]:
        """Phrase: its possible tags, each with a value (the frame of a verb, the relation of a preposition...)."""
        out: dict[Words, dict[str, str]] = {}
        for tag, phrase, value in self._entries():
            out.setdefault(tuple(phrase.split()), {}).setdefault(tag, value)
        return out

    @cached_property
    def longest(self) -> int:
        """Words in the longest phrase."""
        return max(len(phrase) for phrase in self.tags)

    @cached_property
    def state_of(self) -> Mapping[str, str]:
        """The state that an adjective means."""
        return {word: state for state, words in self.states.items() for word in words}

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

    def qualifies(self, word: str) -> bool:
        """Whether it says which thing is meant before it says what it is: red, big, clean, nice."""
        return word in self._adjectives

    def says_how(self, word: str) -> bool:
        """Whether it is an adverb that changes nothing: thoroughly."""
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

    def _entries(self) -> Iterator[tuple[str, str, str]]:
        """What kind of word it is, the word, and what it means."""
        yield from self._verbs()
        for relation, phrases in self.prepositions.items():
            yield from (("preposition", phrase, relation) for phrase in phrases)
        for phrase, number in self.numbers.items():
            yield "number", phrase, str(number)
        for phrase, meaning in self.pronouns.items():
            yield "pronoun", phrase, meaning
        for state, adjectives in self.states.items():
            yield from (("state", phrase, state) for phrase in adjectives)
        for verb, base in self.split_verbs.items():
            yield "split", verb, base
        for tag in _PLAIN:
            yield from ((tag, phrase, phrase) for phrase in getattr(self, tag))
        yield from self._purposes()

    def _verbs(self) -> Iterator[tuple[str, str, str]]:
        for frame, phrases in self.verbs.items():
            for phrase in phrases:
                yield "verb", phrase, frame
                yield "verb", gerund(phrase), frame
                yield "participle", self._participle(phrase), frame
        for verb, (action, frame) in product(self.undertakings, self.actions.items()):
            if action.endswith("ing"):  # finish receiving the apples
                yield "verb", f"{verb} {action}", frame
            for said in (f"the {action} of", f"{action} of", f"the {action}", f"its {action}", f"their {action}"):
                yield "verb", f"{verb} {said}", frame

    def _purposes(self) -> Iterator[tuple[str, str, str]]:
        for name, use in uses().items():
            yield from (("use", phrase, name) for phrase in use.phrases if phrase not in self._adjectives)
            yield from (("wish", phrase, name) for phrase in use.wishes)
        for name, occasion in occasions().occasions.items():
            yield from (("occasion", phrase, name) for phrase in occasion.phrases)

    @cached_property
    def _adjectives(self) -> set[str]:
        """What says which thing is meant before it says what it is good for: ``a warm tomato``."""
        return {*self.state_of, *self.adjectives_ignored, *self.colors, *self.materials, *self.superlatives}

    def _participle(self, phrase: str) -> str:
        verb, _, rest = phrase.partition(" ")
        past = self.past.get(verb) or (f"{verb}d" if verb.endswith("e") else f"{_doubled(verb)}ed")
        past = re.sub(r"([^aeiou])yed$", r"\1ied", past)
        return f"{past} {rest}".strip()


@cache
def default_lexicon() -> Lexicon:
    return load(Lexicon, Path(__file__).with_name("lexicon.yaml"))


def gerund(phrase: str) -> str:
    """``picking up`` of ``pick up``"""
    verb, _, rest = phrase.partition(" ")
    verb = verb[:-1] if verb.endswith("e") and not verb.endswith("ee") else _doubled(verb)
    return f"{verb}ing {rest}".strip()


def _doubled(verb: str) -> str:
    return verb + verb[-1] if re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", verb) else verb
