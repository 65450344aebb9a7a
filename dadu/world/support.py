"""What a thing stands on, from where it is."""

from __future__ import annotations

import numpy as np
from pydantic import NonNegativeFloat

from dadu.core.config import Settings
from dadu.world.graph import ROBOT, Edge, Entity, Kind, Relation, Surface, WorldGraph

_SUPPORT_GAP = 0.3
"""a thing's lowest visible point is at most this far above what it stands on, the rest being hidden [m]"""
_ARM = 0.6
"""about how far from their middle people hold things [m]"""


class SupportSettings(Settings):
    """When a thing stands on a surface."""

    support_tolerance: NonNegativeFloat = 0.05
    """its underside is at most this far below the surface, its top above the one over it [m]"""


def support_edge(graph: WorldGraph, entity: Entity, settings: SupportSettings) -> Edge | None:
    """``on`` or ``in`` a surface of furniture; else None: it lies on the floor, or nothing explains its height.

    The nearest surface below its underside counts; a larger gap is accepted, since the foot may be hidden.
    """
    low, high = entity.bounds()
    best: tuple[float, Edge] | None = None
    for furniture in graph.of(Kind.FURNITURE):
        for surface in furniture.surfaces:
            gap = float(low[2]) - surface.height
            if not -settings.support_tolerance <= gap <= _SUPPORT_GAP:
                continue
            if not _overlaps(furniture, surface, entity, low, high):
                continue
            if surface.inside and high[2] > surface.height + surface.clearance + settings.support_tolerance:
                continue
            if best is None or abs(gap) < best[0]:
                relation = Relation.IN if surface.inside else Relation.ON
                best = abs(gap), Edge(entity.id, relation, furniture.id, surface.name)
    floor_gap = float(low[2])
    if best is not None and abs(floor_gap) < best[0] and floor_gap <= settings.support_tolerance:
        return None
    return best[1] if best else None


def place_entity(graph: WorldGraph, id: str, settings: SupportSettings) -> bool:
    """Renews an object's support and room edges from its position; whether they changed."""
    entity = graph[id]
    before = edges_from(graph, id)
    edge = support_edge(graph, entity, settings) or _in_a_hand(graph, entity)
    graph.edges -= before
    if edge is not None:
        graph.edges.add(edge)
    else:
        room = graph.room_at(entity.position[:2])
        if room is not None:
            graph.edges.add(Edge(id, Relation.IN_ROOM, room.id))
    return before != edges_from(graph, id)


def _in_a_hand(graph: WorldGraph, entity: Entity) -> Edge | None:
    """``held_by`` whom a thing that is up in the air is beside; the robot feels what is in its own hand."""
    x, y, low = *entity.position[:2], entity.bounds()[0][2]
    others = {agent.id: float(np.hypot(agent.position[0] - x, agent.position[1] - y)) for agent in graph.of(Kind.AGENT)
              if agent.id != ROBOT}
    near = min((id for id in others if others[id] < _ARM), key=lambda id: others[id], default="")
    return Edge(entity.id, Relation.HELD_BY, near) if near and low > _SUPPORT_GAP else None


def drop_onto(graph: WorldGraph, entity: Entity, point: np.ndarray) -> tuple[float, float, float]:
    """Where the thing's centre comes to rest, let go of at `point` (3,) [m, map]: on the highest surface below."""
    x, y, z = (float(v) for v in point)
    half = entity.size[2] / 2
    levels = [s.height for f in graph.of(Kind.FURNITURE) for s in f.surfaces if s.height <= z and (
        np.abs(f.surface_pose(s).inverse().apply(np.array([[x, y]]))[0]) <= np.array(s.size) / 2).all()]
    return x, y, max(levels, default=0.0) + half


def edges_from(graph: WorldGraph, id: str) -> set[Edge]:
    return {edge for edge in graph.edges if edge.subject == id}


def _overlaps(furniture: Entity, surface: Surface, entity: Entity, low: np.ndarray, high: np.ndarray) -> bool:
    """True if the thing's centre is over the surface, give or take its own half width (things overhang)."""
    local = furniture.surface_pose(surface).inverse().apply(np.array([entity.position[:2]]))[0]
    slack = 0.03 if surface.inside else min(0.1, float(np.min(high[:2] - low[:2])) / 2)
    return bool((np.abs(local) <= np.array(surface.size) / 2 + slack).all())
