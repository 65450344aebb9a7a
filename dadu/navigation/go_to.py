"""go_to: drive to a pose, around what is in the way, and look at what is there."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field

import numpy as np

from dadu.core.geometry import Pose2, wrap
from dadu.core.robot import Command, JointTrajectory, Observation, RobotDescription, Twist
from dadu.navigation.arm_while_driving import ArmMotionWhileDriving
from dadu.navigation.controller import Controller, ControllerSettings, Status
from dadu.navigation.costmap import Costmap
from dadu.navigation.external_navigator import Navigator, drive_by
from dadu.navigation.footprint import Footprint
from dadu.navigation.head_motion import glance, points_facing_arm
from dadu.navigation.moving.give_way import RightOfWay
from dadu.navigation.path_planner import NoPath, Reason
from dadu.navigation.posture import driving_footprint, stow
from dadu.navigation.recovery import RECOVERIES, RecoverySettings
from dadu.navigation.release_arm import let_go, stow_elsewhere
from dadu.navigation.route import Leg, plan_route
from dadu.navigation.standing.open_parts import open_parts
from dadu.navigation.survey import Survey
from dadu.robots import hand
from dadu.robots.kinematics import Kinematics
from dadu.robots.own_hits import COVERED
from dadu.skills.generator import Skill
from dadu.skills.outcome import Code, Detail, SkillFailed, SkillResult
from dadu.skills.scene import Scene

MOVED = 0.1
"""what counts as progress [m]"""
PATIENCE = 15.0
"""without any [s]: it may take half of that to turn about"""


@dataclass
class ProgressChecker:
    """Tells a drive that gets nowhere, as Nav2's SimpleProgressChecker tells it."""

    _pose: Pose2 | None = None
    _since: float = 0.0

    def stalled(self, observation: Observation) -> bool:
        """True if the base has been at one place for too long."""
        pose, last = observation.base_pose, self._pose
        if last is None or math.dist(pose[:2], last[:2]) > MOVED:
            self._pose, self._since = pose, observation.stamp
        return observation.stamp > self._since + PATIENCE


_PATIENCE = 0.6  # a blocked velocity must last so long [s]: noise and passers-by go away
_REPLAN = 1.0  # the rest of the path is checked for new obstacles this often [s]
_REACHED = 0.03, 0.05  # the goal counts as reached within these [m, rad]
_NEARLY = 0.1, 0.15  # and within these where it is chased in vain: a map that is being made shifts as the base turns
_STILL = 0.003, 0.01, 0.08  # a base that moves by less [m, rad] in such a time [s] stands...
_STANDS = 1.0  # ...which is waited for as long [s]
_AT_GOAL = 0.3  # from which on what is left to drive is no way any more [m]


@dataclass
class Drive:
    """A drive in progress, for whoever watches it."""

    costmap: Costmap
    controller: ControllerSettings = ControllerSettings()
    """may be replaced at any time, as `recovery`: a drive under way goes on by it"""
    recovery: RecoverySettings = RecoverySettings()
    rank: int = 0
    """among the robots of a home: who is behind gives way to who is before"""
    route: list[Leg] = field(default_factory=list)
    remaining: float = 0.0
    """[m]"""
    recoveries: int = 0
    started: float = 0.0
    """[s]"""
    viewpoints: int = 0
    """places that `explore` looked from"""
    survey: Survey = field(default_factory=Survey)
    """what `explore` has looked at"""
    navigator: Navigator | None = None
    """who drives in our place; the rest is then of no use but the costmap, by which `explore` finds its viewpoints"""

    def take_map(self, scene: Scene) -> None:
        """Goes on with the scene's map where that was drawn anew."""
        if scene.map is not None and scene.map is not self.costmap.map:
            self.costmap.set_map(scene.map)


