"""One sentence of the data: its words, the symbols that write its frames, and which split it is in."""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable, Sequence
from typing import Literal

from dadu.core.config import Settings
from dadu.language.learned.codec import to_symbols
from dadu.learning.sentences.speaker import Said, Span
from dadu.learning.sentences.talk import instruction

FormSplit = Literal["train", "validation", "test"]
Split = Literal["train", "validation", "test", "names"]
"""validation and test: forms that training lacks; names: categories that training lacks"""
SPLITS: tuple[Split, ...] = ("train", "validation", "test", "names")
RULE = ("a sentence is in validation or test where crc32(form) % 20 is 1 or 0; its form is its words with a mark for "
        "each that the frames point at. Every 20th sentence speaks of kept-out categories and is in names")
_NAMES_EVERY, _FORMS = 20, 20


class SentenceExample(Settings):
    """One line of a shard."""

    text: str
    symbols: tuple[int, ...]
    """of `dadu.language.learned.slots`"""
    form: int
    """crc32 of the form"""
    split: Split


def example(seed: int, index: int) -> SentenceExample:
    """The sentence of that number; the same every time."""
    held_out = index % _NAMES_EVERY == 0
    words, frames, form = instruction(random.Random(f"{seed}:{index}"), held_out)
    number, split = split_of(form)
    symbols = tuple(to_symbols(frames, pointed(words)))
    return SentenceExample(text=" ".join(word.text for word in words), symbols=symbols, form=number,
                           split="names" if held_out else split)


def split_of(form: str) -> tuple[int, FormSplit]:
    """A form's number, and which split its sentences are in."""
    number = zlib.crc32(form.encode())
    kept: dict[int, FormSplit] = {0: "test", 1: "validation"}
    return number, kept.get(number % _FORMS, "train")


def pointed(words: Sequence[Said]) -> Callable[[Span], tuple[int, int]]:
    """First and last of the words that something points at."""
    at = {id(word): i for i, word in enumerate(words)}

    def span(said: Span) -> tuple[int, int]:
        return at[id(said.words[0])], at[id(said.words[-1])]
    return span
