"""Tool poses: x along the fingers, y from finger to finger."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dadu.core.geometry import transform


def tool_pose(position: ArrayLike, heading: float, tilt: float) -> np.ndarray:
    """(4, 4) of the tool in the frame of `position` (3,) [m]: fingers along `heading` [rad], `tilt`
    [rad] below level, closing horizontally."""
    c, s = np.cos(heading), np.sin(heading)
    x = np.array([c * np.cos(tilt), s * np.cos(tilt), -np.sin(tilt)])
    y = np.array([-s, c, 0.0])
    return transform(np.column_stack([x, y, np.cross(x, y)]), position)


def heading_of(T: np.ndarray) -> float:
    """Horizontal direction of the fingers [rad]; where they point straight down, of the back of the hand."""
    x = T[:2, 0] if np.linalg.norm(T[:2, 0]) > 0.3 else T[:2, 2]
    return float(np.arctan2(x[1], x[0]))


def tilt_of(T: np.ndarray) -> float:
    """Of the fingers below level [rad]."""
    return float(np.arcsin(np.clip(-T[2, 0], -1.0, 1.0)))


def shifted(T: np.ndarray, offset: ArrayLike) -> np.ndarray:
    """`T` (4, 4) moved by `offset` (3,) [m] in the parent's frame."""
    T = T.copy()
    T[:3, 3] += offset
    return T


def turned(T: np.ndarray, angle: float) -> np.ndarray:
    """`T` (4, 4) turned by `angle` [rad] about its parent frame's vertical, through its own origin."""
    c, s = np.cos(angle), np.sin(angle)
    R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    return transform(R @ T[:3, :3], T[:3, 3])
