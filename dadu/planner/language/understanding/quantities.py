"""How many of what there is: two kinds of drinks, half of the books."""

from __future__ import annotations

from dadu.memory.graph import Entity
from dadu.planner.goal import Description
from dadu.planner.language.reading.syntax import Noun
from dadu.planner.language.refusal import NotSeen, Refusal


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
