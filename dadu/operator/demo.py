"""``dadu demo``: the whole graph, one instruction, a report, and a verdict by ground truth.

No ROS here: the graph, the wait for it and the instruction are processes of their own.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import signal
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from dadu.bringup.arguments import Arguments
from dadu.bringup.command import instruction_command, ready_command
from dadu.bringup.domain import claim_domain
from dadu.bringup.environment import environment
from dadu.bringup.run_directory import make_run_directory, new_directory, note_start
from dadu.bringup.supervisor import Say, Supervisor
from dadu.bringup.up import processes
from dadu.core.errors import ConfigError, ExitStatus
from dadu.operator.run.run_info import RunInfo, write_run_info

INSTRUCTION = "take the milk out of the fridge and put it on the dining table, then bring the red apple there too"
GOAL = {
    "propositions": [{"is_on_top": [["milk_0"], ["dining_table_0"]]}, {"is_on_top": [["apple_0"], ["dining_table_0"]]}],
    "constraints": [{"terminal": [0, 1]}],
}
"""What ground truth must confirm, whatever the planner read into `INSTRUCTION`"""
_SETTLE = 1.5
"""wall seconds after the task in which the end state is still recorded"""


@dataclass(frozen=True)
class DemoOptions:
    arguments: Arguments
    """launch arguments; `run_dir` empty: a new one under ``runs/``"""
    instruction: str = INSTRUCTION
    goal: Mapping[str, Any] | None = None
    """in a suite's format; None: what the planner reads into the instruction"""
    command: str = "dadu demo"
    """that repeats it"""
    max_seconds: float = 900.0
    """[s, simulated] for the instruction; 0: the planner's own limit"""
    wall_limit: float = 18_000.0
    """[s] for the instruction, after which simulated time is taken to stand still: at a twentieth of real time
    `max_seconds` are over by then"""
    keep: bool = False
    """leave the graph running until Ctrl-C"""


@dataclass(frozen=True)
class DemoRun:
    """How it went, as far as processes can tell."""

    run_dir: Path
    ready_seconds: float | None
    """None: the graph never became ready"""
    task_status: int | None
    """exit status of ``dadu do``; None where it did not get to its end"""
    ended_early: int | None
    """None: it ran to its end; 130: interrupted; else the exit status of a graph that could not be kept alive"""


def run_demo(options: DemoOptions, say: Say) -> DemoRun:
    """Runs graph and instruction; when it returns no process is left. `say(name, line)` shows a line to the user.
    Errors: ConfigError."""
    if options.arguments.namespace or options.arguments.frame_prefix or options.arguments.robots:
        raise ConfigError("the demo shows one robot, whose names its report reads: leave robots, namespace and "
                          "frame_prefix to dadu up")
    return asyncio.run(_Demo(options, say).run())


class _Demo:
    def __init__(self, options: DemoOptions, say: Say) -> None:
        claim_domain()
        given = options.arguments.run_dir or new_directory(Path("runs"), f"demo-{datetime.now():%Y-%m-%d_%H-%M-%S}")
        self._run_dir = make_run_directory(given)
        self._arguments = options.arguments.model_copy(update={"run_dir": str(self._run_dir)})
        self._options, self._say = options, say
        self._environment = environment(self._run_dir)
        self._specs = processes(self._arguments)
        self._ready: float | None = None
        self._status: int | None = None

    async def run(self) -> DemoRun:
        """The whole story: graph up, ready, instruction, settle, graph down."""
        note_start(self._arguments, self._run_dir)
        supervisor = Supervisor(self._specs, self._run_dir, self._environment, self._graph_says)
        graph = asyncio.create_task(supervisor.run())
        await asyncio.sleep(0)  # from here on Ctrl-C is heard, also by a process that was started with it ignored
        self._say("dadu", f"{len(self._specs)} nodes are starting; files of this run: {_relative(self._run_dir)}")
        story = asyncio.create_task(self._story())
        await asyncio.wait({graph, story}, return_when=asyncio.FIRST_COMPLETED)
        early = (graph.result() or ExitStatus.INTERRUPTED) if graph.done() else None
        story.cancel()
        with suppress(asyncio.CancelledError):
            await story
        if self._options.keep and early is None:
            self._say("dadu", "the graph keeps running; Ctrl-C ends it")
            await graph
        supervisor.stop()
        await graph
        return DemoRun(self._run_dir, self._ready, self._status, early)

    async def _story(self) -> None:
        start = time.monotonic()
        names = [spec.name for spec in self._specs]
        ready = await self._run(ready_command(names), limit=150.0)
        self._note(time.monotonic() - start if ready == 0 else None)
        if ready != 0:
            return
        self._say("dadu", f"ready after {self._ready:.1f} s")
        self._say("dadu", f"instruction: {self._options.instruction}")
        given = instruction_command(self._options.instruction, max_seconds=self._options.max_seconds)
        self._status = await self._run(given, self._options.wall_limit)
        await asyncio.sleep(_SETTLE)

    async def _run(self, argv: Sequence[str], limit: float) -> int | None:
        """Runs a client of the graph; None where it was over its limit [s, wall]. Cancelled, it is gone when this
        returns."""
        child = await asyncio.create_subprocess_exec(*argv, env=self._environment, start_new_session=True,
                                                     stdin=asyncio.subprocess.DEVNULL)
        try:
            return await asyncio.wait_for(child.wait(), limit)
        except asyncio.TimeoutError:
            self._say("dadu", f"not done after {limit:.0f} s of wall time; ended")
            return None
        finally:
            await _end(child)

    def _note(self, ready: float | None) -> None:
        self._ready = ready
        goal = self._options.goal
        write_run_info(self._run_dir, RunInfo(
            command=self._options.command, started=datetime.now().isoformat(timespec="seconds"), ready_seconds=ready,
            goal=dict(goal) if goal is not None else None))

    def _graph_says(self, name: str, line: str) -> None:
        """Deaths, and what comes before them, are shown; ordinary log lines are in the log files."""
        if not line.startswith("["):
            self._say(name, line)


async def _end(child: asyncio.subprocess.Process, patience: float = 2.0) -> None:
    """SIGTERM, then SIGKILL."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if child.returncode is not None:
            return
        with suppress(ProcessLookupError):
            os.killpg(child.pid, number)
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(child.wait(), patience)


def repeat_command(words: Sequence[str]) -> str:
    """The command line that repeats this run."""
    return shlex.join(["dadu", "demo", *words])


def _relative(path: Path) -> str:
    return os.path.relpath(path)
