"""``main()`` with nodes' names as arguments, or also ``--folder=`` and ``--ros-args``, says so and ends with status 0
once the graph can take an instruction."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import rclpy
from dadu_interfaces.action import ExecuteTask
from dadu_interfaces.msg import WorldGraph
from dadu_nodes.support import qos
from dadu_nodes.support.actions.action_client import ActionClient
from dadu_nodes.support.node import CUT_SHORT
from diagnostic_msgs.msg import DiagnosticArray
from rclpy.executors import ExternalShutdownException
from rclpy.utilities import remove_ros_args

from dadu.bringup.naming import CONSOLE

TIMEOUT = 120.0
"""wall seconds"""


def wait_until_ready(names: Sequence[str], timeout: float = TIMEOUT) -> list[str]:
    """Waits for a first report of health from every node, a world graph, and the planner's action.

    Returns what is still missing after `timeout` [s]; empty when all is there.
    """
    missing = set(names) | {"a world graph"}
    node = rclpy.create_node("dadu_ready")

    def on_health(message: DiagnosticArray) -> None:
        missing.difference_update(status.name for status in message.status)

    node.create_subscription(DiagnosticArray, "diagnostics", on_health, qos.STATE)
    node.create_subscription(WorldGraph, "world_graph", lambda _: missing.discard("a world graph"), qos.LATCHED)
    planner = ActionClient(node, ExecuteTask, "execute_task")
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline and (missing or not planner.server_is_ready()):
        rclpy.spin_once(node, timeout_sec=0.1)
    if not planner.server_is_ready():
        missing.add("/execute_task")
    node.destroy_node()
    return sorted(missing)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--folder", default="", help="of these nodes, in the run's directory")
    asked = parser.parse_args(remove_ros_args(sys.argv)[1:])
    rclpy.init()
    try:
        missing = wait_until_ready(asked.names)
    except (KeyboardInterrupt, ExternalShutdownException):
        sys.exit(130)
    except CUT_SHORT:
        if rclpy.ok():
            raise
        sys.exit(130)
    rclpy.try_shutdown()
    if missing:
        sys.exit(f"not ready after {TIMEOUT:.0f} s; missing: {', '.join(missing)}")
    page = Path(os.environ.get("DADU_RUN_DIR", "")) / asked.folder / CONSOLE
    print(f"ready; console: {page.read_text().strip()}" if page.is_file() else "ready", flush=True)


if __name__ == "__main__":
    main()
