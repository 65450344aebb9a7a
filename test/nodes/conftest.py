"""Process tests of nodes: each in a ROS domain of its own, and no process survives its test."""

import os
import subprocess
import sys
import time

import pytest


class Graph:
    """A node of the test, spun on demand."""

    def __init__(self) -> None:
        import rclpy
        from rclpy.executors import SingleThreadedExecutor
        rclpy.init()
        self.node = rclpy.create_node("tester")
        self.executor = SingleThreadedExecutor()
        self.executor.add_node(self.node)

    def spin(self, seconds, every=None):
        """Spins for a wall time [s], calling `every` in between."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.executor.spin_once(timeout_sec=0.02)
            if every is not None:
                every()

    def until(self, condition, timeout=15.0, every=None):
        """Spins until `condition()` and returns its value; fails after `timeout` wall seconds."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            found = condition()
            if found:
                return found
            self.executor.spin_once(timeout_sec=0.02)
            if every is not None:
                every()
        raise AssertionError(f"did not happen within {timeout} s")

    def collect(self, kind, topic, profile):
        """A list that fills with what arrives on `topic`."""
        heard = []
        self.node.create_subscription(kind, topic, heard.append, profile)
        return heard


@pytest.fixture
def graph(monkeypatch):
    rclpy = pytest.importorskip("rclpy")
    pytest.importorskip("dadu_interfaces")
    monkeypatch.setenv("ROS_DOMAIN_ID", str(1 + os.getpid() % 100))
    graph = Graph()
    yield graph
    graph.executor.shutdown()
    graph.node.destroy_node()
    rclpy.shutdown()


@pytest.fixture
def start_node(graph, tmp_path):
    """Starts ``dadu_nodes.NAME`` with parameters, its run directory in `tmp_path`."""
    started = []

    def start(name, **parameters):
        arguments = ["--ros-args", *(a for k, v in parameters.items() for a in ("-p", f"{k}:={v}"))]
        started.append(subprocess.Popen([sys.executable, "-m", f"dadu_nodes.{name}", *arguments],
                                        env={**os.environ, "DADU_RUN_DIR": str(tmp_path)}))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait()
