"""Between this project's frames (z up) and Habitat's (y up; cameras look along -z). NumPy only."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

C = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
"""(3, 3): map (x, y, z) to Habitat (x, z, -y)"""
_OPTICAL = np.diag([1.0, -1.0, -1.0])


def to_habitat(points: ArrayLike) -> np.ndarray:
    """Points (..., 3) [m] of map in Habitat's world."""
    return np.asarray(points, float) @ C.T


def to_map(points: ArrayLike) -> np.ndarray:
    """Points (..., 3) [m] of Habitat's world in map."""
    return np.asarray(points, float) @ C


def pose_to_habitat(T: np.ndarray) -> np.ndarray:
    """T_map_body (4, 4) as the pose of the same body, its mesh turned y up as well, in Habitat's world."""
    out = np.eye(4)
    out[:3, :3] = C @ T[:3, :3] @ C.T
    out[:3, 3] = C @ T[:3, 3]
    return out


def pose_to_map(T: np.ndarray) -> np.ndarray:
    """T_map_body (4, 4) of a body's pose in Habitat's world: the inverse of `pose_to_habitat`."""
    out = np.eye(4)
    out[:3, :3] = C.T @ T[:3, :3] @ C
    out[:3, 3] = C.T @ T[:3, 3]
    return out


def camera_to_habitat(T_map_camera: np.ndarray) -> np.ndarray:
    """Pose (4, 4) of Habitat's camera (x right, y up, looking along -z) for an optical frame in map."""
    out = np.eye(4)
    out[:3, :3] = C @ T_map_camera[:3, :3] @ _OPTICAL
    out[:3, 3] = C @ T_map_camera[:3, 3]
    return out


def horizontal(vertical: float, aspect: float) -> float:
    """Horizontal from vertical field of view [deg]."""
    return math.degrees(2 * math.atan(aspect * math.tan(math.radians(vertical) / 2)))
