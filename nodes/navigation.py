"""Node ``navigation``: /scan, depth, tf, /world_graph -> /map, /plan, /cmd_vel_nav, tf map -> odom, and for who listens
/global_costmap/costmap and /local_costmap/costmap; actions /drive_to_pose, /navigate_to_pose,
/navigate_through_poses and /explore; a pose on /goal_pose is driven to as a goal of /navigate_to_pose.

The result of /navigate_to_pose carries our outcome: `error_code` is its code (0: arrived), `error_msg` its detail and
sentence, see `dadu_nodes.support.convert.navigation`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from dadu_interfaces import action
from dadu_interfaces.action import Explore
from dadu_nodes.support import qos
from dadu_nodes.support.actions.lifecycle import ManagedNode
from dadu_nodes.support.clock import duration, stamp
from dadu_nodes.support.convert.encode import encode
from dadu_nodes.support.convert.geometry import planar_pose
from dadu_nodes.support.convert.navigation import (
    correction_message,
    navigate_result,
    navigate_through_result,
    path_message,
)
from dadu_nodes.support.convert.sensors import map_message
from dadu_nodes.support.convert.skills import drive_context
from dadu_nodes.support.listening.depth import DepthListener
from dadu_nodes.support.listening.scene import SceneListener
from dadu_nodes.support.listening.true_pose import TruePose
from dadu_nodes.support.localisation import Localisation
from dadu_nodes.support.node import run
from dadu_nodes.support.ros_robot import RosRobot
from dadu_nodes.support.skill_server import SkillServer
from dadu_nodes.support.transforms import map_pose_soon
from geometry_msgs.msg import PoseStamped
from nav2_msgs.action import NavigateThroughPoses, NavigateToPose
from nav_msgs.msg import OccupancyGrid, Path
from pydantic import PositiveFloat
from rclpy.action import ActionClient
from std_msgs.msg import Header
from tf2_msgs.msg import TFMessage

from dadu.core.errors import NotUsable
from dadu.core.geometry import Pose2
from dadu.core.received_pose import PoseRefused
from dadu.core.robot import Observation
from dadu.navigation.controller import ControllerSettings
from dadu.navigation.costmap import Costmap, CostmapSettings
from dadu.navigation.go_to import Drive
from dadu.navigation.localisation.mapping import MappingLocaliser
from dadu.navigation.moving.give_way import robot_rank
from dadu.navigation.recovery import RecoverySettings
from dadu.navigation.route import Leg
from dadu.operator.body_lease import BodyPart
from dadu.planner.loop.skill_context import SkillContext
from dadu.robots import load_robot
from dadu.skills.call import SkillCall
from dadu.skills.generator import Skill
from dadu.skills.outcome import Code, SkillResult
from dadu.stacks.binding import Equipment, begin
from dadu.stacks.site import SiteSettings, load_site
from dadu.world.occupancy import OccupancyMap

_MOVES = (BodyPart.BASE, BodyPart.ARM, BodyPart.HEAD)
"""the arm is folded for driving, the head looks ahead; what the hand holds it goes on holding"""


class NavigationSettings(SiteSettings):
    robot: str = "stretch"
    """a name in config/robots/, or a file like those"""
    depth: bool = True
    """whether the depth camera's obstacles count"""
    true_pose: bool = False
    """privilege: where the robot truly is, from the simulator, instead of localisation"""
    deadline: PositiveFloat = 240.0
    """[s] for one drive"""
    autostart_node: bool = True
    """active from its start; false: once a lifecycle manager has configured and activated it"""
    costmap: CostmapSettings = CostmapSettings()
    controller: ControllerSettings = ControllerSettings()
    recovery: RecoverySettings = RecoverySettings()


class SeeingRobot(RosRobot):
    """A robot whose observations hold the newest depth picture."""

    depth: DepthListener | None = None

    def observe(self) -> Observation:
        return replace(super().observe(), camera=self.depth.newest() if self.depth else None)


