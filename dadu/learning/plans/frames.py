"""From what a speaker said to frames and to a line of text."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from dadu.language.frames.frame import Utterance
from dadu.language.learned.codec import to_symbols, to_utterance
from dadu.language.learned.writing import Writing
from dadu.learning.sentences.example import pointed
from dadu.learning.sentences.noise import as_written
from dadu.learning.sentences.speaker import Phrase, Said

_CAPITAL = 0.5
"""share of sentences that begin with one"""


def utterance_of(phrase: Phrase) -> Utterance:
    """What was meant, in words as they are spelt rightly."""
    words = [word.text for word in phrase.words]
    writing = Writing(len(words))
    for symbol in to_symbols(phrase.meaning, pointed(phrase.words)):
        writing.push(symbol)
    return to_utterance(writing, words)


def text_of(words: Sequence[Said], slips: bool, rng: random.Random) -> str:
    """As somebody types it; with `slips` of spelling now and then. The words may be changed in place."""
    words = as_written(words, rng) if slips else words
    text = re.sub(r" +([,.;:!?])", r"\1", " ".join(word.text for word in words)).strip(" ,;:")
    return text[:1].upper() + text[1:] if rng.random() < _CAPITAL else text
