"""From where pictures are taken: as a robot in a home sees, mostly at the places where things stand.

``gaze``: from head height at a thing, 0.5 to 3.5 m away; ``close``: as by a camera at the wrist; ``room``: across a
room; ``robot``: by the robot's own camera, its arm and what it holds in view.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from dadu.core.geometry import transform
from dadu.house.format import Furniture, House
from dadu.house.furniture.pieces import size_of
from dadu.world.graph import points_in_polygon

ViewKind = Literal["gaze", "close", "room", "robot"]
SHARES: dict[ViewKind, float] = {"gaze": 0.56, "close": 0.14, "room": 0.14, "robot": 0.16}
"""of the pictures"""

_HEIGHTS = (0.85, 1.55)
"""of a camera on a head [m]"""
_AWAY = {"gaze": (0.5, 3.5), "close": (0.2, 0.65)}
"""[m]"""
_AIM = {"gaze": 0.2, "close": 0.05}
"""how far beside a thing the camera looks, standard deviation [m]"""
_ROLL = 0.04
"""of the camera about its axis, standard deviation [rad]"""
_TURNED = 0.5
"""how often a camera at the wrist is turned any way"""
_WALL, _FURNITURE = 0.15, 0.08
"""a camera stays away from walls and furniture [m]"""
TRIES = 40
_FRONT = math.radians(60)
"""what stands in furniture is looked at from this near its front [rad]"""


class Eyes:
    """Finds free places for a camera in one house."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._rooms = {room.name: np.array(room.floor) for room in house.rooms}

    def gaze(self, kind: Literal["gaze", "close"], target: np.ndarray, piece: Furniture, enclosed: bool,
             rng: np.random.Generator) -> np.ndarray | None:
        """T_map_camera (4, 4) that looks roughly at `target` (3,) [m] in map, which is on, or `enclosed` in, a piece;
        None where there is no room for it."""
        for _ in range(TRIES):
            away = rng.uniform(*_AWAY[kind])
            bearing = rng.uniform(-math.pi, math.pi)
            if enclosed:
                bearing = piece.pose[2] + rng.uniform(-_FRONT, _FRONT)
            if kind == "close":
                rise = rng.uniform(math.radians(5), math.radians(35 if enclosed else 80))
                eye = target + away * np.array([math.cos(rise) * math.cos(bearing), math.cos(rise) * math.sin(bearing),
                                                math.sin(rise)])
            else:
                eye = np.array([*target[:2] + away * np.array([math.cos(bearing), math.sin(bearing)]),
                                rng.uniform(*_HEIGHTS)])
            if self.free(eye, piece.room):
                aim = target + rng.normal(0, _AIM[kind], 3) * (1, 1, 0.5)
                turned = kind == "close" and rng.random() < _TURNED
                return looking(eye, aim, rng.uniform(-math.pi, math.pi) if turned else rng.normal(0, _ROLL))
        return None

    def across(self, room: str, rng: np.random.Generator) -> np.ndarray | None:
        """T_map_camera (4, 4) in map somewhere in a room, at head height; None where it is full."""
        low, high = self._rooms[room].min(axis=0), self._rooms[room].max(axis=0)
        for _ in range(TRIES):
            eye = np.array([*rng.uniform(low, high), rng.uniform(*_HEIGHTS)])
            if self.free(eye, room):
                yaw, pitch = rng.uniform(-math.pi, math.pi), rng.uniform(-0.75, 0.1)
                ahead = np.array([math.cos(yaw), math.sin(yaw), math.tan(pitch)])
                return looking(eye, eye + ahead, rng.normal(0, _ROLL))
        return None

    def free(self, eye: np.ndarray, room: str) -> bool:
        """True if a camera has room there, (3,) [m] in map: in that room, not in its walls or furniture."""
        around = eye[:2] + _WALL * np.array([[1, 0], [-1, 0], [0, 1], [0, -1]])
        if not all(points_in_polygon(self._rooms[room], (float(x), float(y))) for x, y in around):
            return False
        return not any(_within(eye, piece) for piece in self._house.furniture)


def looking(eye: np.ndarray, target: np.ndarray, roll: float = 0.0) -> np.ndarray:
    """T_map_camera (4, 4), optical frame, from `eye` to `target`, both (3,) [m] in map, turned about its axis by `roll`
    [rad]."""
    z = (target - eye) / np.linalg.norm(target - eye)
    x = np.cross(z, (0.0, 0.0, 1.0)) if abs(z[2]) < 0.999 else np.array([1.0, 0.0, 0.0])
    x /= np.linalg.norm(x)
    y = np.cross(z, x)
    c, s = math.cos(roll), math.sin(roll)
    return transform(np.stack([c * x + s * y, c * y - s * x, z], axis=1), eye)


def _within(eye: np.ndarray, piece: Furniture) -> bool:
    depth, width, height = size_of(piece)
    x, y = piece.pose2.inverse().apply(eye[:2])
    return bool(abs(x) < depth / 2 + _FURNITURE and abs(y) < width / 2 + _FURNITURE and eye[2] < height + _FURNITURE)
