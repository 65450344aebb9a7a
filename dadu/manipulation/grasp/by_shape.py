"""What stands where a thing should be, by depth alone: a detector that has named it from across the room need not know
it again from above, at arm's length."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import label

from dadu.core.geometry import apply
from dadu.manipulation.support import surface_below
from dadu.world.detection import DEPTH_STRIDE, Detection, DetectionFrame
from dadu.world.graph import Entity, Kind, Surface, WorldGraph

RISE = 0.012
"""what is so far above a surface stands on it [m]"""
AROUND = 0.08
"""a thing that nobody has moved is seen at most so far from where it was seen before [m]"""
LARGER = 0.06
"""its extents in two views differ by at most as much [m]"""
FEWEST = 6
"""coarse pixels that a thing can be told from"""
CERTAIN = 0.8
"""score of a detection from which on it is what it is called"""


def standing(frame: DetectionFrame, graph: WorldGraph, entity: Entity) -> np.ndarray | None:
    """(N, 3) [m, map]: what the picture shows of the thing that stands at the known place of `entity`, on the known
    surface there; None where nothing of its size does, and where it is known to be another one."""
    below = surface_below(graph, entity.position)
    if below is None:
        return None
    corners = _corners(frame)
    middles = corners.mean(axis=2)
    parts, count = label(_rises(middles, below[1], entity), np.ones((3, 3)))
    found = [corners[parts == number + 1].reshape(-1, 3) for number in range(count)]
    alike = [points for points in found if len(points) >= 4 * FEWEST and _is_as_large(points, below[1], entity)]
    nearest = min(alike, key=lambda points: _away(points, entity), default=None)
    if nearest is None or _away(nearest, entity) > AROUND or _is_another(nearest, frame, graph, entity):
        return None
    return nearest


def _corners(frame: DetectionFrame) -> np.ndarray:
    """(H, W, 4, 3) [m, map]: the corners of the picture's coarse pixels, NaN where they have no depth: a thing reaches
    from the first to the last of them, not from middle to middle."""
    rows, columns = np.indices(frame.depth.shape)
    offsets = np.array([(0, 0), (DEPTH_STRIDE, 0), (DEPTH_STRIDE, DEPTH_STRIDE), (0, DEPTH_STRIDE)])
    pixels = np.stack([columns, rows], axis=-1)[..., None, :] * DEPTH_STRIDE + offsets
    z = np.where(frame.depth > 0, frame.depth, np.nan).astype(float)[..., None, None]
    rays = (pixels - frame.K[:2, 2]) / (frame.K[0, 0], frame.K[1, 1])
    local = np.concatenate([rays * z, np.broadcast_to(z, (*rays.shape[:-1], 1))], axis=-1)
    return apply(frame.T_map_camera, local.reshape(-1, 3)).reshape(local.shape)


def _rises(points: np.ndarray, surface: Surface, entity: Entity) -> np.ndarray:
    """bool (H, W): which of points (H, W, 3) [m, map] are on what stands on the surface about the entity's place."""
    height = points[..., 2] - surface.height
    reach = max(entity.size[:2]) / 2 + AROUND + LARGER
    near = np.linalg.norm(points[..., :2] - np.array(entity.position[:2]), axis=-1) < reach
    local = surface.pose.inverse().apply(points[..., :2].reshape(-1, 2)).reshape(*near.shape, 2)
    inside = (np.abs(local) <= np.array(surface.size) / 2).all(axis=-1)
    return near & inside & (height > RISE) & (height < entity.size[2] + LARGER + RISE)


def _is_as_large(points: np.ndarray, surface: Surface, entity: Entity) -> bool:
    """Whether points (N, 3) [m, map] reach as far as the entity does in all three directions, by and large."""
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


def _is_another(points: np.ndarray, frame: DetectionFrame, graph: WorldGraph, entity: Entity) -> bool:
    """Whether what is seen as points (N, 3) [m, map] is certainly called otherwise, or another known thing is nearer."""
    middle = _middle(points)

    def is_there(detection: Detection) -> bool:
        return bool(np.linalg.norm(detection.centroid - middle) < AROUND)

    if any(is_there(d) and d.score >= CERTAIN and not d.may_be(entity.category) for d in frame.detections):
        return True
    others = [other for other in graph.of(Kind.OBJECT) if other.id != entity.id]
    return any(np.linalg.norm(np.subtract(other.position, middle)) < np.linalg.norm(np.subtract(entity.position, middle))
               for other in others)
