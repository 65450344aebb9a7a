"""What change of the graph is worth telling the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from dadu.core.geometry import wrap
from dadu.world.graph import Edge, Entity, Kind, WorldGraph

DISTANCE, ANGLE = 0.05, 0.1
"""the robot's and a held thing's movements that are told [m], [rad]"""


@dataclass(frozen=True)
class GraphSnapshot:
    """A graph at a moment; entities are immutable, so this is cheap."""

    entities: Mapping[str, Entity]
    edges: frozenset[Edge]


def snapshot(graph: WorldGraph) -> GraphSnapshot:
    return GraphSnapshot(dict(graph.entities), frozenset(graph.edges))


def differ(before: GraphSnapshot, now: GraphSnapshot) -> bool:
    """True if more has changed than times, evidence, and centimetres of the robot's way."""
    if before.edges != now.edges or before.entities.keys() != now.entities.keys():
        return True
    return any(e is not before.entities[id] and _told(before.entities[id], e) for id, e in now.entities.items())


def _told(before: Entity, now: Entity) -> bool:
    if now.kind is Kind.AGENT:
        shift = sum(abs(a - b) for a, b in zip(before.position, now.position, strict=True))
        return shift > DISTANCE or abs(wrap(before.yaw - now.yaw)) > ANGLE
    return replace(before, stamp=now.stamp, pixels=now.pixels) != now
