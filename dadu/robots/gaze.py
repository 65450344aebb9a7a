"""Pointing the camera: joints of the head, or of the arm that carries it, that put a point on the optical axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import least_squares

from dadu.core.geometry import Pose2, apply, inverse
from dadu.core.robot import Observation
from dadu.robots.body import Manipulator
from dadu.robots.kinematics import Kinematics, Posture
from dadu.robots.motion import Motion, move, wait

_SPOT_ON = 1e-8
"""a miss as good as none: half the square of an angle [rad^2]"""
_LOOKS = 0.12
"""a camera this near to where it should look need not be turned [rad]"""
BEND = 0.05
"""weight of a radian away from the stowed arm, against the sine of the angle missed"""


def look_joints(kinematics: Kinematics, joints: Mapping[str, float], point: ArrayLike) -> dict[str, float]:
    """Joints that look at `point` (3,) [m] in base_link, within limits; the nearest there is when out of sight: of the
    head, or of the arm where it carries the camera; empty where the camera is fixed."""
    if kinematics.camera_on_arm:
        return _aim_arm(kinematics, joints, np.asarray(point, float))
    return _aim_head(kinematics, joints, np.asarray(point, float)) if kinematics.robot.head_joints else {}


def _aim_head(kinematics: Kinematics, joints: Mapping[str, float], point: np.ndarray) -> dict[str, float]:
    head = kinematics.robot.head_joints
    lower, upper = _limits(kinematics, head)

    def miss(angles: np.ndarray) -> np.ndarray:
        return _optical_axis_error(kinematics, {**joints, **dict(zip(head, angles, strict=True))}, point)

    # Pan is periodic but limited: start on both sides and take the best.
    starts = [np.clip((pan, -0.5), lower, upper) for pan in (0.0, -1.6, -3.0, 1.6)] if len(head) == 2 else [lower]
    found = []
    for start in starts:
        found.append(least_squares(miss, start, bounds=(lower, upper), xtol=1e-6))
        if found[-1].cost < _SPOT_ON:
            break
    best = min(found, key=lambda solution: solution.cost)
    return {name: float(angle) for name, angle in zip(head, best.x, strict=True)}


def _aim_arm(kinematics: Kinematics, joints: Mapping[str, float], point: np.ndarray) -> dict[str, float]:
    """The arm as stowed, but turned about its first joint and bent just enough, the picture's horizon level."""
    robot = kinematics.robot
    lower, upper = _limits(kinematics, robot.arm_joints)
    stowed = np.array([robot.stow[name] for name in robot.arm_joints])

    def miss(angles: np.ndarray) -> np.ndarray:
        posed = dict(zip(robot.arm_joints, angles, strict=True))
        horizon = kinematics.camera(posed)[2, 0]
        return np.array([*_optical_axis_error(kinematics, posed, point), 0.3 * horizon, *BEND * (angles - stowed)[1:]])

    starts = [np.clip([first, *stowed[1:]], lower + 1e-6, upper - 1e-6)
              for first in np.arange(lower[0], upper[0] + 0.1, np.pi / 2)]
    found = (least_squares(miss, start, bounds=(lower, upper), xtol=1e-4) for start in starts)
    now = joints.get(robot.arm_joints[0], stowed[0])
    best = min(found, key=lambda solution: solution.cost + 1e-3 * abs(solution.x[0] - now))
    return {name: float(angle) for name, angle in zip(robot.arm_joints, best.x, strict=True)}


def _optical_axis_error(kinematics: Kinematics, joints: Mapping[str, float], point: np.ndarray) -> np.ndarray:
    """(3,): how far `point` is from the optical axis, as a difference of unit vectors; the third tells ahead from
    behind."""
    seen = apply(inverse(kinematics.camera(joints)), point)
    return seen / np.linalg.norm(seen) - (0.0, 0.0, 1.0)


def _limits(kinematics: Kinematics, names: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    limits = [kinematics.robot.joints[name] for name in names]
    return np.array([limit.lower for limit in limits]), np.array([limit.upper for limit in limits])


def look_at(body: Manipulator, observation: Observation, point: ArrayLike, *, settle: float = 0.2) -> Motion:
    """Turns the head, or the arm that carries the camera, until it looks at `point` (3,) [m] in map, and lets it stand
    still for `settle` [s]."""
    here = observation.base_pose
    local = apply(inverse(here.matrix()), point)
    joints = look_joints(body.kinematics, observation.joints, local)
    if max((abs(angle - observation.joints.get(name, angle)) for name, angle in joints.items()), default=0.0) < _LOOKS:
        return observation
    goal = body.posture(observation).with_joints(joints)
    observation = yield from move(body, observation, [goal], here, patient=True)
    return (yield from wait(observation, settle))


def looking(body: Manipulator, posture: Posture, origin: Pose2, point: ArrayLike) -> Posture:
    """`posture`, whose drive counts from `origin` (map), with the head turned to `point` (3,) [m] in map: a head can
    look ahead of the arm. As it is where the arm carries the camera."""
    if body.kinematics.camera_on_arm:
        return posture
    local = apply(inverse(body.robot.shifted(origin, posture.drive).matrix()), point)
    return posture.with_joints(look_joints(body.kinematics, posture.joints, local))


def look_back(body: Manipulator, observation: Observation, before: Observation) -> Motion:
    """Where the arm had to move to look: back to how it was `before`, as what it holds was carried."""
    if not body.kinematics.camera_on_arm:
        return observation
    return (yield from move(body, observation, [body.posture(before)], observation.base_pose))
