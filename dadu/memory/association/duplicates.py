"""Two entities that are one thing after all: in one place, and never seen both in one picture."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np

from dadu.memory.association.alike import ALIKE, Looks, similarity
from dadu.memory.association.labels import NEAR, SURE, TOLERANCE
from dadu.memory.association.matching import colors_differ
from dadu.world.graph import Entity, Kind, WorldGraph


def occupy_same_place(a: Entity, b: Entity) -> bool:
    """True if two things would have to be inside each other."""
    away = float(np.linalg.norm(np.subtract(a.position, b.position)))
    largest = max(a.size), max(b.size)
    return (away <= TOLERANCE + NEAR * min(largest) and max(largest) <= 2 * min(largest)
            and not colors_differ(a.attributes, b.attributes))


def merge_duplicates(graph: WorldGraph, seen: Collection[str], births: Mapping[str, float],
                     apart: Collection[frozenset[str]], looks: Looks) -> list[tuple[str, str]]:
    """Drops what doubles one of the things just `seen`; the id that is older stays, where the newer was seen. Returns
    the ids that stayed and those dropped. Only things that were found by sight can be doubles, and what the fingers
    have hold of is none. `looks`: mean embeddings by id, of those that have one."""
    dropped: list[tuple[str, str]] = []
    in_picture = set(seen)
    held = graph.held()
    standing = births.keys() - ({held.id} if held is not None else set())
    for id in seen:
        for other in graph.of(Kind.OBJECT):
            if id not in graph or other.id in in_picture or not {id, other.id} <= standing or _far(graph[id], other):
                continue
            entity = graph[id]
            unsure = entity.category == other.category or min(entity.confidence, other.confidence) < SURE
            if unsure and frozenset((id, other.id)) not in apart and (
                    occupy_same_place(entity, other) or _alike(entity, other, looks)):
                dropped.append(_merge(graph, entity, other, births))
                in_picture.add(dropped[-1][0])  # that is what was seen now: nothing else in the picture is it, too
    return dropped


def _far(a: Entity, b: Entity) -> bool:
    """True if they certainly have no point in common: soon told, of most."""
    reach = max(a.size) + max(b.size) + TOLERANCE
    return any(abs(p - q) > reach for p, q in zip(a.position, b.position))


def _alike(a: Entity, b: Entity, looks: Looks) -> bool:
    """True if both together speak for one thing: where they are, and how they look."""
    if a.id not in looks or b.id not in looks or looks[a.id].shape != looks[b.id].shape:
        return False
    return (similarity(a.bounds(), b.bounds(), looks[a.id], looks[b.id]) >= ALIKE
            and not colors_differ(a.attributes, b.attributes))


def _merge(graph: WorldGraph, seen: Entity, other: Entity, births: Mapping[str, float]) -> tuple[str, str]:
    old, new = (seen, other) if births[seen.id] <= births[other.id] else (other, seen)
    edges = {replace(e, subject=old.id) for e in graph.edges if e.subject == seen.id}
    graph.remove(new.id)
    graph.edges = {e for e in graph.edges if e.subject != old.id} | edges
    graph.put(replace(seen, id=old.id, category=old.category, aliases=old.aliases,
                      attributes=other.attributes | seen.attributes))
    return old.id, new.id
