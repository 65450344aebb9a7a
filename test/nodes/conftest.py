"""Process tests of nodes: each in a ROS domain of its own, and no process survives its test."""

import gc
import socket
import subprocess
import time
from contextlib import suppress

import pytest
from forked import Forks

from dadu.bringup.naming import ros_words


@pytest.fixture(scope="session")
def forks():
    """Starts processes of the graph without importing anew what they share."""
    forks = Forks()
    yield forks
    forks.close()


@pytest.fixture
def processes():
    """What is in this list does not survive the test.

    Each is asked to end first: who is killed while it has the lock of another's port in shared memory takes that one
    along, and that is the process of the tests.
    """
    started = []
    yield started
    for process in started:
        process.terminate()
    end = time.monotonic() + 20.0
    for process in started:
        with suppress(subprocess.TimeoutExpired):
            process.wait(max(0.0, end - time.monotonic()))
        process.kill()
        process.wait()


@pytest.fixture
def start_node(graph, processes, forks, tmp_path):
    """Starts ``dadu_nodes.NAME`` with parameters, its run directory in `tmp_path`, in that a namespace's own."""
    def start(name, namespace="", **parameters):
        arguments = ["--ros-args", *(a for k, v in parameters.items() for a in ("-p", f"{k}:={v}")),
                     *ros_words(namespace, {})]
        processes.append(forks.start(f"dadu_nodes.{name}", *arguments, DADU_RUN_DIR=str(tmp_path / namespace)))
        return processes[-1]

    return start


@pytest.fixture
def skills(graph, processes, forks):
    """Starts the stand-in with skills that take so many wall seconds, and what the first of them gets to see."""
    def start(seconds=0.05, *unseen):
        processes.append(forks.start("stand_in_skills", str(seconds), *unseen))
        return processes[-1]

    return start


@pytest.fixture
def dadu(graph, processes, forks):
    """Starts the command with these words; what it says is for its `stdout`."""
    def start(*words):
        processes.append(forks.start("dadu.cli", *words, piped=True))
        return processes[-1]

    return start


@pytest.fixture
def client(graph):
    from dadu_interfaces.action import ExecuteTask
    from dadu_nodes.support.actions.action_client import ActionClient

    return ActionClient(graph.node, ExecuteTask, "/execute_task")


@pytest.fixture
def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


@pytest.fixture
def make_node(domain, tmp_path, monkeypatch):
    """Makes a node of the graph in this process."""
    import rclpy
    from node_classes import node_class

    made = []

    def make(name, namespace="", **parameters):
        monkeypatch.setenv("ROS_DOMAIN_ID", domain)
        monkeypatch.setenv("DADU_RUN_DIR", str(tmp_path))
        rclpy.init(args=["--ros-args", *(word for k, v in parameters.items() for word in ("-p", f"{k}:={v}")),
                        *ros_words(namespace, {})])
        made.append(node_class(name)())
        return made[-1]

    yield make
    while made:
        node = made.pop()
        node.close()
        node.destroy_node()
        del node
    rclpy.try_shutdown()
    gc.collect()  # clients and servers of actions are there for others as long as an object refers to them
