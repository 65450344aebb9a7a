"""Vertices of convex solids that are no primitives of a simulator: rounded boxes, frusta, prisms, wedges."""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import ArrayLike

SIDES = 20
"""of a round hull"""


def frustum(lower: float, upper: float, height: float, sides: int = SIDES) -> np.ndarray:
    """(2 * sides, 3) [m], in its own frame: an upright cone cut off, of two diameters, centred at half its `height`."""
    angles = 2 * np.pi * np.arange(sides) / sides
    ring = np.stack([np.cos(angles), np.sin(angles), np.zeros(sides)], axis=1) / 2
    return np.concatenate([ring * lower - (0, 0, height / 2), ring * upper + (0, 0, height / 2)])


def rounded(size: ArrayLike, share: float) -> np.ndarray:
    """(56, 3) [m], in its own frame: a box, corners rounded over `share` of its half extents; its faces stay flat."""
    half = np.asarray(size, float) / 2
    radius = half * share
    octant = np.array([v for v in product((0, 1), repeat=3) if any(v)], float)
    octant /= np.linalg.norm(octant, axis=1, keepdims=True)
    corner = (half - radius) + octant * radius
    return np.concatenate([corner * signs for signs in product((-1, 1), repeat=3)])


def wedge(size: ArrayLike) -> np.ndarray:
    """(6, 3) [m], in its own frame: as high as `size` at its +x end, sharp at the other."""
    x, y, z = np.asarray(size, float) / 2
    return np.array([(-x, -y, -z), (-x, y, -z), (x, -y, -z), (x, y, -z), (x, -y, z), (x, y, z)])
