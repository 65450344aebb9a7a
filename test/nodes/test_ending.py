"""A signal may come at any moment of a node's life, and while it is being made, too."""

import signal

import pytest
import rclpy
from dadu_nodes.support.node import run
from nav2_msgs.action import NavigateToPose
from rclpy.action import ActionClient


@pytest.fixture
def signals(monkeypatch):
    """`run` ignores SIGINT in the end, which is right for a process and not for the tests'."""
    monkeypatch.setattr(signal, "signal", lambda number, action: None)


def test_a_signal_while_a_node_is_made_is_an_ordinary_end(signals):
    def make():
        node = rclpy.create_node("half_made")
        rclpy.shutdown()  # as the handler of SIGTERM does
        ActionClient(node, NavigateToPose, "navigate_to_pose")
        raise AssertionError("a client was made without a context")

    run(make)


def test_what_is_wrong_while_ros_runs_is_not_passed_over(signals):
    def make():
        raise ValueError("a bug")

    with pytest.raises(ValueError, match="a bug"):
        run(make)
    assert not rclpy.ok()
