"""How many of what there is: two kinds of drinks, half of the books."""

from __future__ import annotations

from dadu.goals.goal import Description
from dadu.language.reading.syntax import Noun
from dadu.language.refusal import NotSeen, Refusal
from dadu.world.graph import Entity


def told_apart(noun: Noun, found: list[Entity], unseen: list[str]) -> dict[str, None]:
    """``the wet towel``: nothing tells whether it is, so there must be no other; a note that says so. Errors: Refusal
    where there is a choice."""
    words = [w for w in noun.words if w in unseen]
    if words and len(found) > (noun.number or 1):
        raise Refusal(f"I cannot tell which of {', '.join(e.id for e in found)} is {words[0]}; say which one", words)
    return {f"{' '.join(words)!r} is taken as said, I cannot tell": None} if words else {}


def enough(noun: Noun, found: int) -> bool:
    """Whether there are as many of it as are said; ``a pair of socks`` may be one thing."""
    return found >= (noun.number or 1) or found == 1 and is_pair(noun)


def is_pair(noun: Noun) -> bool:
    """``a pair of socks``: two, or one thing that is a pair."""
    return noun.number == 2 and "pair of" in noun.text


def counted(noun: Noun, description: Description, found: list[Entity]) -> tuple[list[Entity], int]:
    """Those that are meant, and how many of them. Errors: Refusal where that cannot be said yet, or not evenly."""
    if not found:
        raise NotSeen(f"I have seen none of {noun.text!r} yet, so I cannot count them", [noun.text], description)
    if noun.half:
        if len(found) % 2:
            raise Refusal(f"there are {len(found)} of {noun.text!r}, which has no half; say how many", [noun.text])
        return found, len(found) // 2
    first: dict[str, Entity] = {}
    for entity in found:
        first.setdefault(entity.category, entity)
    number = noun.number or len(first)
    if len(first) < number:
        raise Refusal(f"there are only {len(first)} kinds of {noun.words[-1]!r}, not {noun.text!r}: {', '.join(first)}",
                      [noun.text])
    return list(first.values()), number
