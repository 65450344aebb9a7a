"""``dadu teleop``: drives the robot by keyboard, overriding autonomy."""

from __future__ import annotations

import time

import rclpy
from dadu_interfaces.msg import OperatorState
from dadu_nodes.support import qos
from dadu_nodes.support.convert.geometry import twist_message
from dadu_nodes.support.e_stop import EmergencyStop
from geometry_msgs.msg import Twist as TwistMsg
from rclpy.duration import Duration
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions
from std_msgs.msg import Empty

from dadu.core.robot import Twist
from dadu.operator.keyboard import HELP, KeyboardDriver, KeyRequest
from dadu.operator.terminal import KeyReader, raw_keys

_PERIOD = 0.1
"""between two twists [s]"""
_DELIVERY = Duration(seconds=1)
"""wall time that a message may take to an override that is there"""
_STATES = {OperatorState.AUTONOMY: "autonomy", OperatorState.TELEOP: "teleop", OperatorState.STOPPED: "EMERGENCY STOP"}


class Teleop(Node):
    """Publishes what the keyboard says."""

    def __init__(self, speed: Twist) -> None:
        super().__init__("teleop")
        self._driver = KeyboardDriver(speed)
        self._base = self.create_publisher(TwistMsg, "/cmd_vel_teleop", qos.COMMAND)
        self._release = self.create_publisher(Empty, "/operator/release", qos.STATE)
        self._stop = EmergencyStop(self)

    def press(self, key: str) -> bool:
        """Takes a key; False: quit."""
        request = self._driver.press(key, time.monotonic())
        if request is KeyRequest.E_STOP:
            self._stop.press(not self._stop.pressed)
        elif request is not None:
            self.release()
        return request is not KeyRequest.QUIT

    def drive(self) -> None:
        """Sends the twist of this moment, if any."""
        twist = self._driver.twist(time.monotonic())
        if twist is not None:
            self._base.publish(twist_message(twist))

    def release(self) -> None:
        """Stops the base and gives it back. A twist that came after the release would take the base again, and what
        was not delivered when this process ends is lost: each is waited for."""
        if self._stop.state is not None and self._stop.state.state == OperatorState.TELEOP:
            self._base.publish(twist_message(Twist()))
            self._base.wait_for_all_acked(_DELIVERY)
        self._release.publish(Empty())
        self._release.wait_for_all_acked(_DELIVERY)

    def status(self) -> str:
        """One line for the terminal."""
        heard = self._stop.state
        state = _STATES[heard.state] if heard is not None else "no answer: is the graph running?"
        return f"\r\x1b[2K{state}   speed x{self._driver.scale:.2f}"


def drive(speed: Twist) -> None:
    """Runs until q, Ctrl-C or the terminal's end. Errors: NoTerminal."""
    with raw_keys() as keys:
        rclpy.init(signal_handler_options=SignalHandlerOptions.NO)
        node = Teleop(speed)
        executor = SingleThreadedExecutor()
        executor.add_node(node)
        print(HELP)
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
