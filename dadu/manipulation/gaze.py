"""Pointing the head: pan and tilt that put a point on the camera's optical axis."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.optimize import least_squares

from dadu.geometry import apply, inverse
from dadu.manipulation.body import Body
from dadu.manipulation.kinematics import Kinematics
from dadu.manipulation.motion import Motion, move, wait
from dadu.robot import Observation


def look_joints(kinematics: Kinematics, joints: Mapping[str, float], point) -> dict[str, float]:
    """Head joints that look at `point` (3,) [m] in base_link, within limits; the nearest there is when out of sight.

    Empty for a robot whose camera sits on the arm.
    """
    head = kinematics.robot.head_joints
    if not head:
        return {}
    lower = np.array([kinematics.robot.joints[name].lower for name in head])
    upper = np.array([kinematics.robot.joints[name].upper for name in head])

    def miss(angles: np.ndarray) -> np.ndarray:
        seen = apply(inverse(kinematics.camera({**joints, **dict(zip(head, angles, strict=True))})), np.asarray(point))
        # The third row tells ahead from behind.
        return seen / np.linalg.norm(seen) - (0.0, 0.0, 1.0)

    # Pan is periodic but limited: start on both sides and take the best.
    starts = [np.clip((pan, -0.5), lower, upper) for pan in (0.0, -1.6, -3.0, 1.6)] if len(head) == 2 else [lower]
    best = min((least_squares(miss, start, bounds=(lower, upper), xtol=1e-6) for start in starts),
               key=lambda solution: solution.cost)
    return {name: float(angle) for name, angle in zip(head, best.x, strict=True)}


def look_at(body: Body, observation: Observation, point, *, settle: float = 0.2) -> Motion:
    """Turns the head until the camera looks at `point` (3,) [m] in map, and lets it stand still for `settle` [s]."""
    here = observation.base_pose
    local = apply(inverse(here.matrix()), np.asarray(point, float))
    joints = look_joints(body.kinematics, observation.joints, local)
    if not joints:
        return observation
    goal = body.posture(observation).with_joints(joints)
    observation = yield from move(body, observation, [goal], here, patient=True)
    return (yield from wait(observation, settle))