def go_to(robot: RobotDescription, scene: Scene, pose: Pose2, drive: Drive | None = None,
          look: Sequence[np.ndarray] | None = None, work: np.ndarray | None = None) -> Skill:
    """Drives base_link to `pose` in map: within 3 cm and 3 degrees, normally half of that, or within 10 cm and 9
    degrees where that is chased in vain; then looks at the points `look` (each (3,) [m] in base_link), by default over
    what lies before the arm, as `dadu.navigation.standing.base_placement` puts that side to the target. A head is
    turned there already while the base turns last; without points to look at to where the arm points, for what is done
    there. `work` (3,) [m, map] is a point where something is done then: head and hand are led to it while the base
    turns last.

    `drive` shares the costmap between drives and shows progress. Fails with EXECUTION_FAILED (path_blocked,
    arm_stalled), with TOO_FAR where the base is fixed elsewhere, or UNREACHABLE_BACKEND when there is no map; where
    somebody else drives, as `drive_by` does.
    """
    observation = yield Command()
    if scene.map is None:
        return SkillResult(Code.UNREACHABLE_BACKEND, "there is no map to drive by yet; try again soon")
    if observation.scan is not None and observation.scan.covered:
        return SkillResult(Code.UNREACHABLE_BACKEND, COVERED)
    if robot.fixed and not _reached(observation.base_pose, pose):
        return SkillResult(Code.TOO_FAR, f"the base of {robot.name} is fixed; choose what is in its reach from where "
                           "it stands, or have it brought")
    drive = drive or Drive(Costmap(scene.map, robot))
    drive.started, drive.recoveries = observation.stamp, 0
    look = points_facing_arm(robot) if look is None else look
    try:
        arm_motion = yield from _set_off(robot, scene, pose, drive, look, work)
        failure = None
        if drive.navigator is not None:
            yield from drive_by(drive.navigator, scene, pose, arm_motion)
        elif not robot.fixed:
            failure = yield from _get_there(robot, scene, pose, drive, arm_motion)
    except SkillFailed as failed:
        return failed.result
    if failure is not None:
        return SkillResult(Code.EXECUTION_FAILED, f"cannot get there: {failure.value}; "
                           "try another target, or another side of it", Detail.PATH_BLOCKED)
    scene.phase = "look"
    observation = yield Command(base=Twist())
    observation = yield Command(joints=None if arm_motion.arriving else arm_motion.arrive(observation))
    yield from glance(robot, Kinematics(robot), observation, look)
    return SkillResult(Code.SUCCEEDED, "arrived")


def _set_off(robot: RobotDescription, scene: Scene, pose: Pose2, drive: Drive, look: Sequence[np.ndarray],
             work: np.ndarray | None) -> Generator[Command, Observation, ArmMotionWhileDriving]:
    """Folds the arm, and begins what arm and head do on the way. Errors: SkillFailed."""
    scene.phase = "fold"
    observation = yield from let_go(robot, scene, drive.costmap, (yield Command()))
    holding = scene.graph.held() is not None or hand.holding(observation, robot)
    kinematics = Kinematics(robot)
    folded = yield from stow(robot, observation, holding, lift=kinematics.lift)
    if not folded.ok:
        observation = yield Command()
        _prepare(drive.costmap, kinematics, scene, observation)
        folded = yield from stow_elsewhere(robot, drive.costmap, holding, lift=kinematics.lift)
    if not folded.ok:
        raise SkillFailed(folded.code, folded.message, folded.detail)
    observation = yield Command()
    arm_motion = ArmMotionWhileDriving(kinematics, pose, look, work, holding)
    first = arm_motion.arrive if _reached(observation.base_pose, pose) else arm_motion.set_off
    observation = yield Command(joints=first(observation))
    _prepare(drive.costmap, kinematics, scene, observation)
    return arm_motion


def _prepare(costmap: Costmap, kinematics: Kinematics, scene: Scene, observation: Observation) -> None:
    """What this drive has to respect beside the map: the hand sticking out, doors and drawers standing open."""
    outline = driving_footprint(kinematics, observation.joints)
    costmap.footprint = Footprint(outline, costmap.map.resolution / 2)
    costmap.block(open_parts(scene.graph), stands=observation.base_pose)


def _get_there(robot: RobotDescription, scene: Scene, pose: Pose2, drive: Drive, arm_motion: ArmMotionWhileDriving
               ) -> Generator[Command, Observation, Reason | None]:
    """Tries, and recovers, until `pose` is reached (None) or nothing is left to try. Errors: SkillFailed."""
    recoveries, open_doors = iter(RECOVERIES), bool(open_parts(scene.graph))
    right_of_way = RightOfWay(drive.costmap, pose, drive.rank)
    while True:
        failure = yield from _attempt(robot, scene, pose, drive, arm_motion)
        if failure is None:
            return None
        if right_of_way.in_the_way((yield Command(base=Twist())).stamp):
            scene.phase = "give_way"
            yield from right_of_way.give_way(lambda place: _attempt(robot, scene, place, drive, arm_motion))
            continue
        if failure is Reason.NO_PATH and open_doors:
            # Doors are not quite where memory has them, and would shut a robot in for ever: laser and camera see them.
            open_doors = False
            drive.costmap.block(())
            continue
        hopeless = not drive.costmap.could_fit(pose) or (
            failure is Reason.NO_PATH and not drive.costmap.saw_obstacles)
        recovery = None if hopeless else next(recoveries, None)
        if recovery is None:
            return failure
        drive.recoveries += 1
        scene.phase = recovery.__name__
        yield from recovery(robot, drive.costmap, drive.recovery)


