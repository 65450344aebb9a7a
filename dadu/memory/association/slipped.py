"""What slipped from the hand lies near by: where that is only guessed, the next such thing that turns up is it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from dadu.memory.association.matching import colors_differ
from dadu.world.graph import Entity, Kind, WorldGraph
from dadu.world.support import SupportSettings, place_entity

GUESS = 0.5
"""confidence, at most, in where something is that slipped from the hand"""
FELT = 3.0
"""after so long [s] at most the fingers' being empty is felt: it may have been seen lying before"""
FALL = 1.0
"""from below the hand, as far away it may come to lie [m]"""


def unite(graph: WorldGraph, id: str, births: Mapping[str, float], settings: SupportSettings) -> str | None:
    """Where `id` is only guessed to lie, it takes the place of what turned up near by and could be it; the id of that,
    which is no more. `births`: when things were first seen [s]. How large it looks does not count: what fell is seen
    half hidden, or from its end.
    """
    if id not in graph or not _is_guess(graph[id]):
        return None
    slipped = graph[id]
    near = [(_away(e, slipped), e.id) for e in graph.of(Kind.OBJECT)
            if births.get(e.id, -np.inf) >= slipped.stamp - FELT and _could_be(e, slipped)]
    if not near or min(near)[0] > FALL:
        return None
    found = min(near)[1]
    seen = graph[found]
    graph.set_support(id, None)
    graph.remove(found)
    graph.put(replace(seen, id=id, aliases=slipped.aliases, attributes=slipped.attributes | seen.attributes))
    place_entity(graph, id, settings)
    return found


def _is_guess(entity: Entity) -> bool:
    return entity.provenance == "skill" and entity.confidence <= GUESS


def _could_be(entity: Entity, slipped: Entity) -> bool:
    return (entity.id != slipped.id and entity.category == slipped.category
            and not colors_differ(entity.attributes, slipped.attributes))


def _away(a: Entity, b: Entity) -> float:
    """[m], on the floor"""
    return float(np.linalg.norm(np.subtract(a.position, b.position)[:2]))
