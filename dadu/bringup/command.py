"""From a node's declaration to the command line of its process."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from dadu.bringup.graph import NodeSpec
from dadu.bringup.naming import ros_words
from dadu.bringup.process import ProcessSpec
from dadu.core.paths import shared
from dadu.core.python_process import run_main

_BY_THEMSELVES = ("sim_bridge",)
"""nodes whose libraries no other needs; they begin at once"""


def process(node: NodeSpec) -> ProcessSpec:
    """The process that runs `node`."""
    forked = () if node.name in _BY_THEMSELVES else words(node)
    return ProcessSpec(node.process or node.name, command(node), forked)


def command(node: NodeSpec) -> list[str]:
    """The command line that runs `node` in this Python environment."""
    return run_main(*words(node))


def words(node: NodeSpec) -> tuple[str, ...]:
    """The module whose ``main()`` is the node, and its arguments."""
    return f"dadu_nodes.{node.name}", *ros_arguments(node)


def fork_server_command(link: int) -> list[str]:
    """The process that becomes nodes; `link`: the number of its socket."""
    return run_main("dadu.bringup.fork_server_process", str(link), "dadu_nodes.preload")


def instruction_command(instruction: str, namespace: str = "", max_seconds: float = 0.0) -> list[str]:
    """The process that hands `instruction` to the running graph and shows each step; `max_seconds` [s, on the robot's
    clock] may be spent on it, 0: the planner's own limit."""
    limit = ("--max-seconds", f"{max_seconds:g}") if max_seconds else ()
    return run_main("dadu.cli", "do", instruction, *limit, *(("--namespace", namespace) if namespace else ()))


def ready_command(names: Iterable[str], namespace: str = "", folder: str = "") -> list[str]:
    """The process that ends, with status 0, once the nodes of these names can take an instruction; it says so. They
    have that `folder` in the run's directory."""
    return run_main("dadu_nodes.commands.ready", f"--folder={folder}", *names, "--ros-args", *ros_words(namespace, {}))


def settings_file(node: NodeSpec) -> Path | None:
    """The node's parameter file, where there is one."""
    path = shared("config", f"{node.name}.yaml")
    return path if path.is_file() else None


def ros_arguments(node: NodeSpec) -> list[str]:
    """``--ros-args ...`` with the node's parameter file, its parameters and remappings."""
    words = ["--ros-args"]
    settings = settings_file(node)
    if settings is not None:
        words += ["--params-file", str(settings)]
    for name, value in node.parameters.items():
        text = json.dumps(value, ensure_ascii=False)  # JSON is YAML: strings stay strings, also "none" and "1"
        words += ["-p", f"{name}:={text}"]
    return words + ros_words(node.namespace, node.remappings)