class NavigationNode(ManagedNode[NavigationSettings]):
    """Drives, explores, and keeps the robot localised."""

    live = ("deadline", "localisation", "costmap", "controller", "recovery")

    def __init__(self) -> None:
        super().__init__("navigation", NavigationSettings)
        settings, description = self.settings, load_robot(self.settings.robot)
        self._robot = SeeingRobot(self, description, scan=True, newest=False)
        if settings.depth:
            self._robot.depth = DepthListener(self, self._robot.transforms)
        self._listener = SceneListener(self)
        self._scene = self._listener.scene
        self._site = site = load_site(settings, description, self.run_dir / "map.yaml")
        self._drive = Drive(Costmap(site.map, description, settings.costmap), settings.controller, settings.recovery,
                            rank=robot_rank(self.get_namespace()))
        self._use = Equipment(description, self._scene, self._drive)
        self._path_sent: list[Leg] = []
        self._map = self.create_publisher(OccupancyGrid, "map", qos.LATCHED)
        self._plan = self.create_publisher(Path, "plan", qos.LATCHED)
        self._costmap = self.create_publisher(OccupancyGrid, "global_costmap/costmap", qos.LATCHED)
        self._near = self.create_publisher(OccupancyGrid, "local_costmap/costmap", qos.LATCHED)
        self._take(site.map)
        tf, sent = self.create_publisher(TFMessage, "/tf", qos.TF), self.frames.sent
        self._localisation = Localisation(self, self._robot.transforms, site.localiser,
                                          description.footprint,
                                          lambda pose, time: tf.publish(sent(correction_message(pose, time))),
                                          TruePose(self, self._robot.transforms) if settings.true_pose else None)
        self._ahead = 0
        """poses that a drive through several has yet to reach"""
        server = self._serve()
        self._goals = ActionClient(self, NavigateToPose, "navigate_to_pose")
        self.create_subscription(PoseStamped, "goal_pose", self._on_goal, qos.STATE)
        self.create_timer(1.0, self._show)
        self.manage(server, settings.autostart_node)

    def _take_settings(self, settings: NavigationSettings) -> None:
        """Also for a drive under way; its path is found anew once something has come into it."""
        super()._take_settings(settings)
        self._drive.controller, self._drive.recovery = settings.controller, settings.recovery
        self._site.localiser.settings = settings.localisation
        if settings.costmap != self._drive.costmap.settings:
            self._drive.costmap.take_settings(settings.costmap)

    def _serve(self) -> SkillServer:
        server = SkillServer(self, self._robot, self._listener)
        server.serve(action.Drive, "drive_to_pose", self._drive_to,
                     lambda ended: action.Drive.Result(outcome=encode.result(ended)), feedback=self._progress_of_drive,
                     deadline=lambda: self.settings.deadline, parts=_MOVES)
        server.serve(NavigateToPose, "navigate_to_pose", self._go_to, navigate_result, feedback=self._progress,
                     deadline=lambda: self.settings.deadline, parts=_MOVES)
        server.serve(NavigateThroughPoses, "navigate_through_poses", self._go_through, navigate_through_result,
                     feedback=self._progress_through, deadline=lambda: self.settings.deadline, parts=_MOVES)
        server.serve(
            Explore, "explore",
            lambda goal: begin(self._use, SkillCall("explore", (goal.room,))),
            lambda ended: Explore.Result(outcome=encode.result(ended), viewpoints=self._drive.viewpoints),
            feedback=lambda phase: Explore.Feedback(phase=phase, viewpoints=self._drive.viewpoints),
            deadline=lambda: self.settings.deadline, parts=_MOVES)
        return server

    def _on_goal(self, pose: PoseStamped) -> None:
        """RViz's and Foxglove's tool for a goal; what becomes of it is in the log."""
        self._goals.send_goal_async(NavigateToPose.Goal(pose=pose))

    async def _drive_to(self, goal: action.Drive.Goal) -> Skill | SkillResult:
        try:
            return await self._go_along([goal.pose], drive_context(goal, Pose2(0.0, 0.0, 0.0)))
        except NotUsable as unusable:
            return SkillResult(Code.UNKNOWN_TARGET, f"this goal is not driven to: {unusable}")

    async def _go_to(self, goal: NavigateToPose.Goal) -> Skill | SkillResult:
        return await self._go_along([goal.pose])

    async def _go_through(self, goal: NavigateThroughPoses.Goal) -> Skill | SkillResult:
        return await self._go_along(getattr(goal.poses, "goals", goal.poses))  # nav_msgs/Goals from Kilted on

    async def _go_along(self, stamped: Sequence[PoseStamped],
                        what_for: SkillContext | None = None) -> Skill | SkillResult:
        """One pose after the other; all of them are checked before the first is driven to."""
        try:
            poses = [await map_pose_soon(self, self._robot.transforms, p.header, p.pose) for p in stamped]
        except PoseRefused as refused:
            return SkillResult(Code.UNKNOWN_TARGET, f"this goal is not driven to: {refused}")
        if not poses:
            return SkillResult(Code.UNKNOWN_TARGET, "this goal names no pose")
        return self._one_by_one(poses, what_for or SkillContext("look"))

    def _one_by_one(self, poses: Sequence[Pose2], what_for: SkillContext) -> Skill:
        result = SkillResult(Code.SUCCEEDED, "there was nowhere to go")
        for number, pose in enumerate(poses):
            self._ahead = len(poses) - number
            drive = begin(self._use, SkillCall("go_to"), replace(what_for, stance=pose))
            result = drive if isinstance(drive, SkillResult) else (yield from drive)
            if not result.ok:
                break
        return result

    def _progress_of_drive(self, phase: str) -> action.Drive.Feedback:
        return action.Drive.Feedback(phase=phase, distance_remaining=float(self._drive.remaining),
                                     number_of_recoveries=self._drive.recoveries)

    def _progress(self, phase: str) -> NavigateToPose.Feedback:
        observation = self._robot.observe()
        here = PoseStamped(header=self._header(), pose=planar_pose(observation.base_pose))
        return NavigateToPose.Feedback(current_pose=here, distance_remaining=float(self._drive.remaining),
                                       navigation_time=duration(observation.stamp - self._drive.started),
                                       number_of_recoveries=self._drive.recoveries)

    def _progress_through(self, phase: str) -> NavigateThroughPoses.Feedback:
        same = self._progress(phase)
        return NavigateThroughPoses.Feedback(
            current_pose=same.current_pose, distance_remaining=same.distance_remaining,
            navigation_time=same.navigation_time, number_of_recoveries=same.number_of_recoveries,
            number_of_poses_remaining=self._ahead)

    def _show(self) -> None:
        """Path and costmap for those who watch; a map that grows for those who drive by it."""
        mapper = self._site.localiser
        if isinstance(mapper, MappingLocaliser) and mapper.map is not self._scene.map:
            self._take(mapper.map)
            self._keep(mapper.map)
        if self._drive.route is not self._path_sent:
            self._path_sent = self._drive.route
            self._plan.publish(path_message(self._drive.route, self._header()))
        self._show_costmaps()

    def _keep(self, map: OccupancyMap) -> None:
        try:
            map.save(self.run_dir / "map.yaml")
        except OSError as error:
            self.get_logger().warning(f"the map cannot be kept: {error}", throttle_duration_sec=60.0)

    def _show_costmaps(self) -> None:
        whole, near = self._costmap.get_subscription_count(), self._near.get_subscription_count()
        if not whole and not near:
            return
        message = costmap_message(self._drive.costmap, self._header())
        if whole:
            self._costmap.publish(message)
        if near and self._robot.ready():
            self._near.publish(surroundings(message, self._robot.observe().base_pose))

    def _take(self, map: OccupancyMap) -> None:
        self._scene.map = map
        self._map.publish(map_message(map, self._header()))

    def _header(self) -> Header:
        return Header(stamp=stamp(self.now()), frame_id=self.frames.outside("map"))


