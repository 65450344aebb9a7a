"""A robot behind its ROS drivers, as `dadu.core.robot.Robot`: the same skills run on it as in process."""

from __future__ import annotations

import math
import time
from typing import Any

from control_msgs.action import FollowJointTrajectory, GripperCommand
from dadu_nodes.support import qos
from dadu_nodes.support.clock import seconds
from dadu_nodes.support.convert import sensors
from dadu_nodes.support.convert.geometry import twist_message
from dadu_nodes.support.polled import PolledSubscriptions
from dadu_nodes.support.transforms import TransformListener
from geometry_msgs.msg import Twist as TwistMsg
from rclpy.action import ActionClient
from rclpy.action.client import ClientGoalHandle
from rclpy.node import Node
from rclpy.task import Future
from sensor_msgs.msg import JointState
from sensor_msgs.msg import LaserScan as LaserScanMsg

from dadu.core.geometry import Pose2
from dadu.core.robot import Command, JointTrajectory, LaserScan, Observation, RobotDescription, Twist
from dadu.core.robot import GripperCommand as GripperGoal
from dadu.core.transforms import TransformError

GRIPPER_JOINT = "gripper_aperture"
"""the joint of /joint_states whose position is the gap between the fingertips [m], its effort the closing force [N]"""

DRIVER_TIMEOUT = 5.0
"""wall seconds of silent joint states after which the driver counts as gone"""
LAG = 0.6
"""[s] by which localisation may trail the joints before the base is held"""


class RosRobot:
    """Topics, transforms and driver actions of one robot. Never blocks: goals are watched in the background."""

    def __init__(self, node: Node, description: RobotDescription, *, scan: bool = False, newest: bool = True) -> None:
        """Subscribes the laser only where `scan` is wanted. `newest`: transforms are not asked for other times."""
        self.description = description
        self.transforms = TransformListener(node, newest=newest)
        self._node = node
        self._joints: dict[str, float] = {}
        self._efforts: dict[str, float] = {}
        self._stamp = 0.0
        self._heard = dict.fromkeys(description.arm_joints, time.monotonic())
        self._scan: LaserScan | None = None
        self._unread: LaserScanMsg | None = None
        """the newest scan, until somebody wants it"""
        self._base = node.create_publisher(TwistMsg, "cmd_vel_nav", qos.COMMAND)
        self._arm = _Goal(node, FollowJointTrajectory, "arm_controller/follow_joint_trajectory")
        self._gripper = _Goal(node, GripperCommand, "gripper_controller/gripper_cmd")
        # The newest counts, when a skill asks for it. Whoever only asks for the hand or for signs of life takes in the
        # joints alone: to unpack transforms and scans would be most of what an idle node costs.
        self._joint_states, self._scans = PolledSubscriptions(node), PolledSubscriptions(node)
        self._joint_states.add(JointState, "joint_states", self._on_joints, qos.SENSOR_NEWEST)
        if scan:
            self._scans.add(LaserScanMsg, "scan", self._on_scan, qos.SENSOR_NEWEST)

    def ready(self) -> bool:
        """Whether all joints of the arm and localisation have been heard."""
        self._joint_states.poll()
        return self._heard.keys() <= self._joints.keys() and self._base_pose() is not None

    def silence(self) -> float:
        """Wall seconds since the drivers' last states of arm and gripper, of the one that has been silent longest."""
        self._joint_states.poll()
        return time.monotonic() - min(self._heard.values())

    def undriven(self) -> str:
        """Which drivers' action servers are not there, in a sentence; empty: all are."""
        gone = [goal.name for goal in (self._arm, self._gripper) if not goal.served]
        return f"nobody serves {' and '.join(gone)}; is the driver running?" if gone else ""

    def grip(self) -> tuple[float, float] | None:
        """Aperture [m] and closing force [N] of the fingers, 0 where nothing tells; None before they are heard."""
        self._joint_states.poll()
        if GRIPPER_JOINT not in self._joints:
            return None
        effort = self._efforts.get(GRIPPER_JOINT, 0.0)
        return self._joints[GRIPPER_JOINT], effort if math.isfinite(effort) else 0.0

    def observe(self) -> Observation:
        """Call only once `ready`. Errors: RuntimeError before."""
        self._joint_states.poll()
        if not self._joints:
            raise RuntimeError("no joint states have been heard yet: `ready` says when there is something to observe")
        efforts = {name: effort for name, effort in self._efforts.items() if math.isfinite(effort)}  # NaN: not known
        return Observation(
            stamp=self._stamp, base_pose=self._base_pose() or Pose2(0.0, 0.0, 0.0), joints=dict(self._joints),
            efforts=efforts, aperture=self._joints.get(GRIPPER_JOINT, 0.0), grip_effort=efforts.get(GRIPPER_JOINT, 0.0),
            scan=self._newest_scan(),
        )

    def act(self, command: Command) -> None:
        if command.base is not None:
            self._base.publish(twist_message(command.base if self._knows_where() else Twist()))
        if command.joints is not None:
            self._arm.send(_arm_goal(command.joints))
        elif command.hold:
            self._arm.cancel()
        if command.gripper is not None:
            self._gripper.send(_gripper_goal(command.gripper))

    def _knows_where(self) -> bool:
        """Whether localisation keeps up. A skill that steers by an old pose would drive on blindly."""
        if not self._joints:
            return False
        try:
            self.transforms.tree.lookup("map", "base_link", self._stamp - LAG)
        except TransformError:
            return False
        return True

    def _base_pose(self) -> Pose2 | None:
        try:
            return Pose2.of(self.transforms.tree.lookup("map", "base_link"))
        except TransformError:
            return None

    def _on_joints(self, message: JointState, _: int) -> None:
        """Arm, gripper and wheels may have publishers of their own: what a message leaves out stays as it was."""
        now = time.monotonic()
        self._stamp = seconds(message.header.stamp)
        self._joints.update(zip(message.name, message.position))
        self._efforts.update(zip(message.name, message.effort))
        self._heard.update((name, now) for name in message.name if name in self._heard or name == GRIPPER_JOINT)

    def _on_scan(self, message: LaserScanMsg, _: int) -> None:
        self._unread = message

    def _newest_scan(self) -> LaserScan | None:
        self._scans.poll()
        if self._unread is None:
            return self._scan
        try:
            T_base_laser = self.transforms.tree.lookup(
                "base_link", self.transforms.frames.here(self._unread.header.frame_id))
        except TransformError:
            return self._scan  # the robot's description has not arrived yet
        self._scan, self._unread = sensors.scan(self._unread, T_base_laser), None
        return self._scan


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
    return FollowJointTrajectory.Goal(trajectory=sensors.trajectory_message(trajectory))


def _gripper_goal(goal: GripperGoal) -> GripperCommand.Goal:
    message = GripperCommand.Goal()
    message.command.position = float(goal.aperture)
    message.command.max_effort = float(goal.effort)
    return message
