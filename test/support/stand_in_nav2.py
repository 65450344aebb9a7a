"""A stand-in for a Nav2 that is up: its actions, error codes and topics as its sources have them, driven by our own
planner and controller. It moves the base and nothing else.

While its nodes are not active it refuses goals. A goal that another replaces is aborted without a code; one in a frame
that does not lead to map, with the navigator's 9002. Beside it stand what a Nav2 brings along: a map server (/map) and
a localisation (map -> odom).
"""

import argparse
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import rclpy
from dadu_nodes.navigation import costmap_message, surroundings
from dadu_nodes.support import qos
from dadu_nodes.support.clock import duration, seconds
from dadu_nodes.support.convert.encode import encode
from dadu_nodes.support.convert.geometry import planar_pose
from dadu_nodes.support.convert.navigation import correction_message
from dadu_nodes.support.convert.sensors import map_message
from dadu_nodes.support.listening.true_pose import TruePose
from dadu_nodes.support.transforms import TransformListener, map_pose
from geometry_msgs.msg import PoseStamped, Twist
from nav2_msgs.action import NavigateThroughPoses, NavigateToPose
from nav_msgs.msg import OccupancyGrid
from rclpy.action import ActionClient, ActionServer, CancelResponse, GoalResponse
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.executors import ExternalShutdownException
from rclpy.parameter import Parameter
from rclpy.task import Future
from std_msgs.msg import Header
from std_srvs.srv import Trigger
from tf2_msgs.msg import TFMessage

from dadu.core.geometry import Pose2, wrap
from dadu.core.received_pose import PoseRefused
from dadu.core.robot import Twist as BaseTwist
from dadu.core.transforms import TransformError
from dadu.house.files import load_house
from dadu.house.rasterize import rasterize
from dadu.navigation.controller import Controller, Status
from dadu.navigation.costmap import Costmap
from dadu.navigation.path_planner import NoPath, Reason
from dadu.navigation.route import plan_route
from dadu.robots import load_robot

_PERIOD = 0.05
"""[s]"""
_PROGRESS, _PATIENCE = 0.3, 5.0
"""as of the progress checker: so far [m, rad] in so long [s], or the controller has failed"""
_OUTSIDE = 4
_PLANNER = {Reason.START_BLOCKED: 5, Reason.GOAL_BLOCKED: 6, Reason.GOAL_OUTSIDE: _OUTSIDE, Reason.NO_PATH: 8}
_NO_PROGRESS, _TF_ERROR, _NO_VIAPOINTS = 105, 9002, 309


class Aborted(Exception):
    """Ends a goal with that error code."""

    def __init__(self, code):
        super().__init__(code)
        self.code = code


@dataclass
class _Goal:
    handle: Any
    poses: list
    planner: int
    """base of the planner's codes: for one pose, or several"""
    done: Future
    started: float
    ahead: int = 0
    drive: Any = None