def _attempt(robot: RobotDescription, scene: Scene, goal: Pose2, drive: Drive, arm_motion: ArmMotionWhileDriving
             ) -> Generator[Command, Observation, Reason | None]:
    """Plans and follows until `goal` is reached (None) or something stays in the way. Errors: SkillFailed."""
    controller, progress = Controller(robot, drive.costmap, drive.controller), ProgressChecker()
    observation = yield Command()
    while True:
        drive.take_map(scene)
        drive.costmap.update(observation)
        scene.phase = "plan"
        try:
            drive.route = plan_route(drive.costmap, observation.base_pose, goal)
        except NoPath as error:
            return error.reason
        scene.phase = "drive"
        if arm_motion.arriving and sum(leg.length for leg in drive.route) > _AT_GOAL:  # it was there, but is no more
            observation = yield Command(base=controller.velocity, joints=arm_motion.set_off(observation))
        ended = yield from _follow(drive, controller, arm_motion, progress)
        observation = yield Command(base=Twist() if ended is Status.BLOCKED else controller.velocity)
        if ended is Status.ARRIVED:
            observation = yield from _stand(observation)
        close = _NEARLY if progress.stalled(observation) else _REACHED
        if ended is not Status.DRIVING and _reached(observation.base_pose, goal, *close):
            drive.route = []
            return None
        if ended is Status.BLOCKED:
            return Reason.NO_PATH


def _follow(drive: Drive, controller: Controller, arm_motion: ArmMotionWhileDriving, progress: ProgressChecker
            ) -> Generator[Command, Observation, Status]:
    """Drives the route: ARRIVED at its end, DRIVING when it should be planned anew, BLOCKED when nothing helps."""
    observation = yield Command(base=controller.velocity)
    then, checked, stuck = observation.stamp, observation.stamp, 0.0
    for i, leg in enumerate(drive.route):
        controller.begin(leg)
        left = sum(rest.length for rest in drive.route[i + 1:])
        status = Status.DRIVING
        while status is not Status.ARRIVED:
            drive.costmap.update(observation)
            since, then, controller.settings = max(observation.stamp - then, 1e-3), observation.stamp, drive.controller
            twist, status = controller.step(observation.base_pose, since)
            drive.remaining = controller.remaining + left
            stuck = stuck + since if status is Status.BLOCKED else 0.0
            if stuck > _PATIENCE or progress.stalled(observation):
                return Status.BLOCKED
            if observation.stamp - checked > _REPLAN:
                checked = observation.stamp
                if not leg.straight and controller.obstructed():
                    return Status.DRIVING
            if twist.speed != 0.0 and not leg.straight and arm_motion.lift_moves(observation):
                twist = controller.brake(since)
            on_the_spot = controller.turning_to_end and twist.speed == 0.0
            observation = yield Command(base=twist, joints=_arrives(arm_motion, observation, on_the_spot, left))
    return Status.ARRIVED


def _stand(observation: Observation) -> Generator[Command, Observation, Observation]:
    """Until the base stands as its pose shows, not as it was told: on a machine that halts it drives on meanwhile."""
    until = observation.stamp + _STANDS
    while True:
        before, observation = observation, (yield Command(base=Twist()))
        while observation.stamp < before.stamp + _STILL[2]:
            observation = yield Command(base=Twist())
        if _reached(observation.base_pose, before.base_pose, *_STILL[:2]) or observation.stamp > until:
            return observation


def _arrives(arm_motion: ArmMotionWhileDriving, observation: Observation, on_the_spot: bool, left: float
             ) -> JointTrajectory | None:
    """What arm and head begin while the base turns last, `left` [m] before the goal."""
    return arm_motion.arrive(observation) if on_the_spot and left < _AT_GOAL and not arm_motion.arriving else None


def _reached(pose: Pose2, goal: Pose2, xy: float = _REACHED[0], yaw: float = _REACHED[1]) -> bool:
    return bool(np.hypot(goal.x - pose.x, goal.y - pose.y) < xy and abs(wrap(goal.yaw - pose.yaw)) < yaw)
