"""What a thing stands on, by the world graph: surfaces where they are now, drawers pulled out included."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from dadu.core.geometry import Pose2
from dadu.world.graph import Articulation, Entity, Kind, Relation, Surface, WorldGraph

OPEN_ABOVE = 2.0
"""clearance of what has nothing over it [m]"""
MARGIN = 0.04
"""beside a surface's edge a thing still counts as on it [m]"""


def surfaces(entity: Entity) -> Iterator[Surface]:
    """The entity's surfaces at the present values of its parts; of a drawer what stands out, open above."""
    for surface in entity.surfaces:
        part = entity.part_of(surface)
        if part is None or part.kind != "slide" or part.closed:
            yield surface
            continue
        exposed = min(surface.size[0], part.value)
        front = entity.surface_pose(surface) * Pose2((surface.size[0] - exposed) / 2, 0.0, 0.0)
        yield replace(surface, pose=front, size=(exposed, surface.size[1]), clearance=OPEN_ABOVE)


def surface_below(graph: WorldGraph, point: ArrayLike, slack: float = 0.03) -> tuple[Entity, Surface] | None:
    """Furniture and surface right below `point` (3,) [m, map]: the highest that is at most `slack` above it."""
    height = np.asarray(point, float)[2]
    found = [(entity, surface) for entity in graph.of(Kind.FURNITURE) for surface in surfaces(entity)
             if surface.height <= height + slack and is_over(surface, point, MARGIN)]
    return max(found, key=lambda pair: pair[1].height, default=None)


def is_over(surface: Surface, point: ArrayLike, margin: float = 0.0) -> bool:
    """True if `point` lies above or below the surface's rectangle grown by `margin` [m]."""
    local = surface.pose.inverse().apply(np.asarray(point, float)[:2])
    return bool((np.abs(local) <= np.array(surface.size) / 2 + margin).all())


def barrier(graph: WorldGraph, entity: Entity) -> tuple[Entity, Articulation] | None:
    """The container and the closed part of it that keep a hand from an object, by what is known; or None."""
    edge = graph.support(entity.id)
    if edge is None or edge.relation is not Relation.IN or edge.object not in graph:
        return None
    container = graph[edge.object]
    surface = next((s for s in container.surfaces if s.name == edge.part), None)
    parts = [container.part_of(surface)] if surface is not None and surface.part else list(container.parts)
    shut = [part for part in parts if part is not None and not part.open]
    return (container, shut[0]) if shut and len(shut) == len(parts) else None