class StandInNav2:
    """On a node of the test; `map_odom()` is the localisation's Pose2, or None as long as it has none."""

    def __init__(self, node, description, map, map_odom):
        self.node, self.description, self.active = node, description, True
        self.ended = []
        """(status, code) of goals"""
        self._map_odom = map_odom
        self._transforms = TransformListener(node)
        self._costmap = Costmap(map, description)
        self._goal = None
        self._base = node.create_publisher(Twist, "/cmd_vel_nav", qos.COMMAND)
        self._tf = node.create_publisher(TFMessage, "/tf", qos.TF)
        self._map = node.create_publisher(OccupancyGrid, "/map", qos.LATCHED)
        self._map.publish(map_message(map, self._header()))
        self._costmaps = [node.create_publisher(OccupancyGrid, f"/{which}_costmap/costmap", qos.LATCHED)
                          for which in ("global", "local")]
        node.create_service(Trigger, "/lifecycle_manager_navigation/is_active", self._is_active)
        group = ReentrantCallbackGroup()
        for action, name in ((NavigateToPose, "/navigate_to_pose"), (NavigateThroughPoses, "/navigate_through_poses")):
            ActionServer(node, action, name, self._execute, callback_group=group, goal_callback=self._may_begin,
                         cancel_callback=lambda handle: CancelResponse.ACCEPT)
        self._self = ActionClient(node, NavigateToPose, "/navigate_to_pose")
        node.create_subscription(PoseStamped, "/goal_pose", lambda pose: self._self.send_goal_async(
            NavigateToPose.Goal(pose=pose)), qos.STATE)
        node.create_timer(_PERIOD, self._tick)
        node.create_timer(1.0, self._show)

    def _header(self):
        return Header(stamp=self.node.get_clock().now().to_msg(), frame_id="map")

    def _now(self):
        return seconds(self.node.get_clock().now().to_msg())

    def _here(self):
        return Pose2.from_matrix(self._transforms.tree.lookup("map", "base_link"))

    def _is_active(self, request, response):
        response.success = self.active
        return response

    def _may_begin(self, request):
        return GoalResponse.ACCEPT if self.active else GoalResponse.REJECT

    async def _execute(self, handle):
        one = isinstance(handle.request, NavigateToPose.Goal)
        poses = [handle.request.pose] if one else handle.request.poses
        self._end("abort", 0)  # a newer goal takes the older one's place
        goal = self._goal = _Goal(handle, poses, 200 if one else 300, Future(executor=self.node.executor), self._now())
        code = await goal.done
        return (NavigateToPose if one else NavigateThroughPoses).Result(error_code=code)

    def _end(self, how, code):
        goal, self._goal = self._goal, None
        if goal is None:
            return
        self._base.publish(encode.twist(BaseTwist()))
        getattr(goal.handle, how)()
        self.ended.append((how, code))
        goal.done.set_result(code)

    def _tick(self):
        correction = self._map_odom()
        if correction is not None:
            self._tf.publish(correction_message(correction, self._now()))
        goal = self._goal
        if goal is None:
            return
        if goal.handle.is_cancel_requested:
            self._end("canceled", 0)
            return
        try:
            if goal.drive is None:
                goal.drive = self._drive(goal)
            self._base.publish(encode.twist(next(goal.drive)))
            self._feed_back(goal)
        except StopIteration:
            self._end("succeed", 0)
        except Aborted as aborted:
            self._end("abort", aborted.code)

    def _feed_back(self, goal):
        here, left = self._here(), goal.poses[len(goal.poses) - goal.ahead:]
        feedback = dict(current_pose=PoseStamped(header=self._header(), pose=planar_pose(here)),
                        navigation_time=duration(self._now() - goal.started),
                        distance_remaining=math.dist(here[:2], (left[0].pose.position.x, left[0].pose.position.y)))
        if goal.planner == 200:
            goal.handle.publish_feedback(NavigateToPose.Feedback(**feedback))
        else:
            feedback["number_of_poses_remaining"] = goal.ahead
            goal.handle.publish_feedback(NavigateThroughPoses.Feedback(**feedback))

    def _drive(self, goal):
        """Velocities, one a tick."""
        if not goal.poses:
            raise Aborted(_NO_VIAPOINTS)
        try:
            poses = [map_pose(self._transforms, stamped.header, stamped.pose) for stamped in goal.poses]
            self._here()
        except (PoseRefused, TransformError):
            raise Aborted(_TF_ERROR) from None
        for number, pose in enumerate(poses):
            goal.ahead = len(poses) - number
            if not self._costmap.map.contains(self._costmap.map.cells(pose[:2])):
                raise Aborted(goal.planner + _OUTSIDE)
            try:
                route = plan_route(self._costmap, self._here(), pose)
            except NoPath as none:
                raise Aborted(goal.planner + _PLANNER[none.reason]) from none
            yield from self._follow(route)

    def _follow(self, route):
        controller, since, then = Controller(self.description, self._costmap), self._now(), self._here()
        for leg in route:
            controller.begin(leg)
            status = Status.DRIVING
            while status is not Status.ARRIVED:
                here = self._here()
                twist, status = controller.step(here, _PERIOD)
                if max(math.dist(here[:2], then[:2]), abs(wrap(here.yaw - then.yaw))) > _PROGRESS:
                    since, then = self._now(), here
                elif self._now() - since > _PATIENCE:
                    raise Aborted(_NO_PROGRESS)
                yield twist

    def _show(self):
        message = costmap_message(self._costmap, self._header())
        try:
            near = surroundings(message, self._here())
        except TransformError:
            return  # localisation has not begun
        for publisher, grid in zip(self._costmaps, (message, near)):
            publisher.publish(grid)


def main():
    """Beside a simulated graph: ``stand_in_nav2.py HOUSE ROBOT``."""
    parser = argparse.ArgumentParser()
    parser.add_argument("house", type=Path)
    parser.add_argument("robot")
    given = parser.parse_args()
    rclpy.init()
    node = rclpy.create_node("bt_navigator", parameter_overrides=[Parameter("use_sim_time", value=True)])
    truth = TruePose(node, TransformListener(node))
    nav2 = StandInNav2(node, load_robot(given.robot), rasterize(load_house(str(given.house))), lambda: truth.map_odom)
    try:
        rclpy.spin(nav2.node)
    except (KeyboardInterrupt, ExternalShutdownException):
        pass


if __name__ == "__main__":
    main()
