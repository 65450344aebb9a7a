"""What a conversation has told of the world, and what not yet: a model can only name what it was told."""

from __future__ import annotations

import re
from collections.abc import Collection

from dadu.planner.model.brief import kinds_named
from dadu.planner.policies.policy import Turn
from dadu.world.graph import Entity, Kind

_NAMED = (Kind.ROOM, Kind.FURNITURE, Kind.OBJECT)
_WORD = re.compile(r"\w+")


def names_in(text: str) -> frozenset[str]:
    """Every word of it; ids are such."""
    return frozenset(_WORD.findall(text))


def untold(turn: Turn, told: Collection[str]) -> list[Entity]:
    """What there is and was not told: things of a kind that the instruction names first, then places, then the rest."""
    found = [e for e in turn.graph if e.id not in told and e.kind in _NAMED]
    if not found:
        return []
    named = frozenset[str]().union(*kinds_named(turn.instruction, turn.vocabulary))
    return sorted(found, key=lambda e: (e.category not in named, e.kind is Kind.OBJECT, e.id))
