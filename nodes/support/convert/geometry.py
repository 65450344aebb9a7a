"""Poses and vectors between the library and geometry_msgs."""

from __future__ import annotations

import math

import numpy as np
from geometry_msgs.msg import Point, Pose, Pose2D, Quaternion, Transform, Vector3

from dadu.core.geometry import Pose2, quaternion, rotation, transform


def point(p: np.ndarray | tuple[float, float, float]) -> Point:
    return Point(x=float(p[0]), y=float(p[1]), z=float(p[2]))


def vector(p: np.ndarray | tuple[float, float, float]) -> Vector3:
    return Vector3(x=float(p[0]), y=float(p[1]), z=float(p[2]))


def xyz(p: Point | Vector3) -> tuple[float, float, float]:
    return (p.x, p.y, p.z)


def pose(T: np.ndarray) -> Pose:
    """From a rigid (4, 4)."""
    return Pose(position=point(T[:3, 3]), orientation=orientation(T[:3, :3]))


def matrix(p: Pose) -> np.ndarray:
    """To (4, 4)."""
    q = p.orientation
    return transform(rotation((q.x, q.y, q.z, q.w)), xyz(p.position))


def orientation(R: np.ndarray) -> Quaternion:
    x, y, z, w = quaternion(R)
    return Quaternion(x=x, y=y, z=z, w=w)


def tf(T: np.ndarray) -> Transform:
    return Transform(translation=vector(T[:3, 3]), rotation=orientation(T[:3, :3]))


def planar_pose(p: Pose2) -> Pose:
    """A Pose2 as a Pose on the floor."""
    return Pose(position=Point(x=p.x, y=p.y),
                orientation=Quaternion(z=math.sin(p.yaw / 2), w=math.cos(p.yaw / 2)))


def pose2(p: Pose) -> Pose2:
    return Pose2.from_matrix(matrix(p))


def pose2d(p: Pose2) -> Pose2D:
    return Pose2D(x=float(p.x), y=float(p.y), theta=float(p.yaw))
