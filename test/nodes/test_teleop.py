"""``dadu teleop`` in a terminal of its own, against the real override."""

import os
import pty
import subprocess
import sys
import termios
import threading

import pytest
from control_msgs.action import FollowJointTrajectory
from dadu_interfaces.msg import OperatorState
from dadu_nodes.support import qos
from geometry_msgs.msg import Twist
from rclpy.action import ActionServer
from sensor_msgs.msg import JointState, Joy


class Arm:
    """A driver that takes goals, and a gamepad that pushes the arm down."""

    def __init__(self, graph):
        self.goals = []
        self._real, self._simulated = (graph.node.create_publisher(JointState, topic, qos.SENSOR)
                                       for topic in ("/stretch_adapter/joint_states", "/joint_states"))
        self.pad = graph.node.create_publisher(Joy, "/joy", qos.STATE)
        self._server = ActionServer(graph.node, FollowJointTrajectory, "/arm_controller/follow_joint_trajectory",
                                    self._follow)

    def report(self):
        """As a real Stretch does."""
        self._real.publish(JointState(name=["joint_lift"], position=[0.3]))

    def joy(self):
        self._simulated.publish(JointState(name=["joint_lift"], position=[0.3]))
        self.pad.publish(Joy(axes=[0.0, 0.0, 0.0, 0.0, -1.0], buttons=[0, 0, 0, 0, 1]))

    def _follow(self, handle):
        self.goals.append(handle.request.trajectory)
        handle.succeed()
        return FollowJointTrajectory.Result()


@pytest.fixture
def terminal():
    """Master and slave of a pseudo terminal; what is printed is drained."""
    master, slave = pty.openpty()
    printed = []

    def drain():
        try:
            while data := os.read(master, 4096):
                printed.append(data)
        except OSError:
            return  # closed

    threading.Thread(target=drain, daemon=True).start()
    yield master, slave, printed
    os.close(slave)
    os.close(master)


def test_drives_stops_and_leaves_the_terminal_as_it_was(graph, start_node, terminal):
    master, slave, printed = terminal
    before = termios.tcgetattr(slave)
    start_node("override")
    base = graph.collect(Twist, "/cmd_vel", qos.COMMAND)
    states = graph.collect(OperatorState, "/operator/state", qos.LATCHED)
    arm = Arm(graph)
    pad = arm.pad

    def has(state):
        graph.until(lambda: states and states[-1].state == state)

    process = subprocess.Popen([sys.executable, "-m", "dadu.cli", "teleop"], stdin=slave, stdout=slave, stderr=slave,
                               start_new_session=True)
    try:
        graph.until(lambda: b"autonomy" in b"".join(printed))
        graph.until(lambda: any(t.linear.x > 0.1 for t in base), every=lambda: os.write(master, b"w"))
        has(OperatorState.TELEOP)
        graph.until(lambda: arm.goals, every=lambda: (arm.report(), os.write(master, b"i")))
        assert arm.goals[0].joint_names == ["joint_lift"] and arm.goals[0].points[0].positions[0] > 0.3
        graph.until(lambda: pad.get_subscription_count())
        graph.until(lambda: len(arm.goals) > 1 and arm.goals[-1].points[0].positions[0] < 0.3, every=arm.joy)
        os.write(master, b"e")
        has(OperatorState.STOPPED)
        graph.until(lambda: b"EMERGENCY STOP" in b"".join(printed))  # it toggles what it knows
        os.write(master, b"e")
        has(OperatorState.AUTONOMY)
        os.write(master, b"\x1b[D")
        graph.until(lambda: any(t.angular.z > 0.3 for t in base))
        os.write(master, b"q")
        graph.until(lambda: process.poll() is not None)
        has(OperatorState.AUTONOMY)
        assert states[-1].reason == "released by the operator", "given back at once, not after a silence"
        assert process.returncode == 0
        assert termios.tcgetattr(slave) == before
    finally:
        process.kill()
        process.wait()
