"""What training never sees: categories, with all that they are called, and forms of sentences."""

from __future__ import annotations

import zlib
from functools import cache
from typing import Literal

from dadu.knowledge.lexicon import default_lexicon
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.world.graph import Kind

FormSplit = Literal["train", "validation", "test"]
_HELD_OUT, _FORMS = 8, 20
"""one category in so many, and two forms, are only spoken of and used for testing"""


def is_held_out(name: str) -> bool:
    """True of a category or another name that is kept out of training. The same for `mugs` and `mug`."""
    return zlib.crc32(default_lexicon().singular(name.split()[-1]).encode()) % _HELD_OUT == 0


def kept_out(category: str) -> bool:
    """True where objects of that category are kept out of training."""
    return is_held_out(category.replace("_", " "))


def may_be_taught(name: str) -> bool:
    """True where training may speak of objects by that name: it is none of a category that is kept out, neither its own
    nor another (*phone* of cellphone), in the singular or the plural, and is not kept out by itself."""
    *before, last = name.split()
    singular = " ".join((*before, default_lexicon().singular(last)))
    return not is_held_out(name) and not {name, singular} & _never_said()


def split_of(form: str) -> tuple[int, FormSplit]:
    """A form's number, crc32, and which split its sentences are in; `dadu.learning.plans.store.RULE` tells people."""
    number = zlib.crc32(form.encode())
    kept: dict[int, FormSplit] = {0: "test", 1: "validation"}
    return number, kept.get(number % _FORMS, "train")


@cache
def _never_said() -> frozenset[str]:
    """All names of the categories that are kept out."""
    return frozenset(" ".join(words) for category, entry in default_vocabulary().entries.items()
                     if entry.kind is Kind.OBJECT and kept_out(category) for words in (entry.name, *entry.aliases))
