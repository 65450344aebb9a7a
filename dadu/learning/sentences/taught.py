"""Which categories training never sees, and what it therefore never says."""

from __future__ import annotations

from functools import cache

from dadu.knowledge.lexicon import default_lexicon
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.learning.sentences.names import is_held_out
from dadu.world.graph import Kind


def kept_out(category: str) -> bool:
    """Whether objects of that category are kept out of training."""
    return is_held_out(category.replace("_", " "))


def may_be_taught(name: str) -> bool:
    """Whether training may speak of objects by that name: it is none of a category that is kept out, neither its own
    nor another (*phone* of cellphone), in the singular or the plural, and is not kept out by itself."""
    *before, last = name.split()
    singular = " ".join((*before, default_lexicon().singular(last)))
    return not is_held_out(name) and not {name, singular} & _never_said()


@cache
def _never_said() -> frozenset[str]:
    """All names of the categories that are kept out."""
    return frozenset(" ".join(words) for category, entry in default_vocabulary().entries.items()
                     if entry.kind is Kind.OBJECT and kept_out(category) for words in (entry.name, *entry.aliases))
