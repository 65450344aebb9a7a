"""Tells that a remembered place was looked at, and found empty.

A ray of the picture that ends beyond the box it passes through has seen that part of the box empty; one that ends
before the box was blocked. This is the free-space carving of occupancy mapping, for one box.
"""

from __future__ import annotations

import math
from enum import Enum
from itertools import product

import numpy as np

from dadu.core import geometry
from dadu.memory.settings import ForgettingSettings
from dadu.world.detection import DEPTH_STRIDE, DetectionFrame

CORE = 0.7
"""share of the box, about its centre, that rays are tested against: its rim is uncertain"""


class Visibility(Enum):
    """What one picture says of one place."""

    UNSEEN = "unseen"
    """outside the picture, too far, or hidden"""
    EMPTY = "empty"
    OCCUPIED = "occupied"
    """something is there"""


def look_at(frame: DetectionFrame, low: np.ndarray, high: np.ndarray, settings: ForgettingSettings) -> Visibility:
    """What the coarse depth says of the box between two corners (3,) [m] in map."""
    centre, half = (low + high) / 2, np.maximum(CORE * (high - low) / 2, 0.005)
    eye = frame.T_map_camera[:3, 3]
    if np.linalg.norm(centre - eye) > settings.range or (np.abs(eye - centre) <= half).all() or (
            _out_of_sight(frame, centre, float(np.linalg.norm(half)))):
        return Visibility.UNSEEN
    rays, depth = _rays_towards(frame, centre - half, centre + half)
    if len(rays) < settings.rays:
        return Visibility.UNSEEN
    with np.errstate(divide="ignore", invalid="ignore"):
        crossings = np.sort(np.stack([(centre + s * half - eye) / rays for s in (-1, 1)]), axis=0)
    enter, leave = np.nanmax(crossings[0], axis=1), np.nanmin(crossings[1], axis=1)
    through = (enter < leave) & (depth > 0)
    margin = 0.02 + 0.01 * depth
    empty = np.count_nonzero(through & (depth > leave + margin))
    hit = np.count_nonzero(through & (depth > enter - margin) & (depth <= leave + margin))
    if empty + hit < settings.rays:
        return Visibility.UNSEEN
    return Visibility.EMPTY if empty >= 0.8 * (empty + hit) else Visibility.OCCUPIED


def _out_of_sight(frame: DetectionFrame, centre: np.ndarray, radius: float) -> bool:
    """True if nothing within `radius` [m] of a point (3,) [m] in map can be in the picture: soon told, of most."""
    *beside, z = (frame.T_map_camera[:3, :3].T @ (centre - frame.T_map_camera[:3, 3])).tolist()
    for axis, (across, size) in enumerate(zip(beside, (frame.width, frame.height))):
        focal, middle = float(frame.K[axis, axis]), float(frame.K[axis, 2])
        out = max(-focal * across - middle * z, focal * across + (middle - size) * z)
        if out > radius * math.hypot(focal, max(middle, size - middle)):
            return True
    return z < -radius


def _rays_towards(frame: DetectionFrame, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Directions (N, 3) in map, of unit length along the optical axis, of the coarse pixels within the picture of a
    box, and their depths (N,) [m]. None where the box reaches behind the camera."""
    corners = np.array([*product(*zip(low, high, strict=True))])
    camera = geometry.apply(geometry.inverse(frame.T_map_camera), corners)
    if (camera[:, 2] < 0.05).any():
        return np.empty((0, 3)), np.empty(0)
    uv = camera @ frame.K.T
    cells = (uv[:, :2] / uv[:, 2:] - DEPTH_STRIDE / 2) / DEPTH_STRIDE
    first = np.maximum(np.ceil(cells.min(axis=0)), 0).astype(int)
    last = np.minimum(np.floor(cells.max(axis=0)), np.array(frame.depth.shape)[::-1] - 1).astype(int)
    grid = np.meshgrid(np.arange(first[0], last[0] + 1), np.arange(first[1], last[1] + 1))
    columns, rows = (indices.ravel() for indices in grid)
    pixels = np.stack([columns, rows], axis=1) * DEPTH_STRIDE + DEPTH_STRIDE / 2
    directions = np.c_[(pixels - frame.K[:2, 2]) / frame.K[[0, 1], [0, 1]], np.ones(len(pixels))]
    return directions @ frame.T_map_camera[:3, :3].T, frame.depth[rows, columns].astype(float)
