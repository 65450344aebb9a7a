"""Arm and gripper for an operator: what their joints are, and goals that nobody waits for."""

from __future__ import annotations

from collections.abc import Mapping

from control_msgs.action import FollowJointTrajectory, GripperCommand
from dadu_nodes.support import qos
from dadu_nodes.support.convert.sensors import trajectory_message
from dadu_nodes.support.polled import PolledSubscriptions
from rclpy.action import ActionClient
from rclpy.node import Node
from sensor_msgs.msg import JointState

from dadu.bringup.naming import relative
from dadu.core.robot import Command


class OperatorHand:
    """The actions that every robot of ours has, on this node."""

    def __init__(self, node: Node, joint_states: str) -> None:
        """`joint_states`: a real robot's topic beside /joint_states; empty: there is none."""
        self._joints: dict[str, float] = {}
        self._arm = ActionClient(node, FollowJointTrajectory, "arm_controller/follow_joint_trajectory")
        self._gripper = ActionClient(node, GripperCommand, "gripper_controller/gripper_cmd")
        self._states = PolledSubscriptions(node)
        for topic in {"joint_states", relative(joint_states) or "joint_states"}:
            self._states.add(JointState, topic, self._on_joints, qos.SENSOR)

    def measured(self) -> Mapping[str, float]:
        """Positions by joint [m or rad]."""
        self._states.poll()
        return self._joints

    def act(self, command: Command) -> None:
        """Sends what it says of joints and gripper; a driver that is not there does nothing."""
        if command.joints is not None and self._arm.server_is_ready():
            self._arm.send_goal_async(FollowJointTrajectory.Goal(trajectory=trajectory_message(command.joints)))
        if command.gripper is not None and self._gripper.server_is_ready():
            goal = GripperCommand.Goal()
            goal.command.position = float(command.gripper.aperture)
            self._gripper.send_goal_async(goal)

    def _on_joints(self, message: JointState, _: int) -> None:
        self._joints.update(zip(message.name, message.position))
