"""Open doors and drawers as obstacles: the static map has every part closed, the world graph knows what stands open."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from dadu.core.geometry import Vector2, rotation_z
from dadu.world.graph import Articulation, Entity, WorldGraph
from dadu.world.handles import LEAF_END

_AJAR = 0.05  # values below this share of the range count as closed


def open_parts(graph: WorldGraph, without: str = "") -> list[np.ndarray]:
    """Outlines on the floor, each (4, 2) [m] in map, of all parts that stand open, `without` those of one entity."""
    return [part_outline(entity, part, part.value) for entity in graph if entity.id != without
            for part in entity.parts if _stands_open(part)]


def open_pieces(graph: WorldGraph, place: Vector2) -> list[Entity]:
    """What stands open, the nearest to `place` (2,) [m, map] first."""
    pieces = [entity for entity in graph if any(map(_stands_open, entity.parts))]
    return sorted(pieces, key=lambda entity: math.dist(entity.position[:2], place))


def shut_copy(graph: WorldGraph, id: str) -> WorldGraph:
    """A copy in which nothing of one entity stands open."""
    shut = graph.copy()
    shut.change(id, parts=tuple(replace(part, value=0.0) for part in graph[id].parts))
    return shut


def _stands_open(part: Articulation) -> bool:
    return part.value > _AJAR * part.range


def part_outline(entity: Entity, part: Articulation, value: float) -> np.ndarray:
    """(4, 2) [m] in map: what a part covers on the floor when it stands at `value` [rad or m]."""
    normal = np.array(part.normal[:2]) / max(np.linalg.norm(part.normal[:2]), 1e-9)
    if part.kind == "slide":
        return _drawer(entity, part, normal, value)
    return _leaf(part, normal, value)


def _leaf(part: Articulation, normal: np.ndarray, value: float) -> np.ndarray:
    """A door of the hinge-to-handle length and a little more, from its inner face, at whose edge the hinge lies, to its
    bar."""
    hinge, handle = np.array(part.origin[:2]), np.array(part.handle[:2])
    along = np.array([-normal[1], normal[0]])
    along *= np.sign(along @ (handle - hinge)) or 1.0
    length = float(along @ (handle - hinge)) + LEAF_END
    front = max(float(normal @ (handle - hinge)), 0.02)
    corners = np.array([[0.0, 0.0], [length, 0.0], [length, front], [0.0, front]])
    closed = corners @ np.stack([along, normal])
    turn = rotation_z(value * np.sign(part.axis[2]))[:2, :2]
    return closed @ turn.T + hinge


def _drawer(entity: Entity, part: Articulation, normal: np.ndarray, value: float) -> np.ndarray:
    """A drawer pulled out by `value`, as wide as the furniture."""
    handle = np.array(part.handle[:2])
    along = np.array([-normal[1], normal[0]])
    half = entity.size[1] / 2
    middle = handle + along * (along @ (np.array(entity.position[:2]) - handle))
    out = normal * (value + 0.02)
    return np.array([middle - along * half, middle - along * half + out, middle + along * half + out,
                     middle + along * half])
