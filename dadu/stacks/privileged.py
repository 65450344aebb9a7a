"""The privilege `states`: what is known of the world, as it truly is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from dadu.world.graph import Entity, Kind, WorldGraph
from dadu.world.state import ObjectState, WorldState

_SAME = 0.3
"""how far memory may be off for a thing to be the same [m]"""


def correct_states(graph: WorldGraph, truth: WorldState) -> list[Entity]:
    """Things and furniture of the graph whose states or open parts are truly others, put right. Furniture goes by the
    name that it was told under; a thing is the nearest of its category."""
    found = [_piece(e, truth) for e in graph.of(Kind.FURNITURE)] + [_thing(e, truth) for e in graph.of(Kind.OBJECT)]
    return [entity for entity in found if entity != graph[entity.id]]


def _piece(entity: Entity, truth: WorldState) -> Entity:
    parts = tuple(replace(p, value=_rounded(truth.parts.get(f"{entity.id}/{p.name}"), p.value)) for p in entity.parts)
    open = {"is_open": any(part.open for part in parts)} if parts else {}
    return _with(replace(entity, parts=parts), {**truth.furniture.get(entity.id, {}), **open})


def _thing(entity: Entity, truth: WorldState) -> Entity:
    alike = [body for body in truth.bodies.values() if body.category == entity.category]
    nearest = min(alike, key=lambda body: _away(entity, body), default=None)
    return entity if nearest is None or _away(entity, nearest) > _SAME else _with(entity, nearest.states)


def _with(entity: Entity, states: Mapping[str, bool]) -> Entity:
    return replace(entity, states={**entity.states, **states})


def _away(entity: Entity, body: ObjectState) -> float:
    return float(np.linalg.norm(body.box.centre - entity.position))


def _rounded(true: float | None, known: float) -> float:
    """The true value, where it is another one than is known: a door trembles [rad or m]."""
    return known if true is None or abs(true - known) < 0.01 else true