_WINDOW = 6.0
"""side of the surroundings [m]"""


def costmap_message(costmap: Costmap, header: Header) -> OccupancyGrid:
    """100 where the base collides, falling to 0 with the distance to obstacles."""
    top = 1 + costmap.settings.weight
    costs = costmap.costs()
    values = np.where(np.isfinite(costs), np.minimum(costs - 1, top) / top * 98, 100).astype(np.int8)
    grid = OccupancyGrid(header=header, data=values.ravel())
    grid.info.resolution = float(costmap.map.resolution)
    grid.info.height, grid.info.width = costmap.map.shape
    grid.info.origin = planar_pose(Pose2(*costmap.map.origin, 0.0))
    return grid


def surroundings(whole: OccupancyGrid, robot: Pose2) -> OccupancyGrid:
    """What of a costmap lies within three metres of the robot (map), cut to whole cells."""
    info = whole.info
    centre = np.array([robot.x - info.origin.position.x, robot.y - info.origin.position.y]) / info.resolution
    reach = _WINDOW / 2 / info.resolution
    low = np.clip(np.floor(centre - reach), 0, [info.width, info.height]).astype(int)
    high = np.clip(np.ceil(centre + reach), low, [info.width, info.height]).astype(int)
    values = np.asarray(whole.data, np.int8).reshape(info.height, info.width)[low[1]:high[1], low[0]:high[0]]
    grid = OccupancyGrid(header=whole.header, data=values.ravel())
    grid.info.resolution = info.resolution
    grid.info.height, grid.info.width = values.shape
    corner = low * info.resolution
    grid.info.origin = planar_pose(Pose2(info.origin.position.x + float(corner[0]),
                                         info.origin.position.y + float(corner[1]), 0.0))
    return grid


def main() -> None:
    run(NavigationNode)
