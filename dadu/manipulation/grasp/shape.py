"""An upright box from the visible side of a thing: what is not seen is completed by its support and by symmetry."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import ConvexHull, QhullError

ROUND = 0.87
"""a footprint that fills less than this share of its rectangle is round (a disc fills 0.785)"""
FEWEST = 8
"""points that a footprint can be told from"""


@dataclass(frozen=True)
class UprightBox:
    """A vertical prism around a thing, in map."""

    centre: np.ndarray
    """(2,) [m]"""
    yaw: float
    """of its first horizontal axis [rad]"""
    size: tuple[float, float]
    """along that axis and across it [m]"""
    bottom: float
    top: float
    round: bool = False
    """turned about the vertical it looks the same: any approach will do"""
    hollow: bool = False
    """open above, as a bowl"""

    @property
    def height(self) -> float:
        return self.top - self.bottom

    @property
    def radius(self) -> float:
        """Of the circle around the footprint [m]."""
        return max(self.size) / 2 if self.round else float(np.hypot(*self.size)) / 2

    def width(self, direction: float) -> float:
        """Extent along a horizontal `direction` [rad, map] [m]."""
        if self.round:
            return max(self.size)
        angle = direction - self.yaw
        return abs(self.size[0] * np.cos(angle)) + abs(self.size[1] * np.sin(angle))

    def contains(self, points: np.ndarray, margin: float = 0.0) -> np.ndarray:
        """bool (N,) for points (N, 3) [m] in map."""
        c, s = np.cos(self.yaw), np.sin(self.yaw)
        local = (points[:, :2] - self.centre) @ np.array([[c, -s], [s, c]])
        flat = (np.abs(local) <= np.array(self.size) / 2 + margin).all(axis=1)
        return flat & (points[:, 2] >= self.bottom - margin) & (points[:, 2] <= self.top + margin)


def fit_box(points: np.ndarray, eye: np.ndarray, bottom: float) -> UprightBox:
    """The box around visible points (N, 3) [m, map] of a thing that stands on height `bottom` [m].

    `eye` (3,) is where the camera was. Where only the near face is seen, the thing is taken to be as deep as wide.
    """
    points = np.asarray(points, float)
    top = float(np.percentile(points[:, 2], 99))
    xy = _drop_outliers(points[:, :2])
    yaw, low, high, round_ = _rectangle(xy)
    size, centre_local = high - low, (low + high) / 2
    c, s = np.cos(yaw), np.sin(yaw)
    R = np.array([[c, -s], [s, c]])
    view = _unit(R.T @ (xy.mean(axis=0) - np.asarray(eye, float)[:2]))
    along = int(np.argmax(np.abs(view)))
    missing = size[1 - along] - size[along]
    if eye[2] < top + 0.05 and missing > 0 and size[along] < 0.6 * size[1 - along]:
        centre_local[along] += np.sign(view[along]) * missing / 2
        size[along] += missing
    return UprightBox(R @ centre_local, float(yaw), (float(size[0]), float(size[1])), bottom, max(top, bottom + 0.01),
                      round_, _hollow(points, R @ centre_local, float(size.min()), top))


def _rectangle(xy: np.ndarray) -> tuple[float, np.ndarray, np.ndarray, bool]:
    """Smallest rectangle around points (N, 2): its yaw in [0, pi/2), corners in that frame, and whether it is round."""
    if len(xy) < FEWEST:
        return 0.0, xy.min(axis=0), xy.max(axis=0), True
    try:
        hull = ConvexHull(xy)
    except QhullError:  # all in a line, as a wall seen along its edge
        return 0.0, xy.min(axis=0), xy.max(axis=0), False
    corners = xy[hull.vertices]
    edges = np.roll(corners, -1, axis=0) - corners
    yaws = np.unique(np.round(np.arctan2(edges[:, 1], edges[:, 0]) % (np.pi / 2), 3))
    yaw, low, high = min((_turned_bounds(corners, float(yaw)) for yaw in yaws),
                         key=lambda bounds: float(np.prod(bounds[2] - bounds[1])))
    size = high - low
    area = float(np.prod(size))
    # A disc seen from one side is cut: what counts is the outline, not the aspect alone.
    return yaw, low, high, bool(hull.volume < ROUND * area and size.min() > 0.6 * size.max())


def _turned_bounds(xy: np.ndarray, yaw: float) -> tuple[float, np.ndarray, np.ndarray]:
    """`yaw` [rad], and the lowest and highest corner (2,) [m] of points (N, 2) in axes turned by it."""
    c, s = np.cos(yaw), np.sin(yaw)
    local = xy @ np.array([[c, -s], [s, c]])
    return yaw, local.min(axis=0), local.max(axis=0)


def _hollow(points: np.ndarray, centre: np.ndarray, width: float, top: float) -> bool:
    """True if the middle lies well below the rim."""
    inner = points[np.linalg.norm(points[:, :2] - centre, axis=1) < 0.3 * width]
    return len(inner) >= FEWEST and float(np.percentile(inner[:, 2], 80)) < top - 0.02


def _drop_outliers(xy: np.ndarray) -> np.ndarray:
    """Drops the few points that lie far from the rest."""
    if len(xy) < 4 * FEWEST:
        return xy
    away = np.linalg.norm(xy - np.median(xy, axis=0), axis=1)
    return xy[away <= 1.5 * np.percentile(away, 95)]


def _unit(v: np.ndarray) -> np.ndarray:
    length = np.linalg.norm(v)
    return v / length if length > 0 else np.array([1.0, 0.0])
