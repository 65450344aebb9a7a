"""Constrained decoding: whatever the network prefers, what comes of it is frames."""

import math
import random

import numpy as np
import pytest

from dadu.core.errors import ConfigError
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.language.frames.schema import from_json, to_json
from dadu.language.learned.codec import to_symbols, to_utterance
from dadu.language.learned.reader import LearnedReader, write
from dadu.language.learned.sentence import KnownNames, WordVectors, words_of
from dadu.language.learned.slots import END, frame_types, number_of, vocabulary
from dadu.language.learned.writing import LONGEST, Writing

WORDS = [f"w{i}" for i in range(9)]


class Dice:
    """Prefers anything; the longer it goes on, the more it wants to end."""

    def __init__(self, seed):
        self.rng, self.written = np.random.default_rng(seed), 0

    def scores(self, before):
        found = np.log(self.rng.random(len(vocabulary()) + len(WORDS)))
        self.written += 1
        for symbol in (")", END):
            found[number_of()[symbol]] += self.written / 20
        return found


@pytest.mark.parametrize("seed", range(40))
def test_random_weights_write_frames(seed):
    found = write(Dice(seed), len(WORDS))
    if found is None:
        return
    writing, symbols, told = found
    assert len(symbols) == len(told) <= LONGEST
    read = to_utterance(writing, WORDS)
    assert read.frames and from_json(to_json(read)) == read
    assert to_symbols(writing.frames, lambda span: span) == symbols


def test_most_of_them_end():
    assert sum(write(Dice(seed), len(WORDS)) is not None for seed in range(40)) > 30


def test_there_is_always_something_to_write():
    rng = random.Random(0)
    for _ in range(50):
        writing = Writing(len(WORDS))
        for _ in range(80):
            if writing.done:
                break
            allowed = writing.allowed()
            assert allowed and len(allowed) == len(set(allowed))
            writing.push(rng.choice(allowed))


def test_a_sentence_is_written_by_hand():
    number, size = number_of(), len(vocabulary())
    said = ["move:", "what(", "name", 2, 2, "determiner=indefinite", ")", "to(", "preposition=on", "nouns(", "name", 5,
            6, ")", ")", ")", "end"]
    writing = Writing(7)
    for one in said:
        symbol = size + one if isinstance(one, int) else number[one]
        assert symbol in writing.allowed(), one
        writing.push(symbol)
    read = to_utterance(writing, ["put", "a", "mugs", "on", "the", "coffee", "tables"])
    (frame,) = read.frames
    assert frame.what[0].name == "mug" and frame.what[0].text == "a mugs"
    assert frame.to[0].nouns[0].name == "coffee table" and frame.to[0].nouns[0].text == "the coffee tables"


def test_the_last_word_is_not_before_the_first():
    number, size = number_of(), len(vocabulary())
    writing = Writing(5)
    for symbol in (number["remark:"], number["text"], size + 3):
        writing.push(symbol)
    assert writing.allowed() == [size + 3, size + 4]


def test_nobody_asks_back_but_grounding():
    assert "ask_back:" not in frame_types() and len(frame_types()) == 13


def test_words_and_names():
    words = words_of("Don't put the Coffee-Tables, into my kitchen!")
    assert words == ["don't", "put", "the", "coffee", "tables", ",", "into", "my", "kitchen", "!"]
    marks = KnownNames(default_vocabulary()).marks(words)
    assert marks[3] == 3 and marks[4] == 4 and marks[8] == 5 and not marks[[0, 1, 2, 5, 6, 7, 9]].any()
    vectors = WordVectors().vectors(words)
    assert vectors.shape == (10, 768) and vectors.dtype == np.float32 and not math.isnan(vectors.sum())


def test_a_file_that_is_none(tmp_path):
    (tmp_path / "x.zip").write_bytes(b"no")
    for path in (tmp_path / "x.zip", tmp_path / "y.zip"):
        with pytest.raises(ConfigError, match="holds no learned interpreter"):
            LearnedReader(path)
