"""Choosing a grasp that the arm can carry out here and now, and carrying it out."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from dadu.core.geometry import inverse, rotation_z, transform
from dadu.core.robot import Command, Observation
from dadu.manipulation.carry import reach
from dadu.manipulation.failure_memory import FailureMemory
from dadu.manipulation.grasp.shape import UprightBox
from dadu.manipulation.grasp.synthesis import Grasp, synthesise
from dadu.manipulation.grasp.target import Target
from dadu.manipulation.room import drive_range, obstacles
from dadu.motion.model import body_model
from dadu.motion.plan import NARROW, RISES, Blocked, ReachEntry, interpolate_postures, plan_entry, raised
from dadu.motion.scene import CollisionScene, Load
from dadu.robots.body import Manipulator
from dadu.robots.ik import NoSolution
from dadu.robots.kinematics import Posture
from dadu.robots.motion import Motion, move
from dadu.robots.poses import shifted
from dadu.skills.outcome import Code, Detail, SkillFailed
from dadu.skills.scene import Scene

ROOMIER = 8
"""so many more grasps are tried for one with which there is room to fold the arm"""
STOOP = 0.4
"""share of the usual straight way into a grasp from above, where the arm gets no higher: flat things on worktops"""
SEARCHED = 3
"""blocked grasps for which any way is looked for, where none has a straight one"""
LIFTS = (1.0, 0.6, 0.3)
"""shares of the height to lift to that are tried"""


@dataclass(frozen=True)
class GraspPlan:
    """A grasp with the motions that lead to it and away."""

    grasp: Grasp
    opening: float
    """of the fingers before closing [m]"""
    entry: ReachEntry
    approach: tuple[Posture, ...]
    """straight into the grasp"""
    lift: tuple[Posture, ...]
    """straight up from it"""
    over: float = 0.0
    """how much higher than the hand unfolded there is room to fold it with the thing [m]"""


def choose(body: Manipulator, observation: Observation, scene: Scene, target: Target, failures: FailureMemory,
           ) -> Generator[Command, Observation, tuple[Observation, GraspPlan]]:
    """The best grasp that is within reach and clear of everything seen, if possible with the thing in the hand on the
    way back, too; those unlike `failures` come first.

    Plans one candidate a tick. Errors: SkillFailed (too_wide, ik_failed, collision).
    """
    robot, settings = body.robot, body.settings
    arm_heading = observation.base_pose.yaw + robot.arm_direction
    candidates = synthesise(robot, target.box, arm_heading, settings.gripper, settings.pick)
    if not candidates:
        raise SkillFailed(Code.EXECUTION_FAILED, f"no way to grasp {target.id}: it is wider than the gripper opens "
                          f"({100 * robot.aperture_max:.0f} cm); another object may do", Detail.TOO_WIDE)
    base, place = observation.base_pose, target.place
    candidates.sort(key=lambda grasp: grasp.cost + failures.cost(target.id, place, grasp, base))
    things = obstacles(body, observation, scene.graph, target.frame, target.box)
    around, drive = CollisionScene(body_model(body.kinematics), points=things), drive_range(body, observation)
    blocked: list[tuple[Grasp, Blocked]] = []
    tight, looked = None, 0
    for grasp in candidates:
        observation = yield Command()
        looked += tight is not None
        if looked == ROOMIER:
            break
        try:
            plan = _plan(body, observation, target, grasp, drive, around)
        except Blocked as why:
            blocked.append((grasp, why))
            continue
        except NoSolution:
            continue
        over = _rise_to_fold(body, plan, around.carrying(_load(target.box, grasp)))
        if over is not None:
            return observation, replace(plan, over=over)
        tight = tight or plan
    if tight is not None:
        return observation, tight
    for grasp, _ in blocked[:SEARCHED]:
        observation = yield Command()
        with suppress(NoSolution):
            return observation, _plan(body, observation, target, grasp, drive, around, search=True)
    if blocked:
        raise SkillFailed(Code.EXECUTION_FAILED, f"things around {target.id} leave no room for the gripper: "
                          f"{blocked[0][1]}; move them or go_to another side", Detail.COLLISION)
    raise SkillFailed(Code.EXECUTION_FAILED, f"the arm cannot reach {target.id} from here; go_to({target.id}) to stand "
                      f"better", Detail.IK_FAILED)


def reach_in(body: Manipulator, observation: Observation, plan: GraspPlan) -> Motion:
    """From folded to around the object. Errors: SkillFailed (arm_stalled)."""
    origin, entry = plan.entry.origin, plan.entry
    observation = yield from reach(body, observation, entry, plan.opening)
    return (yield from move(body, observation, plan.approach, origin))


def lift_out(body: Manipulator, observation: Observation, plan: GraspPlan) -> Motion:
    """Straight up, the fingers closed. Errors: SkillFailed (arm_stalled)."""
    return (yield from move(body, observation, plan.lift, plan.entry.origin))


def _plan(body: Manipulator, observation: Observation, target: Target, grasp: Grasp, drive: tuple[float, float],
          scene: CollisionScene, *, search: bool = False) -> GraspPlan:
    T_grasp = inverse(observation.base_pose.matrix()) @ grasp.T_map_tool
    last = body.solve(T_grasp, body.ready(observation), drive)
    blocked = Blocked("the gripper would touch something beside the object")
    failure: NoSolution | None = None
    for back in _approaches(body, grasp, target):
        T_entry = shifted(T_grasp, -back * T_grasp[:3, 0])
        try:
            entry = body.solve(T_entry, last, drive)
        except NoSolution as error:
            failure = failure or error
            continue
        approach, failure = body.line(T_entry, T_grasp, entry, drive), blocked
        for opening in grasp.openings:
            try:
                way = plan_entry(body, body.posture(observation), observation.base_pose, entry, scene, opening,
                                 search=search)
            except Blocked:
                continue
            if scene.free(approach, opening):
                lift = lift_way(body, T_grasp, approach[-1], target, grasp, back)
                return GraspPlan(grasp, opening, way, tuple(approach), tuple(lift))
    raise failure or blocked


def _load(box: UprightBox, grasp: Grasp) -> Load:
    """The box as it will be held."""
    T_map_box = transform(rotation_z(box.yaw), (*box.centre, (box.bottom + box.top) / 2))
    return Load(inverse(grasp.T_map_tool) @ T_map_box, np.array([*box.size, box.height]))


def _rise_to_fold(body: Manipulator, plan: GraspPlan, scene: CollisionScene) -> float | None:
    """How far above where it unfolds the arm can be folded with what it holds [m]; None where it cannot."""
    for rise in RISES:
        unfolded, folded = raised(body, plan.entry.unfolded, rise), raised(body, plan.entry.folded, rise)
        if scene.free(interpolate_postures(unfolded, folded), NARROW):
            return rise
    return None


def _approaches(body: Manipulator, grasp: Grasp, target: Target) -> tuple[float, ...]:
    """Lengths of the straight way into the grasp to try [m]: from above it may have to begin over a rim, or lower than
    is comfortable, where the arm gets no higher."""
    usual, above = body.settings.pick.approach, 0.5 * target.box.height
    if grasp.tilt == 0.0:
        return (usual,)
    return usual + above, usual + above + 0.1, usual + above + 0.2, STOOP * usual + above


def lift_way(body: Manipulator, T_grasp: np.ndarray, start: Posture, target: Target, grasp: Grasp,
             back: float) -> list[Posture]:
    """Straight up; what was reached from above leaves as high as the hand came. On a high board less has to do where
    the arm goes no higher. Errors: NoSolution where it goes no higher at all."""
    height = max(body.settings.pick.lift, back * np.sin(grasp.tilt))
    if target.surface is not None:
        height = min(height, max(0.015, target.surface.clearance - target.box.height - 0.03))
    for share in LIFTS:
        try:
            return body.line(T_grasp, shifted(T_grasp, (0.0, 0.0, share * height)), start)
        except NoSolution:
            continue
    raise NoSolution("the arm cannot lift it there")
