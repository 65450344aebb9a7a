"""Contractions in full, whatever the order in which they are written down."""

import random
import re

import pytest

from dadu.language.parsing import tokens

SAID = {
    "don't": "do not", "can't": "can not", "cannot": "can not", "won't": "will not", "let's go": "let us go",
    "i'm here": "i am here", "they're": "they are", "we've": "we have", "i'll": "i will", "you'd": "you would",
    "it's": "it is", "where's the mug": "where is the mug", "she's": "she is", "kids' toys": "kids toys",
    "the child's mug": "the childs mug", "the cabinet's door": "the cabinets door",
}


@pytest.mark.parametrize("seed", [None, 1, 2, 3])
def test_they_are_read_in_full(seed, monkeypatch):
    if seed is not None:
        parts = tokens._CONTRACTED.pattern.split("|")
        random.Random(seed).shuffle(parts)
        monkeypatch.setattr(tokens, "_CONTRACTED", re.compile("|".join(parts)))
    assert {said: tokens._plain(said) for said in SAID} == SAID


def test_none_begins_as_another_one_does():
    assert not [(a, b) for a in tokens._CONTRACTIONS for b in tokens._CONTRACTIONS if a != b and b.startswith(a)]
