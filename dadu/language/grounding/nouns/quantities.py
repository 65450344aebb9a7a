"""How many are meant: two, all, some of the books."""

from __future__ import annotations

from dadu.knowledge.lexicon import Lexicon
from dadu.language.frames.noun import NounPhrase

_VAGUE = ("something", "anything", "thing", "item", "object")


def is_indefinite(np: NounPhrase) -> bool:
    return np.determiner in ("indefinite", "none") or np.quantity.amount == "some"


def is_every(np: NounPhrase, lexicon: Lexicon) -> bool:
    """True if all of them are meant: each cup, the cups, the cutlery."""
    quantity = np.quantity
    if quantity.number is not None or quantity.amount in ("half", "some", "most") or quantity.kinds:
        return False
    if quantity.amount in ("all", "each") or np.name == "everything":
        return True
    last = lexicon.normal(np.name)[-1:]
    if last and last[0] in _VAGUE and not np.plural or np.superlative and not np.plural or is_indefinite(np):
        return False
    return np.plural or bool(last) and last[0] in lexicon.mass_nouns


def number_of(np: NounPhrase) -> int:
    """At least two of what is in the plural."""
    quantity = np.quantity
    if quantity.number is not None:
        return quantity.number
    return 2 if quantity.amount == "both" or np.plural and is_indefinite(np) else 1
