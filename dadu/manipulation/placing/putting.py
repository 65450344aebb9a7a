"""Putting down: survey, hover over the spot that was chosen, lower until the thing stands, let go, confirm."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from dadu.core.geometry import Pose2
from dadu.core.robot import Command, Observation
from dadu.manipulation import sight
from dadu.manipulation.carry import reach
from dadu.manipulation.placing.contact import Touchdown
from dadu.manipulation.placing.planning import STEP, PlacePlan
from dadu.manipulation.placing.receptacle import PlaceGoal
from dadu.manipulation.room import drive_range
from dadu.robots import hand
from dadu.robots.body import Manipulator
from dadu.robots.gaze import look_at, look_back
from dadu.robots.ik import NoSolution
from dadu.robots.kinematics import Posture
from dadu.robots.motion import Motion, move, wait
from dadu.robots.poses import shifted
from dadu.skills.outcome import Code, Detail, SkillFailed
from dadu.skills.scene import Scene
from dadu.world.detection import DetectionFrame
from dadu.world.graph import Surface

BACK = 0.10
"""straight back from what was let go [m]"""


def survey(body: Manipulator, observation: Observation, scene: Scene, goal: PlaceGoal,
           ) -> Generator[Command, Observation, tuple[Observation, DetectionFrame]]:
    """Looks at the part of the surface before the arm. Errors: SkillFailed (not_seen)."""
    surface, before = goal.surfaces[0], observation
    observation = yield from look_at(body, observation, _before_arm(body, observation.base_pose, surface, goal))
    since = observation.stamp
    observation = yield from sight.fresh(observation, scene, since, body.settings.pick.look_time)
    frame = sight.current(scene, since)
    if frame is None:
        raise SkillFailed(Code.EXECUTION_FAILED, "no picture came from the camera; try again", Detail.NOT_SEEN)
    return (yield from look_back(body, observation, before)), frame


def reach_over(body: Manipulator, observation: Observation, goal: PlaceGoal, plan: PlacePlan) -> Motion:
    """From folded to hovering. Errors: SkillFailed (OBJECT_LOST, arm_stalled)."""
    observation = yield from reach(body, observation, plan.entry)
    if not hand.holding(observation, body.robot, body.settings.gripper):
        raise SkillFailed(Code.OBJECT_LOST, f"{goal.name} fell from the hand on the way; look for it and pick it again",
                          target=goal.name)
    return observation


def lower(body: Manipulator, observation: Observation, goal: PlaceGoal, plan: PlacePlan) -> Motion:
    """Down until the support carries the object."""
    touchdown = Touchdown(body, plan.descent)
    observation = yield from move(body, observation, plan.descent, plan.entry.origin, patient=True,
                                  least=STEP * len(plan.descent) / body.settings.place.descend_speed, until=touchdown)
    return (yield from wait(observation, 0.1))


def release(body: Manipulator, observation: Observation, plan: PlacePlan) -> Motion:
    """Lets go and leaves what was let go, along the fingers or upwards; the hand closes on its further way. Errors:
    SkillFailed (arm_stalled)."""
    aperture = min(body.robot.aperture_max, observation.aperture + 0.07)
    observation = yield from hand.open_hand(body, observation, aperture)
    if plan.over_rim:
        back, origin = [plan.entry.goal, *reversed(plan.entry.inward)], plan.entry.origin
    else:
        back, origin = _backwards(body, observation), observation.base_pose
    observation = yield from move(body, observation, back, origin, patient=True)
    return (yield from hand.set_opening(observation, body.settings.gripper.squeeze))


def _backwards(body: Manipulator, observation: Observation) -> list[Posture]:
    here = body.posture(observation)
    T = body.kinematics.tool_at(here)
    try:
        return body.line(T, shifted(T, -BACK * T[:3, 0]), here, drive_range(body, observation))
    except NoSolution:
        return []  # drawn in already


def standing(goal: PlaceGoal, plan: PlacePlan) -> np.ndarray:
    """(3,) [m, map]: the middle of what was put down."""
    return plan.spot.position + (0.0, 0.0, goal.size[2] / 2)


def confirm(body: Manipulator, observation: Observation, scene: Scene, goal: PlaceGoal, plan: PlacePlan,
            ) -> Generator[Command, Observation, tuple[Observation, bool]]:
    """Looks whether the object stands where it was put."""
    place = standing(goal, plan)
    observation = yield from look_at(body, observation, place)
    since = observation.stamp

    def there(frame: DetectionFrame) -> bool:
        return any(d.may_be(goal.category) and np.linalg.norm(d.centroid[:2] - place[:2]) < 0.12
                   and abs(d.points[:, 2].min() - plan.spot.surface.height) < max(0.05, 0.5 * goal.size[2])
                   for d in frame.detections)

    observation = yield from sight.fresh(observation, scene, since, 0.5 * body.settings.pick.look_time, there)
    frame = sight.current(scene, since)
    return observation, frame is not None and there(frame)


def _before_arm(body: Manipulator, base: Pose2, surface: Surface, goal: PlaceGoal) -> np.ndarray:
    """(3,) [m, map]: the point of the surface nearest to where the arm would put something, or to the reference."""
    heading = base.yaw + body.robot.arm_direction
    wish = np.array(base[:2]) + 0.6 * np.array([np.cos(heading), np.sin(heading)])
    if goal.beside is not None:
        wish = goal.beside.box.centre[:2]
    half = np.array(surface.size) / 2 - 0.05
    local = np.clip(surface.pose.inverse().apply(wish), -half, half)
    return np.array([*surface.pose.apply(local), surface.height])
