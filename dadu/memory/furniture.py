"""Furniture: sightings confirm what is known, and make what is not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dadu.geometry import Pose2
from dadu.memory.graph import Articulation, Edge, Entity, Kind, Relation, Surface, WorldGraph
from dadu.memory.parts import observed_value
from dadu.memory.settings import AssociationSettings
from dadu.memory.vocabulary import Vocabulary
from dadu.perception.detection import Detection

OPEN_ABOVE = 2.0
"""clearance given to the top of furniture whose surroundings are not known [m]"""
LEVEL = 0.03
"""points within this height belong to one level surface [m]"""
LEVEL_SHARE = 0.15
"""share of the points that makes a level a surface"""


def see_furniture(graph: WorldGraph, detections: Sequence[Detection], stamp: float, vocabulary: Vocabulary,
                  settings: AssociationSettings) -> None:
    """Brings the graph up to date with one picture's furniture."""
    for detection in detections:
        known = _nearest(graph, detection, settings)
        if known is not None:
            entity = replace(known, stamp=stamp, confidence=1.0, pixels=detection.pixels)
            if known.provenance == "detection":
                entity = _grown(entity, detection)
            graph.put(with_parts(entity, detection.points, detection.truncated))
        elif detection.pixels >= settings.furniture_pixels:
            _create(graph, detection, stamp, vocabulary)


def with_parts(entity: Entity, points: np.ndarray, truncated: bool = False) -> Entity:
    """The entity with its doors and drawers as they are seen."""
    parts = []
    for part in entity.parts:
        value = observed_value(part, points, truncated)
        settled = value is None or abs(value - part.value) < 0.1 * part.range
        parts.append(part if settled else replace(part, value=value))
    return entity if tuple(parts) == entity.parts else with_open_state(replace(entity, parts=tuple(parts)))


def with_open_state(entity: Entity) -> Entity:
    """`is_open` as the parts have it."""
    return replace(entity, states=entity.states | {"is_open": any(part.open for part in entity.parts)})


def _nearest(graph: WorldGraph, detection: Detection, settings: AssociationSettings) -> Entity | None:
    """The known piece of that category whose outline, widened by the margin and by how far its parts swing or slide out
    (an open door may be all that is in the picture), holds what is seen."""
    def outside(entity: Entity) -> float:
        low, high = entity.bounds()
        c = detection.centroid
        return float(np.linalg.norm(np.maximum(np.maximum(low - c, c - high), 0)))

    alike = [e for e in graph.of(Kind.FURNITURE) if e.category == detection.label]
    best = min(alike, key=lambda e: (outside(e), float(np.hypot(*np.subtract(e.position[:2], detection.centroid[:2])))),
               default=None)
    if best is None or outside(best) > settings.furniture_margin + max(map(_swing, best.parts), default=0.0):
        return None
    return best


def _swing(part: Articulation) -> float:
    """How far a part comes out of its furniture [m]."""
    if part.kind == "slide":
        return part.range
    return 1.2 * float(np.hypot(*np.subtract(part.handle[:2], part.origin[:2])))


def _create(graph: WorldGraph, detection: Detection, stamp: float, vocabulary: Vocabulary) -> None:
    id = unused_id(graph, detection.label)
    low, high = detection.centroid - detection.size / 2, detection.centroid + detection.size / 2
    entity = Entity(id, Kind.FURNITURE, detection.label, attributes=dict(detection.attributes),
                    aliases=vocabulary.aliases(detection.label), provenance="detection", stamp=stamp,
                    confidence=detection.score, pixels=detection.pixels)
    graph.put(_with_box(entity, low, high, detection.points))
    room = graph.room_at(graph[id].position[:2])
    if room is not None:
        graph.edges.add(Edge(id, Relation.IN_ROOM, room.id))


def _grown(entity: Entity, detection: Detection) -> Entity:
    low, high = entity.bounds()
    seen_low, seen_high = detection.centroid - detection.size / 2, detection.centroid + detection.size / 2
    new_low, new_high = np.minimum(low, seen_low), np.maximum(high, seen_high)
    if max((low - new_low).max(), (new_high - high).max()) < LEVEL:
        return entity
    return _with_box(entity, new_low, new_high, detection.points)


def _with_box(entity: Entity, low: np.ndarray, high: np.ndarray, points: np.ndarray) -> Entity:
    """The entity standing on the floor in a box of the map, with the level surfaces that its points show."""
    (x, y, _), (dx, dy, _) = (low + high) / 2, high - low
    surfaces = _levels(points) or entity.surfaces
    return replace(entity, position=(float(x), float(y), 0.0), size=(float(dx), float(dy), float(high[2])),
                   surfaces=surfaces)


def _levels(points: np.ndarray) -> tuple[Surface, ...]:
    """Level surfaces among points (N, 3) [m, map]: heights at which many of them lie spread out, highest first."""
    bins = np.round(points[:, 2] / LEVEL).astype(int)
    surfaces: list[Surface] = []
    for level in np.flatnonzero(np.bincount(np.maximum(bins, 0)) > LEVEL_SHARE * len(points))[::-1]:
        mine = points[bins == level]
        low, high = mine[:, :2].min(axis=0), mine[:, :2].max(axis=0)
        if (high - low).min() < 0.15:
            continue  # the face of a panel, not a surface
        height = float(np.median(mine[:, 2]))
        clearance = surfaces[-1].height - height if surfaces else OPEN_ABOVE
        centre, size = (low + high) / 2, high - low
        surfaces.append(Surface(f"level_{len(surfaces)}" if surfaces else "top",
                                Pose2(float(centre[0]), float(centre[1]), 0.0), height,
                                (float(size[0]), float(size[1])), clearance))
    return tuple(surfaces)


def unused_id(graph: WorldGraph, category: str, taken: Sequence[str] = ()) -> str:
    """``category_N`` with the smallest N that is free."""
    n = 0
    while (id := f"{category}_{n}") in graph or id in taken:
        n += 1
    return id
