"""From a node's declaration to the command line of its process."""

from __future__ import annotations

import json
from pathlib import Path

from dadu.bringup.graph import NodeSpec
from dadu.bringup.naming import ros_words
from dadu.core.paths import shared
from dadu.core.python_process import run_main


def command(node: NodeSpec) -> list[str]:
    """The process that runs `node` in this Python environment."""
    return run_main(f"dadu_nodes.{node.name}", *ros_arguments(node))


def instruction_command(instruction: str, namespace: str = "") -> list[str]:
    """The process that hands `instruction` to the running graph and shows each step."""
    return run_main("dadu.cli", "do", instruction, *(("--namespace", namespace) if namespace else ()))


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
