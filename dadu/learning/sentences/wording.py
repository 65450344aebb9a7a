"""From what a speaker said to frames, and to a line of text as somebody types it."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from dadu.knowledge.lexicon import default_lexicon
from dadu.language.frames.frame import Utterance
from dadu.language.frames.schema import from_json
from dadu.learning.sentences.speaker import Phrase, Said, Span

_CAPITAL = 0.5
"""share of sentences that begin with one"""
_SLIPS, _NO_COMMAS = 0.12, 0.2
"""share of sentences with slips of spelling, and without commas"""
_MARKS = frozenset(",.!?;:")
_BEFORE = frozenset("a an the my your this that these those all some another both".split())
"""words before a noun that belong to what it is called in a question"""
_CALLED = frozenset({"what", "nouns", "to", "source", "places", "at", "using", "ask"})
"""fields whose values tell by which words they were said"""


def utterance_of(phrase: Phrase) -> Utterance:
    """What was meant, in words as they are spelt rightly."""
    words = [word.text for word in phrase.words]
    at = {word: i for i, word in enumerate(phrase.words)}
    return from_json(json.dumps({"frames": [_told(frame, "frame", words, at)[0] for frame in phrase.meaning]}))


def text_of(words: Sequence[Said], slips: bool, rng: random.Random) -> str:
    """As somebody types it; with `slips` of spelling now and then, and commas left out."""
    said = _as_written([word.text for word in words], rng) if slips else [word.text for word in words]
    text = re.sub(r" +([,.;:!?])", r"\1", " ".join(said)).strip(" ,;:")
    return text[:1].upper() + text[1:] if rng.random() < _CAPITAL else text


def _told(value: Any, name: str, words: Sequence[str], at: Mapping[Said, int]) -> tuple[Any, list[int]]:
    """A part of the meaning that stands in field `name`, with words in the place of spans; and where these stand."""
    if isinstance(value, Span):
        said = [word.text for word in value.words]
        if name == "name":  # in the singular: of bags of rice it is the bags that are several
            head = said.index("of") - 1 if "of" in said[1:] else -1
            said[head] = default_lexicon().singular(said[head])
        return " ".join(said), [at[word] for word in value.words]
    if not isinstance(value, (list, dict)):
        return value, []
    items = list(value.items()) if isinstance(value, dict) else [(name, item) for item in value]
    parts = [_told(item, key, words, at) for key, item in items]
    covered = list(chain.from_iterable(places for _, places in parts))
    if isinstance(value, list):
        return [told for told, _ in parts], covered
    told = {key: part for (key, _), (part, _) in zip(items, parts)}
    if covered and name in _CALLED:
        first = min(covered)
        first -= len(_BEFORE.intersection(words[:first][-1:]))  # the article before it, where there is one
        told["text"] = " ".join(words[first:max(covered) + 1])
    return told, covered


def _as_written(words: Sequence[str], rng: random.Random) -> list[str]:
    """Some of them changed, marks left out."""
    kept = [word for word in words if word != ","] if rng.random() < _NO_COMMAS else list(words)
    while kept and kept[0] in _MARKS:
        del kept[0]
    if rng.random() < _SLIPS:
        long = [i for i, word in enumerate(kept) if len(word) > 3]
        for i in rng.sample(long, min(len(long), rng.choice((1, 1, 2)))):
            kept[i] = _slipped(kept[i], rng)
    return kept


def _slipped(text: str, rng: random.Random) -> str:
    """With two letters swapped, one left out, or one doubled; never the first."""
    at = rng.randrange(1, len(text) - 1)
    kind = rng.randrange(3)
    if kind == 0:
        return text[:at] + text[at + 1] + text[at] + text[at + 2:]
    return text[:at] + text[at + 1:] if kind == 1 else text[:at] + text[at] + text[at:]
