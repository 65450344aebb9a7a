"""Planar and spatial poses, in the conventions of REP 103: x forward, y left, z up, quaternions (x, y, z, w)."""

from __future__ import annotations

import math
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

Vector2: TypeAlias = tuple[float, float]
Vector3: TypeAlias = tuple[float, float, float]
"""a point, direction or size that is compared, kept or sent; an array is for what is reckoned with"""


class Pose2(NamedTuple):
    """A planar pose: x, y [m], yaw [rad]."""

    x: float
    y: float
    yaw: float

    def __mul__(self, other: Pose2) -> Pose2:  # type: ignore[override]  # not repetition, as of a tuple
        """Composition: ``T_map_odom * T_odom_base``."""
        c, s = math.cos(self.yaw), math.sin(self.yaw)
        return Pose2(self.x + c * other.x - s * other.y, self.y + s * other.x + c * other.y,
                     wrap(self.yaw + other.yaw))

    def inverse(self) -> Pose2:
        c, s = math.cos(self.yaw), math.sin(self.yaw)
        return Pose2(-c * self.x - s * self.y, s * self.x - c * self.y, wrap(-self.yaw))

    def apply(self, points: ArrayLike) -> np.ndarray:
        """Points (..., 2) [m] from this pose's frame into the parent's."""
        c, s = math.cos(self.yaw), math.sin(self.yaw)
        R = np.array([[c, -s], [s, c]])
        return np.asarray(points, float) @ R.T + (self.x, self.y)

    def matrix(self, z: float = 0.0) -> np.ndarray:
        """``T_parent_pose`` (4, 4), at height `z` [m]."""
        return transform(rotation_z(self.yaw), (self.x, self.y, z))

    @classmethod
    def of(cls, T: np.ndarray) -> Pose2:
        """The planar part of a (4, 4) pose."""
        return cls(float(T[0, 3]), float(T[1, 3]), math.atan2(T[1, 0], T[0, 0]))


def wrap(angle: float) -> float:
    """`angle` [rad] in (-pi, pi]."""
    return -((math.pi - angle) % (2 * math.pi) - math.pi)


def rotation_z(yaw: float) -> np.ndarray:
    """(3, 3) rotation by `yaw` [rad] about z."""
    c, s = math.cos(yaw), math.sin(yaw)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def transform(rotation: ArrayLike, translation: ArrayLike) -> np.ndarray:
    """``T_a_b`` (4, 4) from (3, 3) and (3,) [m]: b's axes and origin in a's frame."""
    T = np.eye(4)
    T[:3, :3] = rotation
    T[:3, 3] = translation
    return T


def inverse(T: np.ndarray) -> np.ndarray:
    """``T_b_a`` of a rigid ``T_a_b``, both (4, 4)."""
    R = T[:3, :3].T
    return transform(R, -R @ T[:3, 3])


def apply(T: np.ndarray, points: ArrayLike) -> np.ndarray:
    """Points (..., 3) [m] of b's frame in a's, through a rigid ``T_a_b`` (4, 4)."""
    return np.asarray(points) @ T[:3, :3].T + T[:3, 3]


def vector3(values: ArrayLike) -> Vector3:
    """Three numbers (3,) as a tuple, in whatever frame and unit they were."""
    x, y, z = np.asarray(values, float)
    return float(x), float(y), float(z)


def quaternion(R: np.ndarray) -> tuple[float, float, float, float]:
    """(x, y, z, w), w >= 0, of a rotation (3, 3)."""
    # Shepperd: the largest of the four candidates keeps the division well conditioned.
    trace = R[0, 0] + R[1, 1] + R[2, 2]
    i = int(np.argmax([R[0, 0], R[1, 1], R[2, 2], trace]))
    if i == 3:
        q = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1], 1 + trace])
    else:
        j, k = (i + 1) % 3, (i + 2) % 3
        q = np.empty(4)
        q[i] = 1 + R[i, i] - R[j, j] - R[k, k]
        q[j], q[k] = R[j, i] + R[i, j], R[k, i] + R[i, k]
        q[3] = R[k, j] - R[j, k]
    q = q / np.linalg.norm(q) * (1 if q[3] >= 0 else -1)
    x, y, z, w = map(float, q)
    return x, y, z, w


def rotation(q: ArrayLike) -> np.ndarray:
    """(3, 3), unitless, of a quaternion (x, y, z, w), normalised first."""
    x, y, z, w = np.asarray(q, float) / np.linalg.norm(q)
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ])
