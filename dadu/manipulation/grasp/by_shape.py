"""What stands on a surface, by depth alone: a detector that has named a thing from across the room need not know it
again from above, at arm's length, or takes it for several."""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from dadu.core.geometry import apply
from dadu.house.catalogue import furniture_categories
from dadu.manipulation.support import surface_below
from dadu.world.detection import DEPTH_STRIDE, Detection, DetectionFrame
from dadu.world.graph import Entity, Kind, Surface, WorldGraph

RISE, SLIGHT = 0.01, 0.006
"""what is so far above a surface stands on it; and where it does, what hangs together with it [m]"""
AROUND = 0.08
"""a thing that nobody has moved is seen at most so far from where it was seen before [m]"""
LARGER = 0.06
"""its extents in two views differ by at most as much [m]"""
LONGEST = 0.35
"""what hangs together and is longer is more than one thing [m]"""
FEWEST = 6
"""coarse pixels that a thing can be told from"""
CERTAIN = 0.5
"""score of a detection from which on it is a thing of its own, and what it is called"""
OWN, TOGETHER = 0.015, 0.03
"""what is seen so near to a detection's points belongs to it; parts of a thing so near to each other are one [m]"""
_LINK = 2.0
"""coarse pixels are of one thing that are apart by so many of their widths"""


def standing(frame: DetectionFrame, graph: WorldGraph, entity: Entity) -> np.ndarray | None:
    """(N, 3) [m, map]: what the picture shows of the thing that stands at the known place of `entity`, on the known
    surface there; None where nothing of its size does, and where it is known to be another one."""
    below = surface_below(graph, entity.position)
    if below is None:
        return None
    others = [d for d in frame.detections if _is_thing(d) and not d.may_be(entity.category)]
    reach = max(entity.size[:2]) / 2 + AROUND + LARGER
    alike = [points for points in _things(frame, below[1], np.array(entity.position), reach, others)
             if _is_as_large(points, below[1], entity)]
    nearest = min(alike, key=lambda points: _away(points, entity), default=None)
    if nearest is None or _away(nearest, entity) > AROUND or _is_another(nearest, graph, entity):
        return None
    return nearest


def whole(frame: DetectionFrame, graph: WorldGraph, seen: Detection) -> np.ndarray:
    """(N, 3) [m, map]: all that hangs together with what is seen of a thing that stands on a surface, without what
    is certainly another thing. What was seen alone, where that is certain, or the whole too long for one thing."""
    below = surface_below(graph, (*seen.centroid[:2], float(seen.points[:, 2].min())))
    if seen.score >= CERTAIN or below is None:
        return seen.points
    others = [d for d in frame.detections if d is not seen and _is_thing(d)]
    rest = [*(d.points.astype(float) for d in others if d.score < CERTAIN),
            *_things(frame, below[1], seen.centroid, LONGEST, others, SLIGHT)]
    points = seen.points.astype(float)
    while beside := [other for other in rest if cKDTree(points).query(other)[0].min() < TOGETHER]:
        points = np.concatenate([points, *beside])
        rest = [other for other in rest if not any(other is joined for joined in beside)]
    return points if np.ptp(points[:, :2], axis=0).max() < LONGEST else seen.points


def _is_thing(detection: Detection) -> bool:
    return detection.label not in furniture_categories() and len(detection.points) > 0


def _things(frame: DetectionFrame, surface: Surface, about: np.ndarray, reach: float, others: list[Detection],
            rise: float = RISE) -> list[np.ndarray]:
    """Points (N, 3) [m, map] of each thing on the surface, `rise` [m] or more above it, no farther than `reach` [m]
    from `about` (3,) [m, map], but for those of `others` that are certain."""
    corners, width = _pixels(frame)
    middles = corners.mean(axis=1)
    keep = _rises(middles, surface, rise) & (np.linalg.norm(middles[:, :2] - about[:2], axis=1) < reach)
    for other in others:
        if other.score >= CERTAIN:
            keep[keep] = cKDTree(other.points).query(middles[keep])[0] > OWN
    middles, corners, width = middles[keep], corners[keep], width[keep]
    if len(middles) < FEWEST:
        return []
    pairs = cKDTree(middles).query_pairs(max(TOGETHER, _LINK * float(np.median(width))), output_type="ndarray")
    links = coo_matrix((np.ones(len(pairs)), pairs.T), shape=(len(middles),) * 2)
    count, part = connected_components(links, directed=False)
    found = [corners[part == number] for number in range(count)]
    return [points.reshape(-1, 3) for points in found if len(points) >= FEWEST]


def _pixels(frame: DetectionFrame) -> tuple[np.ndarray, np.ndarray]:
    """The corners (N, 4, 3) [m, map] of the picture's coarse pixels that have a depth, since a thing reaches from the
    first to the last of them, not from middle to middle; and their widths (N,) [m]."""
    rows, columns = np.nonzero(frame.depth > 0)
    z = frame.depth[rows, columns].astype(float)
    offsets = np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
    pixels = (np.stack([columns, rows], axis=1)[:, None] + offsets) * DEPTH_STRIDE
    rays = (pixels - frame.K[:2, 2]) / (frame.K[0, 0], frame.K[1, 1])
    local = np.concatenate([rays, np.ones((*rays.shape[:2], 1))], axis=2) * z[:, None, None]
    return apply(frame.T_map_camera, local.reshape(-1, 3)).reshape(local.shape), DEPTH_STRIDE * z / frame.K[0, 0]


def _rises(points: np.ndarray, surface: Surface, rise: float) -> np.ndarray:
    """bool (N,): which of points (N, 3) [m, map] are more than `rise` [m] above the surface, but below what is over
    it."""
    local = surface.pose.inverse().apply(points[:, :2])
    inside = (np.abs(local) <= np.array(surface.size) / 2).all(axis=1)
    height = points[:, 2] - surface.height
    return inside & (height > rise) & (height < surface.clearance - RISE)


def _is_as_large(points: np.ndarray, surface: Surface, entity: Entity) -> bool:
    """True if points (N, 3) [m, map] reach as far as the entity does in all three directions, by and large."""
    flat, known = np.ptp(points[:, :2], axis=0), np.array(entity.size[:2])
    extent = np.array([flat.min(), flat.max(), points[:, 2].max() - surface.height])
    expected = np.array([known.min(), known.max(), entity.size[2]])
    return bool((np.abs(extent - expected) < LARGER).all())


def _away(points: np.ndarray, entity: Entity) -> float:
    """From the entity's place to the middle of points (N, 3), level [m]."""
    return float(np.linalg.norm(_middle(points)[:2] - np.array(entity.position[:2])))


def _middle(points: np.ndarray) -> np.ndarray:
    """(3,) [m, map]: of the box about points (N, 3)."""
    return (points.min(axis=0) + points.max(axis=0)) / 2


def _is_another(points: np.ndarray, graph: WorldGraph, entity: Entity) -> bool:
    """True if what is seen as points (N, 3) [m, map] is nearer to another known thing."""
    def gap(other: Entity) -> float:
        return float(np.linalg.norm(np.subtract(other.position, _middle(points))))

    return any(other.id != entity.id and gap(other) < gap(entity) for other in graph.of(Kind.OBJECT))
