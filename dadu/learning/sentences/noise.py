"""How people write: slips of the finger, commas left out."""

from __future__ import annotations

import random
from collections.abc import Sequence

from dadu.learning.sentences.speaker import Said

_SLIPS = 0.12
"""share of sentences with slips of spelling"""
_NO_COMMAS = 0.2
_MARKS = frozenset(",.!?;:")


def as_written(words: Sequence[Said], rng: random.Random) -> list[Said]:
    """The same words, some of them changed in place; marks may be missing."""
    if rng.random() < _NO_COMMAS:
        words = [word for word in words if word.text != ","]
    while words and words[0].text in _MARKS:
        words = words[1:]
    if rng.random() < _SLIPS:
        long = [word for word in words if len(word.text) > 3]
        for word in rng.sample(long, min(len(long), rng.choice((1, 1, 2)))):
            word.text = _slipped(word.text, rng)
    return list(words)


def _slipped(text: str, rng: random.Random) -> str:
    """With two letters swapped, one left out, or one doubled; never the first."""
    at = rng.randrange(1, len(text) - 1)
    kind = rng.randrange(3)
    if kind == 0:
        return text[:at] + text[at + 1] + text[at] + text[at + 2:]
    return text[:at] + text[at + 1:] if kind == 1 else text[:at] + text[at] + text[at:]
