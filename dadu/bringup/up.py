"""Starts the whole graph under the supervisor."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from dadu.bringup.arguments import Arguments
from dadu.bringup.command import instruction_command, process, ready_command
from dadu.bringup.domain import claim_domain
from dadu.bringup.environment import environment
from dadu.bringup.graph import nodes, team_robots
from dadu.bringup.process import ProcessSpec
from dadu.bringup.run_directory import make_run_directory, note_start
from dadu.bringup.supervisor import Supervisor


def processes(arguments: Arguments) -> list[ProcessSpec]:
    """The processes of the graph, the one that hands over the instruction last. Errors: ConfigError."""
    specs = [process(node) for node in nodes(arguments)]
    if arguments.instruction:
        task = instruction_command(arguments.instruction, arguments.namespace)
        specs.append(ProcessSpec("task", task, restart=False, verbose=True))
    return specs


def make_supervisor(arguments: Arguments, echo: Callable[[str], None]) -> Supervisor:
    """The graph of `arguments`, ready to run in a run directory of its own. Errors: ConfigError."""
    specs = processes(arguments)
    team = team_robots(arguments)
    for namespace in (arguments.namespace, *(member.name for member in team)):
        claim_domain(namespace)
    run_dir = make_run_directory(arguments.run_dir)
    arguments = arguments.model_copy(update={"run_dir": str(run_dir)})
    note_start(arguments, run_dir)
    echo(f"dadu: {len(specs)} processes, run directory {run_dir}\ndadu: {arguments.privilege_report.line}")
    kept = [spec.name for spec in specs if spec.restart]
    if not team:
        specs.append(_ready("ready", ready_command(kept, arguments.namespace)))
    for member in team:
        own = [name.removeprefix(f"{member.name}/") for name in kept if name.startswith(f"{member.name}/")]
        specs.append(_ready(f"{member.name}/ready", ready_command(own, member.name, member.name)))
    return Supervisor(specs, run_dir, environment(run_dir), lambda name, line: echo(f"[{name}] {line}"))


def _ready(name: str, command: list[str]) -> ProcessSpec:
    return ProcessSpec(name, command, restart=False, verbose=True)


def run_graph(arguments: Arguments, echo: Callable[[str], None]) -> int:
    """Runs the graph until a signal. Returns the exit status for the shell. Errors: ConfigError."""
    return asyncio.run(make_supervisor(arguments, echo).run())
