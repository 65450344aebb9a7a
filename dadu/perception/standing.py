"""What stands on something level, by depth alone: whatever it is, and whether or not a network knows its like.

Level planes are found by height, since gravity is known; what rises from them, hangs together in depth and is of a size
that a robot may handle is a thing (tabletop segmentation: Rusu et al. 2009; unseen objects: Xie et al. 2020). Planes
are fitted in inverse depth, where they are linear in pixels whatever the camera, and the noise is even.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

RANGE = (0.1, 6.0)
"""depths that tell [m]"""
LARGEST = 0.6
"""higher or wider is furniture, or a wall [m]"""
LEAST_PIXELS = 10
_JUMP = (0.01, 0.005)
"""a neighbour whose depth is off the straight line from both sides by more than a + b * depth [m] is another thing's"""
_OFF = (0.005, 0.0025)
"""of a plane are the points within a + b * depth^2 [m] of it: the noise of stereo grows so"""
_LEVEL, _UPRIGHT = 0.85, 0.96
"""cosines to the vertical of the normals of a plane's pixels, which are noisy, and of the plane"""
_BIN = 0.015
"""of heights [m]"""
_PLANES = 8
_SHARE, _AREA = 0.01, 0.04
"""of a plane, least: of the picture, and [m^2], a tablet's"""
_TOP = 0.2
"""a smaller plane within another's outline and above it is the top of a thing [m^2]"""
_RISE = 0.012
"""of a thing above its plane, at least [m]"""
_GAP = 0.03
"""between a thing's lowest visible point and its plane, at most [m], beside the noise: its foot may be hidden"""
_SUNK = 0.04
"""below its plane, at most: a plane fitted through noise cuts off a foot [m]"""
_SPAN, _GRAZING = 2, 0.1
"""pixels to either side over which a slope is taken; least cosine between ray and normal that an area is divided by"""


@dataclass(frozen=True)
class _Points:
    """A depth picture as points."""

    z: np.ndarray
    """float32 (h, w) [m], 0 where none tells"""
    across: np.ndarray
    """float32 (1, w): x / z"""
    down: np.ndarray
    """float32 (h, 1): y / z"""
    in_map: np.ndarray
    """float32 (3, h, w): where they are [m]"""
    off: np.ndarray
    """float32 (h, w): how far they may be off a plane [m]"""

    @classmethod
    def of(cls, depth: np.ndarray, K: np.ndarray, T_map_camera: np.ndarray) -> _Points:
        height, width = depth.shape
        z = np.where((depth > RANGE[0]) & (depth < RANGE[1]), depth, 0).astype(np.float32)
        across = ((np.arange(width) - K[0, 2]) / K[0, 0]).astype(np.float32)[None]
        down = ((np.arange(height) - K[1, 2]) / K[1, 1]).astype(np.float32)[:, None]
        turn = T_map_camera.astype(np.float32)
        in_map = np.stack([z * (x * across + y * down + forward) + begin for x, y, forward, begin in turn[:3]])
        return cls(z, across, down, in_map, _OFF[0] + _OFF[1] * z * z)


@dataclass(frozen=True)
class _Plane:
    """Level, and large enough to stand on."""

    pixels: np.ndarray
    """intp (N, 2): columns and rows"""
    height: np.ndarray
    """float32 (h, w): of all points above it [m]"""
    area: float
    """[m^2]"""
    level: float
    """above the floor [m]"""

    @cached_property
    def outline(self) -> np.ndarray:
        """bool (h, w): within the convex hull of its pixels in the picture."""
        inside = np.zeros(self.height.shape, np.uint8)
        cv2.fillConvexPoly(inside, cv2.convexHull(self.pixels.astype(np.int32)), 1)
        return cv2.dilate(inside, np.ones((3, 3), np.uint8)) > 0


