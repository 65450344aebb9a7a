"""Oriented boxes: what the predicates measure with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from dadu.core.geometry import rotation_z

_SIGNS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
_AROUND = [0, 4, 6, 2]
"""four of the corners, counter-clockwise"""


@dataclass(frozen=True)
class OrientedBox:
    """A box anywhere in map."""

    centre: np.ndarray
    """float64 (3,) [m]"""
    R: np.ndarray
    """float64 (3, 3): the box's axes in map"""
    size: np.ndarray
    """float64 (3,) [m], full extents along its own axes"""

    @classmethod
    def upright(cls, x: float, y: float, z: float, yaw: float, size: ArrayLike) -> OrientedBox:
        """`z` [m] is the underside, `size` (3,) [m]."""
        extents = np.asarray(size, float)
        return cls(np.array([x, y, z + extents[2] / 2]), rotation_z(yaw), extents)

    @cached_property
    def corners(self) -> np.ndarray:
        """(8, 3) [m] in map; not to be written to."""
        return _constant(self.centre + (_SIGNS * self.size) @ self.R.T)

    @cached_property
    def bottom(self) -> float:
        """Lowest point [m]."""
        return float(self.corners[:, 2].min())

    @cached_property
    def top(self) -> float:
        """Highest point [m]."""
        return float(self.corners[:, 2].max())

    def is_down_to(self, height: float, tolerance: float) -> bool:
        """True if the thing in the box reaches down to `height` [m], give or take `tolerance` [m]. It need not fill the
        box to its corners: those of a ball that rolled, or of a kettle that fell over, stick into what it lies on. Its
        lowest point is anywhere between the box's and that of the ellipsoid in the box."""
        round_bottom = float(self.centre[2] - np.linalg.norm(self.R[2] * self.size / 2))
        return self.bottom - tolerance <= height <= round_bottom + tolerance

    def local(self, points: ArrayLike) -> np.ndarray:
        """Points (..., 3) of map in the box's frame [m]."""
        return (np.asarray(points, float) - self.centre) @ self.R

    def holds(self, point: ArrayLike, margin: float = 0.0) -> bool:
        """True if a point (3,) lies within, grown by `margin` [m]."""
        return bool(np.all(np.abs(self.local(point)) <= self.size / 2 + margin))

    def covers(self, xy: ArrayLike, margin: float = 0.0) -> bool:
        """True if a point (2,) lies over or under the box, seen from above."""
        point = np.asarray(xy, float)
        if np.hypot(*(point - self.centre[:2])) > self.radius + margin:
            return False  # most are that far away, and it costs little to know
        return gap(self.outline, point[None]) <= margin

    def away(self, xy: ArrayLike) -> np.ndarray:
        """Distances (...) [m] of points (..., 2) of map from an upright box, seen from above; 0 over it."""
        beyond = np.abs((np.asarray(xy, float) - self.centre[:2]) @ self.R[:2, :2]) - self.size[:2] / 2
        return np.linalg.norm(np.maximum(beyond, 0.0), axis=-1)

    @cached_property
    def outline(self) -> np.ndarray:
        """Convex outline seen from above, (N, 2) [m] in map, counter-clockwise; not to be written to."""
        flat = self.corners[:, :2]
        if self.R[2, 2] == 1.0:  # upright, as most things are: its four sides
            return _constant(flat[_AROUND])
        from scipy.spatial import ConvexHull  # 25 MB that few processes need
        return _constant(flat[ConvexHull(flat, qhull_options="QJ").vertices])

    @cached_property
    def radius(self) -> float:
        """From the centre to a corner [m]."""
        return float(np.linalg.norm(self.size)) / 2


def horizontal_gap(a: OrientedBox, b: OrientedBox) -> float:
    """Distance between two boxes seen from above; 0 where they overlap [m]."""
    return gap(a.outline, b.outline)


def _constant(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


def boxes_within(a: OrientedBox, b: OrientedBox, limit: float) -> bool:
    """True if two boxes are no more than `limit` [m] apart, seen from above."""
    between = float(np.hypot(*(a.centre[:2] - b.centre[:2])))
    return between - a.radius - b.radius <= limit and horizontal_gap(a, b) <= limit


def overlap_vertically(a: OrientedBox, b: OrientedBox, slack: float = 0.0) -> bool:
    """True if some height belongs to both, or they miss each other by no more than `slack` [m]."""
    return min(a.top, b.top) + slack >= max(a.bottom, b.bottom)


def gap(p: np.ndarray, q: np.ndarray) -> float:
    """Distance between convex outlines (N, 2) and (M, 2), counter-clockwise; a single point will do [m]."""
    if _contains(p, q[0]) or _contains(q, p[0]) or min(len(p), len(q)) > 2 and overlap(p, q):
        return 0.0
    return min(distance_to_edges(p, q), distance_to_edges(q, p))


def distance_to_edges(points: np.ndarray, outline: np.ndarray) -> float:
    """Least distance from any point (N, 2) to any edge of an outline (M, 2), in one frame [m]."""
    start, along = outline, np.roll(outline, -1, axis=0) - outline
    length = np.maximum((along**2).sum(1), 1e-18)
    t = np.clip(((points[:, None] - start) * along).sum(2) / length, 0, 1)
    return float(np.linalg.norm(points[:, None] - (start + t[..., None] * along), axis=2).min())


def _contains(outline: np.ndarray, point: np.ndarray) -> bool:
    if len(outline) < 3:
        return False
    along, to = np.roll(outline, -1, axis=0) - outline, point - outline
    return bool(np.all(along[:, 0] * to[:, 1] - along[:, 1] * to[:, 0] >= 0))


def overlap(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """bool (...): which convex polygons (..., N, 2) and (..., M, 2) overlap, by separating axes; in one frame [m]."""
    apart = np.zeros(np.broadcast_shapes(a.shape[:-2], b.shape[:-2]), bool)
    for polygon in (a, b):
        edges = np.roll(polygon, -1, axis=-2) - polygon
        axes = np.stack([-edges[..., 1], edges[..., 0]], axis=-2)  # (..., 2, edges)
        pa, pb = a @ axes, b @ axes
        apart |= ((pa.max(axis=-2) < pb.min(axis=-2)) | (pb.max(axis=-2) < pa.min(axis=-2))).any(axis=-1)
        if apart.all():
            break
    return ~apart
