"""Collisions that a policy asks for: of the arm with what is seen, of the base with what the laser sees."""

from __future__ import annotations

import numpy as np

from dadu.core.geometry import Pose2
from dadu.core.robot import Observation, Twist
from dadu.manipulation.grasp.shape import UprightBox
from dadu.manipulation.policy.chunk import Steps
from dadu.manipulation.room import SIDE, obstacles
from dadu.motion.model import body_model
from dadu.motion.scene import CollisionScene
from dadu.robots.body import Manipulator
from dadu.robots.kinematics import Posture
from dadu.skills.scene import Scene
from dadu.world.boxes import OrientedBox

_DEEPER = 1e-4
"""[m] by which something comes nearer, and not by rounding"""
_SHORTEST = 0.05
"""[m] from the laser within which it sees the robot itself"""


def free_steps(body: Manipulator, observation: Observation, scene: Scene, steps: Steps, target: OrientedBox) -> int:
    """How many steps can be done before the arm would touch what the last picture shows, other than the target, or the
    base what the laser sees. What is touched already holds nothing up: the way out of it may be asked for."""
    around = None
    if scene.frame is not None:
        points = obstacles(body, observation, scene.graph, scene.frame, _prism(target))
        around = CollisionScene(body_model(body.kinematics), points=points)
    met = _scanned(observation)
    here, place = body.posture(observation), Pose2(0.0, 0.0, 0.0)
    touches = around is not None and not around.free([here], observation.aperture)
    for count, (joints, aperture, twist) in enumerate(zip(steps.joints, steps.apertures, steps.twists, strict=True)):
        ahead = _moved(place, twist, steps.dt)
        if twist != Twist() and _deepest(body, met, ahead) > _deepest(body, met, place) + _DEEPER:
            return count
        place = ahead
        posture = Posture({**here.joints, **joints}, place.x)
        if around is not None and not touches and not around.free([posture], max(aperture, 0.0)):
            return count
    return len(steps.joints)


def _prism(box: OrientedBox) -> UprightBox:
    x, y, z = box.centre
    return UprightBox(np.array([x, y]), float(np.arctan2(box.R[1, 0], box.R[0, 0])), (box.size[0], box.size[1]),
                      z - box.size[2] / 2, z + box.size[2] / 2)


def _scanned(observation: Observation) -> np.ndarray:
    scan = observation.scan
    if scan is None:
        return np.zeros((0, 2))
    rays = np.flatnonzero(np.isfinite(scan.ranges) & (scan.ranges > _SHORTEST))
    return scan.ends(rays[~scan.on_floor(rays)])


def _deepest(body: Manipulator, met: np.ndarray, place: Pose2) -> float:
    """How far within the base, and `SIDE` about it, the laser's points of where the steps begin are at `place` [m]."""
    there = place.inverse().apply(met) if len(met) else met
    low, high = body.robot.footprint.min(axis=0) - SIDE, body.robot.footprint.max(axis=0) + SIDE
    return float(np.minimum(there - low, high - there).min(axis=1).max(initial=0.0))


def _moved(place: Pose2, twist: Twist, dt: float) -> Pose2:
    return place * Pose2(twist.vx * dt, twist.vy * dt, twist.wz * dt)
