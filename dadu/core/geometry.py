"""Planar and spatial poses, in the conventions of REP 103: x forward, y left, z up, quaternions (x, y, z, w)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

Vector2: TypeAlias = tuple[float, float]
Vector3: TypeAlias = tuple[float, float, float]
"""a point, direction or size that is compared, kept or sent; an array is for what is reckoned with"""
FARTHEST = 1e8
"""[m]: round the Earth twice; what is farther is no place"""
UNIT = 0.01
"""by how much a quaternion's length may differ from 1: what single precision and print lose; as tf2 has it"""


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
    def from_matrix(cls, T: np.ndarray) -> Pose2:
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
    # Shepperd: the largest of the four candidates keeps the division well conditioned. In plain numbers, which takes a
    # quarter of the time of arrays of four.
    M: list[list[float]] = R.tolist()
    candidates = [M[0][0], M[1][1], M[2][2], M[0][0] + M[1][1] + M[2][2]]
    i = candidates.index(max(candidates))
    if i == 3:
        q = [M[2][1] - M[1][2], M[0][2] - M[2][0], M[1][0] - M[0][1], 1 + candidates[3]]
    else:
        j, k = (i + 1) % 3, (i + 2) % 3
        q = [0.0, 0.0, 0.0, M[k][j] - M[j][k]]
        q[i] = 1 + M[i][i] - M[j][j] - M[k][k]
        q[j], q[k] = M[j][i] + M[i][j], M[k][i] + M[i][k]
    length = math.sqrt(sum(v * v for v in q))
    x, y, z, w = (v / (length if q[3] >= 0 else -length) for v in q)
    return x, y, z, w


def is_pose(translation: Iterable[float], q: Iterable[float]) -> bool:
    """True if three numbers are a place [m] and four a rotation (x, y, z, w). In plain numbers: it is asked for every
    transform that comes in."""
    (a, b, c), (x, y, z, w) = translation, q
    return (abs(x * x + y * y + z * z + w * w - 1.0) <= 2 * UNIT  # of what is no number, no comparison holds
            and -FARTHEST < a < FARTHEST and -FARTHEST < b < FARTHEST and -FARTHEST < c < FARTHEST)


def rotation(q: ArrayLike) -> np.ndarray:
    """(3, 3), unitless, of a quaternion (x, y, z, w), normalised first."""
    x, y, z, w = np.asarray(q, float) / np.linalg.norm(q)
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ])
