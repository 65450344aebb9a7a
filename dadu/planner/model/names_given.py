"""What a conversation has told of the world, and what not yet: a model can only name what it was told."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from functools import lru_cache

from dadu.knowledge.vocabulary import Vocabulary
from dadu.planner.model.brief import names_said
from dadu.planner.policies.policy import Turn
from dadu.world.graph import Entity, Kind

_NAMED = (Kind.ROOM, Kind.FURNITURE, Kind.OBJECT)
_WORD = re.compile(r"\w+")


def names_in(text: str) -> frozenset[str]:
    """Every word of it; ids are such."""
    return frozenset(_WORD.findall(text))


def untold(turn: Turn, told: Collection[str]) -> list[Entity]:
    """What there is and was not told, by `concern`."""
    found = [e for e in turn.graph if e.id not in told and e.kind in _NAMED]
    matters = concern(turn) if found else None
    return sorted(found, key=lambda e: (matters(e.id), e.id)) if matters is not None else found


def concern(turn: Turn) -> Callable[[str], int]:
    """How little a thing has to do with the instruction, by what words are called, which need not be its id's: 0 what
    may be called so, 1 what is on or in such a piece, 2 other places, 3 the rest."""
    graph, kinds = turn.graph, _kinds(turn.instruction, turn.vocabulary)

    def of(id: str) -> int:
        entity, edge = graph.entities.get(id), graph.support(id)
        holder = graph.entities.get(edge.object) if edge is not None else None
        if entity is not None and entity.category in kinds:
            return 0
        if holder is not None and holder.category in kinds:
            return 1
        return 2 if entity is not None and entity.kind is not Kind.OBJECT else 3
    return of


@lru_cache(maxsize=16)
def _kinds(instruction: str, vocabulary: Vocabulary) -> frozenset[str]:
    return frozenset(entry.category for entries in names_said(instruction, vocabulary) for entry in entries)
