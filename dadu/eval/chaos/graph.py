"""The graph as it is put under faults: some of what its nodes hear comes through relays that lose or double it."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from dadu.bringup.arguments import Arguments
from dadu.bringup.command import process
from dadu.bringup.environment import environment
from dadu.bringup.graph import NodeSpec, nodes
from dadu.bringup.run_directory import note_start
from dadu.bringup.supervisor import Supervisor
from dadu.core.python_process import run_main
from dadu.eval.chaos.links import LINKS
from dadu.perception.detectors import GROUND_TRUTH

_BULKY = "^/(parameter_events|clock|tf|odom|scan|joint_states|sim/.*|camera/.*|chaos/.*|perception/points)$"
"""what is not recorded: a hundred tasks would fill a disk, and this is about bags, not about what they hold"""


def graph_command(house: str, run_dir: Path) -> list[str]:
    """The process that runs the graph until a signal."""
    return run_main(__name__, house, str(run_dir))


def main() -> None:
    """``main()`` with house and run directory as arguments."""
    house, run_dir = sys.argv[1], Path(sys.argv[2])
    arguments = Arguments(house=house, run_dir=str(run_dir), rtf=0.0, seed=-1, console=False,
                          perception=GROUND_TRUTH)  # faults are tried, not eyes
    note_start(arguments, run_dir)
    specs = [process(_prepared(node)) for node in nodes(arguments)]
    sys.exit(asyncio.run(Supervisor(specs, run_dir, environment(run_dir), _say).run()))


def _say(name: str, line: str) -> None:
    with suppress(OSError):  # on a full disk it is not said
        os.write(sys.stdout.fileno(), f"[{name}] {line}\n".encode())


def _prepared(node: NodeSpec) -> NodeSpec:
    if node.name == "recorder":
        return replace(node, parameters={**node.parameters, "exclude": _BULKY})
    heard = {link.topic: link.relayed for link in LINKS if link.node == node.name}
    return replace(node, remappings=node.remappings | heard)
