"""How many tokens a text is, without the model's tokenizer: an estimate that errs upwards for a prompt, and by a few
at most downwards for a short text full of ids.

A byte-pair vocabulary of 100,000 and more (Llama 3, Qwen) has most short words, with the blank before them, as one
token and merges runs of punctuation; here every mark, digit and underscore counts, and a word counts once every seven
letters, one in capitals (``SUCCEEDED`` is SU-CC-EE-DED) every two and a half.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache

_PIECES = re.compile(r"[A-Za-z]+|\n+|\d|_|[^\w\s]|[^\x00-\x7f]")
_LETTERS = 7
"""of a word that are taken as one token"""
_CAPITALS = 2.5
"""the same of a word in capitals"""


@lru_cache(maxsize=4096)
def estimate(text: str) -> int:
    """About as many tokens as a tokenizer of today makes of English text, ids and JSON, rather more."""
    return sum(map(_tokens, _PIECES.findall(text)))


@lru_cache(maxsize=65536)
def _tokens(piece: str) -> int:
    if not piece.isascii():
        return 2
    if not piece.isalpha():
        return 1
    return math.ceil(len(piece) / (_CAPITALS if piece.isupper() and len(piece) > 2 else _LETTERS))


def clip(text: str, budget: int) -> str:
    """`text` in at most `budget` tokens, cut between words, with ``...`` where something was left out."""
    if estimate(text) <= budget:
        return text
    words = text.split(" ")
    while words and estimate(" ".join(words) + " ...") > budget:
        words.pop()
    return (" ".join(words) + " ...").strip() if words else ""