def standing_things(depth: np.ndarray, K: np.ndarray, T_map_camera: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """int32 (h, w): 1, 2... N for things that stand on a level plane, 0 elsewhere; and float64 (N,) [m], how high above
    the floor that is. Of depth (h, w) [m], 0 or not finite where there is none, with intrinsics `K` (3, 3) [px] and the
    optical frame's pose `T_map_camera` (4, 4)."""
    points = _Points.of(depth, K, T_map_camera)
    planes = _level_planes(points, K, T_map_camera[2, :3])
    rest = points.z > 0
    for plane in planes:
        rest &= ~(plane.outline & (np.abs(plane.height) < points.off))
    parts = connected(rest, *unbroken(points.z))
    return _rising(parts, points, planes)


def unbroken(z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """bool (H, W - 1) and (H - 1, W): neighbours that belong together by their depths `z`, float32 (H, W) [m]. A slope
    seen at a grazing angle goes on from either side, an edge does not."""
    return _smooth(z), _smooth(z.T).T


def _smooth(z: np.ndarray) -> np.ndarray:
    step = np.diff(z, axis=1)
    beside = np.pad(step, ((0, 0), (1, 1)), mode="edge")
    off = np.minimum(np.abs(step - beside[:, :-2]), np.abs(step - beside[:, 2:]))
    smooth: np.ndarray = off < _JUMP[0] + _JUMP[1] * z[:, :-1]
    return smooth


def connected(mask: np.ndarray, across: np.ndarray, down: np.ndarray) -> np.ndarray:
    """int32 (H, W): connected parts of `mask`, bool (H, W), from 1, in the order of their first pixels, by the links
    between neighbours `across`, bool (H, W - 1), and `down`, bool (H - 1, W).

    Pixels and links are labelled together, as a picture of nearly twice the size: far cheaper than to search a sparse
    graph."""
    height, width = mask.shape
    linked = np.zeros((2 * height - 1, 2 * width - 1), np.uint8)
    linked[::2, ::2] = mask
    linked[::2, 1::2] = across & mask[:, :-1] & mask[:, 1:]
    linked[1::2, ::2] = down & mask[:-1] & mask[1:]
    labels = cv2.connectedComponentsWithAlgorithm(linked, 4, cv2.CV_32S, cv2.CCL_WU)[1]
    return np.ascontiguousarray(labels[::2, ::2])


def _level_planes(points: _Points, K: np.ndarray, up: np.ndarray) -> list[_Plane]:
    """The largest first, without the tops of things. `up`: the vertical in the optical frame."""
    level, area = _level_pixels(points, K, up)
    found: list[_Plane] = []
    for plane in sorted(_planes_by_height(points, level, area, up), key=lambda plane: -plane.area):
        columns, rows = plane.pixels.T
        if plane.area > _TOP or not any(larger.outline[rows, columns].mean() > 0.7
                                        and np.median(larger.height[rows, columns]) > 0 for larger in found):
            found.append(plane)
    return found


def _level_pixels(points: _Points, K: np.ndarray, up: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """bool (h, w), and the area that each pixel covers [m^2], float32 (h, w)."""
    known = points.z > 0
    inverse = cv2.blur(np.where(known, 1 / np.maximum(points.z, RANGE[0]), 0).astype(np.float32), (5, 5))
    inverse = inverse / np.maximum(cv2.blur(known.astype(np.float32), (5, 5)), 0.1)
    kernel = np.zeros(2 * _SPAN + 1, np.float32)
    kernel[0], kernel[-1] = -0.5 / _SPAN, 0.5 / _SPAN
    a = float(K[0, 0]) * cv2.filter2D(inverse, cv2.CV_32F, kernel[None])
    b = float(K[1, 1]) * cv2.filter2D(inverse, cv2.CV_32F, kernel[:, None])
    c = inverse - a * points.across - b * points.down  # the plane is a x + b y + c z = 1
    length = np.sqrt(a * a + b * b + c * c) + 1e-9
    level = known & (-(a * up[0] + b * up[1] + c * up[2]) > _LEVEL * length)
    slant = points.across ** 2 + points.down ** 2 + 1
    facing = np.maximum(np.abs(inverse) / length / np.sqrt(slant), _GRAZING)
    return level, points.z ** 2 * np.sqrt(slant) / (float(K[0, 0] * K[1, 1]) * facing)


def _planes_by_height(points: _Points, level: np.ndarray, area: np.ndarray, up: np.ndarray) -> Iterator[_Plane]:
    """Where many `level` pixels are of one height; one in two places is two."""
    above, free = points.in_map[2], level.copy()
    place = ((above - above[level].min(initial=0)) / _BIN).astype(np.intp)
    least = _SHARE * level.size
    for _ in range(_PLANES):
        count = np.bincount(place[free])
        both: np.ndarray = count[:-1] + count[1:]
        if not len(both) or both.max() < least:
            return
        lowest = int(both.argmax())
        layer = free & ((place == lowest) | (place == lowest + 1))
        free &= ~layer
        height = _height_above(points, layer, up)
        if height is None:
            continue
        near = (free | layer) & (np.abs(height) < points.off)
        free &= ~near
        parts = connected(cv2.dilate(near.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0,
                          np.ones((1, 1), bool), np.ones((1, 1), bool)) * near
        size, pixels = np.bincount(parts.ravel(), area.ravel()), np.bincount(parts.ravel())
        for part in 1 + np.flatnonzero((size[1:] > _AREA) & (pixels[1:] >= least)):
            rows, columns = np.nonzero(parts == part)
            yield _Plane(np.stack([columns, rows], axis=1), height, float(size[part]),
                         float(np.median(above[rows, columns])))


def _height_above(points: _Points, layer: np.ndarray, up: np.ndarray) -> np.ndarray | None:
    """float32 (h, w) [m]: of the points above the plane through those of `layer`; None where that is not level."""
    for _ in range(2):
        rows, columns = np.nonzero(layer)
        if len(rows) < 3:
            return None
        rays = np.stack([points.across[0, columns], points.down[rows, 0], np.ones(len(rows), np.float32)], axis=1)
        plane = np.linalg.solve(rays.T @ rays + 1e-6 * np.eye(3), rays.T @ (1 / points.z[rows, columns]))
        distance = 1 / np.linalg.norm(plane)
        a, b, c = plane * distance
        if -(np.array([a, b, c]) @ up) < _UPRIGHT:
            return None
        height: np.ndarray = (distance - points.z * (a * points.across + b * points.down + c)).astype(np.float32)
        layer = layer & (np.abs(height) < points.off)
    return height


def _rising(parts: np.ndarray, points: _Points, planes: list[_Plane]) -> tuple[np.ndarray, np.ndarray]:
    """Those of `parts` (h, w) that are things, see `standing_things`."""
    flat = parts.ravel()
    order = np.argsort(flat, kind="stable")
    ends = np.concatenate([[0], np.cumsum(np.bincount(flat))])
    number, levels = np.zeros(len(ends) - 1, np.int32), []
    for part in 1 + np.flatnonzero(np.diff(ends)[1:] >= LEAST_PIXELS) if planes else ():
        mine = order[ends[part]:ends[part + 1]]
        under = [plane.level for plane in planes if _stands(plane, points, mine)]
        if under and _size(points, mine) < LARGEST:
            levels.append(max(under))
            number[part] = len(levels)
    return number[parts], np.array(levels)


def _size(points: _Points, mine: np.ndarray) -> float:
    """[m]: height, or diagonal seen from above, of the points with these flat indices, but for a few."""
    few = len(mine) // 30
    x, y, up = (np.sort(axis.ravel()[mine]) for axis in points.in_map)
    return float(max(np.hypot(x[-1 - few] - x[few], y[-1 - few] - y[few]), up[-1 - few] - up[few]))


def _stands(plane: _Plane, points: _Points, mine: np.ndarray) -> bool:
    """True if the points with these flat indices rise from the plane within its outline."""
    within = plane.outline.ravel()[mine]
    foot = len(mine) // 4 + 1
    if np.count_nonzero(within) <= foot / 2:  # as for most pairs of a part and a plane
        return False
    height = plane.height.ravel()[mine]
    order = np.argsort(height)
    noise = float(np.median(points.off.ravel()[mine]))
    low, high = height[order[len(mine) // 20]], height[order[-1 - len(mine) // 10]]
    return bool(-_SUNK < low < _GAP + 2 * noise and high > max(_RISE, 2 * noise)
                and within[order[:foot]].mean() > 0.5)
