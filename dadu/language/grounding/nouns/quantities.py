"""How many are meant: two, all, half of the books, two kinds of drinks."""

from __future__ import annotations

from dadu.goals.goal import Description
from dadu.knowledge.lexicon import Lexicon
from dadu.language.frames.noun import NounPhrase
from dadu.language.refusal import NotSeen, Refusal
from dadu.world.graph import Entity

_VAGUE = ("something", "anything", "thing", "item", "object")


def is_indefinite(np: NounPhrase) -> bool:
    return np.determiner in ("indefinite", "none") or np.quantity.amount == "some"


def is_every(np: NounPhrase, lexicon: Lexicon) -> bool:
    """Whether all of them are meant: each cup, the cups, the cutlery."""
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


def counted(np: NounPhrase, told: Description, found: list[Entity]) -> tuple[list[Entity], int]:
    """Those that are meant, and how many of them. Errors: Refusal where that cannot be said yet, or not evenly."""
    text, quantity = np.text or np.name, np.quantity
    if not found:
        raise NotSeen(f"I have seen none of {text!r} yet, so I cannot count them", [text], told)
    if quantity.amount == "half":
        if len(found) % 2:
            raise Refusal(f"there are {len(found)} of {text!r}, which has no half; say how many", [text])
        return found, len(found) // 2
    first: dict[str, Entity] = {}
    for entity in found:
        first.setdefault(entity.category, entity)
    number = quantity.number or len(first)
    if len(first) < number:
        raise Refusal(f"there are only {len(first)} kinds of {text!r}: {', '.join(first)}", [text])
    return list(first.values()), number
