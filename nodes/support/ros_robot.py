"""A robot behind its ROS drivers, as `dadu.core.robot.Robot`: the same skills run on it as in process."""

from __future__ import annotations

import math
from typing import Any

from control_msgs.action import FollowJointTrajectory, GripperCommand
from dadu_nodes.support import qos
from dadu_nodes.support.clock import stamp
from dadu_nodes.support.convert.encode import encode
from dadu_nodes.support.incoming.twists import TwistPublisher
from dadu_nodes.support.listening.robot import RobotListener
from rclpy.action import ActionClient
from rclpy.action.client import ClientGoalHandle
from rclpy.node import Node
from rclpy.task import Future
from trajectory_msgs.msg import JointTrajectory as JointTrajectoryMsg

from dadu.core.robot import Command, JointTrajectory, RobotDescription, Twist
from dadu.core.robot import GripperCommand as GripperGoal
from dadu.core.transforms import TransformError
from dadu.robots.set_points import trajectories

LAG = 0.6
"""[s] by which localisation may trail odometry, and this and the joints the present, before the base is held"""


class RosRobot(RobotListener):
    """Topics, transforms and driver actions of one robot. Never blocks: goals are watched in the background."""

    def __init__(self, node: Node, description: RobotDescription, *, scan: bool = False, newest: bool = True) -> None:
        super().__init__(node, description, scan=scan, newest=newest)
        self._moved: tuple[float | None, float] = (None, -math.inf)
        """the newest odometry's stamp, and when it was found to be new, by the node's clock [s]"""
        self._base = TwistPublisher(node, "cmd_vel_nav")
        self._arm = _Goal(node, FollowJointTrajectory, "arm_controller/follow_joint_trajectory")
        self._gripper = _Goal(node, GripperCommand, "gripper_controller/gripper_cmd")
        self._commanded = node.create_publisher(JointTrajectoryMsg, "commanded_joints", qos.STATE)
        """what actions are sent, which no bag can hold"""

    def undriven(self) -> str:
        """Which drivers' action servers are not there, in a sentence; empty: all are."""
        gone = [goal.name for goal in (self._arm, self._gripper) if not goal.served]
        return f"nobody serves {' and '.join(gone)}; is the driver running?" if gone else ""

    def act(self, command: Command) -> None:
        if command.base is not None:
            self._base.publish(command.base if self._knows_where() else Twist())
        if command.joints is not None:
            self._arm.send(_arm_goal(command.joints))
        elif command.hold:
            self._arm.cancel()
        if command.gripper is not None:
            self._gripper.send(_gripper_goal(command.gripper))
        for trajectory in trajectories(command):
            message = encode.trajectory(trajectory)
            message.header.stamp = stamp(self._now())
            self._commanded.publish(message)

    def _knows_where(self) -> bool:
        """True if driver, odometry and localisation keep up. A skill that steers by an old pose would drive on blindly.

        Odometry must go on, and localisation not trail it, by their own stamps: the joints' may be another clock's.
        """
        tree, now = self.transforms.tree, self._now()
        try:
            tree.lookup("map", "base_link")
            newest = tree.newest("odom" if tree.parent("odom") is not None else "map", "base_link")
            if newest is not None:
                tree.lookup("map", "base_link", newest - LAG)
        except TransformError:
            return False
        if newest is None or newest != self._moved[0]:
            self._moved = newest, now
        return bool(self._joints) and now - min(self._taken_in, self._moved[1]) <= LAG


class _Goal:
    """The newest goal of one driver action: a new one replaces the old; only its handle is kept, for cancelling."""

    def __init__(self, node: Node, action: type, name: str) -> None:
        self._client = ActionClient(node, action, name)
        self.name = name
        self._node = node
        self._handle: ClientGoalHandle | None = None
        self._serial = 0

    @property
    def served(self) -> bool:
        return self._client.server_is_ready()

    def send(self, goal: Any) -> None:
        if not self.served:
            self._node.get_logger().warning("a driver's action server is gone; its goal is dropped",
                                            throttle_duration_sec=2.0)
            return
        self._serial += 1
        serial = self._serial
        self._client.send_goal_async(goal).add_done_callback(lambda future: self._accepted(future, serial))

    def cancel(self) -> None:
        self._serial += 1  # a goal whose acceptance is still under way is cancelled when it arrives
        if self._handle is not None:
            self._handle.cancel_goal_async()
            self._handle = None

    def _accepted(self, future: Future, serial: int) -> None:
        handle = future.result()
        if handle is None or not handle.accepted:
            self._node.get_logger().warning("a driver refused a goal")
        elif serial == self._serial:
            self._handle = handle
        else:
            self._superseded(handle)

    def _superseded(self, handle: ClientGoalHandle) -> None:
        # A newer goal has replaced this one in the driver by itself; after a cancel nothing else would stop it.
        if self._handle is None:
            handle.cancel_goal_async()


def _arm_goal(trajectory: JointTrajectory) -> FollowJointTrajectory.Goal:
    return FollowJointTrajectory.Goal(trajectory=encode.trajectory(trajectory))


def _gripper_goal(goal: GripperGoal) -> GripperCommand.Goal:
    message = GripperCommand.Goal()
    message.command.position = float(goal.aperture)
    message.command.max_effort = float(goal.effort)
    return message
