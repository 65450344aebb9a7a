"""The graph as it is put under faults: what memory hears comes through relays that lose or double it."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from pathlib import Path

from dadu.bringup.arguments import Arguments
from dadu.bringup.command import process
from dadu.bringup.environment import environment
from dadu.bringup.graph import NodeSpec, nodes
from dadu.bringup.run_directory import note_start
from dadu.bringup.supervisor import Supervisor
from dadu.core.python_process import run_main
from dadu.perception.detectors import GROUND_TRUTH

RELAYED = ("/perception/detections", "/skill_results")
"""topics that memory hears through a relay"""


def relayed(topic: str) -> str:
    """What memory hears in place of `topic`."""
    return f"/chaos{topic}"


def graph_command(house: str, run_dir: Path) -> list[str]:
    """The process that runs the graph until a signal."""
    return run_main(__name__, house, str(run_dir))


def main() -> None:
    """``main()`` with house and run directory as arguments."""
    house, run_dir = sys.argv[1], Path(sys.argv[2])
    arguments = Arguments(house=house, run_dir=str(run_dir), rtf=0.0, seed=-1, console=False, record=False,
                          perception=GROUND_TRUTH)  # faults are tried, not eyes
    note_start(arguments, run_dir)
    specs = [process(_through_relays(node)) for node in nodes(arguments)]
    sys.exit(asyncio.run(Supervisor(specs, run_dir, environment(run_dir), _say).run()))


def _say(name: str, line: str) -> None:
    sys.stdout.write(f"[{name}] {line}\n")
    sys.stdout.flush()


def _through_relays(node: NodeSpec) -> NodeSpec:
    if node.name != "memory":
        return node
    return replace(node, remappings=node.remappings | {topic: relayed(topic) for topic in RELAYED})
