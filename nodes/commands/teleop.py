"""``dadu teleop``: drives the robot and moves its arm, by keyboard or gamepad, overriding autonomy."""

from __future__ import annotations

import time
from collections.abc import Mapping

import rclpy
from control_msgs.action import FollowJointTrajectory, GripperCommand
from dadu_interfaces.msg import OperatorState
from dadu_nodes.commands.joining import join
from dadu_nodes.support import qos
from dadu_nodes.support.convert.encode import encode
from dadu_nodes.support.e_stop import EmergencyStop
from dadu_nodes.support.incoming.intake import ListeningNode
from dadu_nodes.support.incoming.twists import TwistPublisher
from dadu_nodes.support.polled import PolledSubscriptions
from rclpy.action import ActionClient
from rclpy.duration import Duration
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions
from sensor_msgs.msg import JointState, Joy
from std_msgs.msg import Empty

from dadu.bringup.naming import relative
from dadu.core.robot import Command, Twist
from dadu.operator.jog import HELP as JOG_HELP
from dadu.operator.jog import JOG_KEYS, Gamepad, Jog
from dadu.operator.keyboard import HELP, KeyboardDriver, KeyRequest
from dadu.operator.terminal import KeyReader, raw_keys
from dadu.robots.loader import load_robot, load_settings

_PERIOD = 0.1
"""between two twists [s]"""
_DELIVERY = Duration(seconds=1)
"""wall time that a message may take to an override that is there"""
_STATES = {OperatorState.AUTONOMY: "autonomy", OperatorState.TELEOP: "teleop", OperatorState.STOPPED: "EMERGENCY STOP"}


class Teleop(ListeningNode):
    """Publishes what keyboard and gamepad say."""

    def __init__(self, speed: Twist, robot: str) -> None:
        super().__init__("teleop")
        self._jog = Jog(load_robot(robot))
        self._gamepad = Gamepad(self._jog, speed)
        self._hand = OperatorHand(self, load_settings(robot)[0].drivers.get("/joint_states", ""))
        self.create_subscription(Joy, "joy", self._on_joy, qos.STATE)
        self._driver = KeyboardDriver(speed)
        self._base = TwistPublisher(self, "cmd_vel_teleop")
        self._release = self.create_publisher(Empty, "operator/release", qos.STATE)
        self._stop = EmergencyStop(self)

    def press(self, key: str) -> bool:
        """Takes a key; False: quit."""
        request = self._driver.press(key, time.monotonic())
        if request is KeyRequest.E_STOP:
            self._stop.press(not self._stop.pressed)
        elif request is not None:
            self.release()
        elif key in JOG_KEYS:
            self._driver.press(" ", time.monotonic())  # whoever moves the arm has the base, too, and holds it
            self._move(self._jog.press(key, self._hand.measured(), time.monotonic()))
        return request is not KeyRequest.QUIT

    def _on_joy(self, message: Joy) -> None:
        asked = self._gamepad.read(message.axes, message.buttons, self._hand.measured(), time.monotonic())
        if asked.e_stop:
            self._stop.press(not self._stop.pressed)
        if asked.release:
            self.release()
        elif asked.twist is not None:
            self._base.publish(asked.twist)
            self._move(asked.command)

    def _move(self, command: Command | None) -> None:
        """Only once the override has given the robot to the operator: the skill under way has ended then."""
        if command is not None and self._stop.state is not None and self._stop.state.state == OperatorState.TELEOP:
            self._hand.act(command)

    def drive(self) -> None:
        """Sends the twist of this moment, if any."""
        twist = self._driver.twist(time.monotonic())
        if twist is not None:
            self._base.publish(twist)

    def release(self) -> None:
        """Stops the base and gives it back. A twist that came after the release would take the base again, and what
        was not delivered when this process ends is lost: each is waited for."""
        if self._stop.state is not None and self._stop.state.state == OperatorState.TELEOP:
            self._base.publish(Twist())
            self._base.publisher.wait_for_all_acked(_DELIVERY)
        self._release.publish(Empty())
        self._release.wait_for_all_acked(_DELIVERY)

    def status(self) -> str:
        """One line for the terminal."""
        heard = self._stop.state
        state = _STATES[heard.state] if heard is not None else "no answer: is the graph running?"
        return f"\r\x1b[2K{state}   speed x{self._driver.scale:.2f}   {self._jog.joint}"


def drive(speed: Twist, robot: str, namespace: str = "") -> None:
    """Runs until q, Ctrl-C or the terminal's end. Errors: NoTerminal, UnknownRobot."""
    with raw_keys() as keys:
        join(namespace, signal_handler_options=SignalHandlerOptions.NO)
        node = Teleop(speed, robot)
        executor = SingleThreadedExecutor()
        executor.add_node(node)
        print(f"{HELP}\n{JOG_HELP}")
        try:
            _loop(node, executor, keys)
        finally:
            node.release()
            executor.spin_once(timeout_sec=0.1)
            print()
            node.destroy_node()
            rclpy.shutdown()


def _loop(node: Teleop, executor: SingleThreadedExecutor, keys: KeyReader) -> None:
    line = ""
    while all(node.press(key) for key in keys.read(_PERIOD)):
        node.drive()
        executor.spin_once(timeout_sec=0.0)
        if node.status() != line:
            line = node.status()
            print(line, end="", flush=True)


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
            self._arm.send_goal_async(FollowJointTrajectory.Goal(trajectory=encode.trajectory(command.joints)))
        if command.gripper is not None and self._gripper.server_is_ready():
            goal = GripperCommand.Goal()
            goal.command.position = float(command.gripper.aperture)
            self._gripper.send_goal_async(goal)

    def _on_joints(self, message: JointState, _: int) -> None:
        self._joints.update(zip(message.name, message.position))
