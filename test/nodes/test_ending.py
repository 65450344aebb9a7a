"""A signal may come at any moment of a node's life, and while it is being made, too."""

import atexit
import os
import signal
import sys

import pytest
import rclpy
from dadu_nodes.commands import ready
from dadu_nodes.support.node import run
from nav2_msgs.action import NavigateToPose
from rclpy.action import ActionClient


@pytest.fixture
def ended(monkeypatch):
    """Exit statuses: `run` ignores SIGINT in the end and leaves, which is right in a process of a node's own."""
    statuses = []
    monkeypatch.setattr(signal, "signal", lambda number, action: None)
    monkeypatch.setattr(os, "_exit", statuses.append)
    monkeypatch.setattr(atexit, "_run_exitfuncs", lambda: None)
    return statuses


def test_a_signal_while_a_node_is_made_is_an_ordinary_end(ended):
    def make():
        node = rclpy.create_node("half_made")
        rclpy.shutdown()  # as the handler of SIGTERM does
        ActionClient(node, NavigateToPose, "navigate_to_pose")
        raise AssertionError("a client was made without a context")

    run(make)
    assert ended == [0]


def test_what_is_wrong_while_ros_runs_is_not_passed_over(ended):
    def make():
        raise ValueError("a bug")

    with pytest.raises(ValueError, match="a bug"):
        run(make)
    assert not rclpy.ok() and not ended


def test_who_waits_for_the_graph_and_is_ended_meanwhile_says_nothing(monkeypatch):
    def wait(names):
        rclpy.shutdown()  # as the handler of SIGTERM does
        rclpy.create_node("too_late")

    monkeypatch.setattr(ready, "wait_until_ready", wait)
    monkeypatch.setattr(sys, "argv", ["ready"])
    with pytest.raises(SystemExit) as ended:
        ready.main()
    assert ended.value.code == 130
