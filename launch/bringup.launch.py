"""The whole graph: ``ros2 launch dadu bringup.launch.py sim:=true``; ``--show-args`` lists the arguments.

A rendering of `dadu.bringup.graph`, where nodes, parameters and arguments are declared; ``dadu up`` is the other. Both
keep the nodes alive by the same rules, end in 3 s, leave the same files behind and no process.
"""

import asyncio
import atexit
import os
import shlex
import signal
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from launch import LaunchContext, LaunchDescription, LaunchDescriptionEntity
from launch.actions import (
    DeclareLaunchArgument,
    ExecuteProcess,
    LogInfo,
    OpaqueCoroutine,
    OpaqueFunction,
    RegisterEventHandler,
    Shutdown,
    TimerAction,
)
from launch.event_handlers import OnProcessExit, OnProcessIO, OnProcessStart
from launch.events.process import ProcessExited, ProcessIO, ProcessStarted
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

from dadu.bringup import guard
from dadu.bringup.arguments import Arguments, as_text, choices_of, from_text
from dadu.bringup.command import instruction_command, settings_file
from dadu.bringup.environment import environment
from dadu.bringup.graph import NodeSpec, nodes
from dadu.bringup.leftover_processes import end_all
from dadu.bringup.process import GaveUp, Lives
from dadu.bringup.run_directory import make_run_directory, note_start
from dadu.bringup.usage import UsageLog

SIGTERM_AFTER, SIGKILL_AFTER = "1.2", "1.0"
"""[s] after SIGINT, and after that: all is over within 3 s of Ctrl-C"""
SAMPLE_PERIOD = 1.0
"""[s]"""


def generate_launch_description() -> LaunchDescription:
    declarations = [
        DeclareLaunchArgument(
            name,
            default_value=as_text(field.default),
            description=field.description,
            choices=choices_of(name) or None,
        )
        for name, field in Arguments.model_fields.items()
    ]
    return LaunchDescription([*declarations, OpaqueFunction(function=start)])


def start(context: LaunchContext) -> list[LaunchDescriptionEntity]:
    """The graph's processes, once the arguments are known."""
    arguments = from_text({name: LaunchConfiguration(name).perform(context) for name in Arguments.model_fields})
    specs = nodes(arguments)
    run_dir = make_run_directory(arguments.run_dir)
    note_start(arguments.model_copy(update={"run_dir": str(run_dir)}), run_dir)
    env = environment(run_dir)
    # Launch itself would end at once and leave the nodes to their fate.
    signal.signal(signal.SIGTERM, lambda number, frame: os.kill(os.getpid(), signal.SIGINT))
    graph = Graph(run_dir, {name: value for name, value in env.items() if os.environ.get(name) != value})
    return graph.entities(specs, arguments)


class Graph:
    """The processes of one launch: started, started again, measured, and their output kept."""

    def __init__(self, run_dir, env: dict[str, str]) -> None:
        self._env, self._logs = env, run_dir / "logs"
        self._logs.mkdir(parents=True, exist_ok=True)
        self._usage = UsageLog(run_dir / "resources.jsonl")
        self._names: dict[object, str] = {}
        """by action"""
        self._specs: dict[str, NodeSpec] = {}
        self._lives: dict[str, Lives] = {}
        self._running: dict[str, tuple[int | None, int]] = {}
        """name to process id and number of starts"""
        self._born: dict[str, float] = {}
        atexit.register(lambda: end_all(pid for pid, _ in self._running.values() if pid is not None))

    def entities(self, specs: Iterable[NodeSpec], arguments: Arguments) -> list[LaunchDescriptionEntity]:
        handlers = (OnProcessStart(on_start=self._started), OnProcessExit(on_exit=self._ended),
                    OnProcessIO(on_stdout=self._keep, on_stderr=self._keep))
        found = [*(RegisterEventHandler(handler) for handler in handlers), *(self._node(spec) for spec in specs)]
        if arguments.instruction:
            found.append(self._task(instruction_command(arguments.instruction, arguments.namespace)))
        return [*found, OpaqueCoroutine(coroutine=self._sample)]

    def _node(self, spec: NodeSpec) -> Node:
        settings = settings_file(spec)
        node = Node(
            package="dadu",
            executable=spec.name,
            name=spec.name,
            namespace=spec.namespace,
            exec_name=spec.process,
            parameters=[*([str(settings)] if settings else []), spec.parameters],
            remappings=list(spec.remappings.items()),
            **self._common(),
        )
        self._specs[spec.process] = spec
        self._lives.setdefault(spec.process, Lives(spec.process, self._log(node, spec.process)))
        return node

    def _task(self, command: list[str]) -> ExecuteProcess:
        task = ExecuteProcess(cmd=command, name="task", **self._common())
        self._log(task, "task")
        return task

    def _log(self, action: ExecuteProcess, name: str) -> Path:
        """Of what `action` says; there from the beginning."""
        self._names[action] = name
        log = self._logs / f"{name}.log"
        log.parent.mkdir(exist_ok=True)
        log.touch()
        return log

    def _common(self) -> dict[str, object]:
        return {"prefix": shlex.join(guard.prefix()), "additional_env": self._env, "output": "screen",
                "sigterm_timeout": SIGTERM_AFTER, "sigkill_timeout": SIGKILL_AFTER}

    def _started(self, event: ProcessStarted, context: LaunchContext) -> None:
        name = self._names.get(event.action)
        if name is not None:
            self._running[name] = event.pid, self._running.get(name, (None, 0))[1] + 1
            self._born[name] = time.monotonic()

    def _ended(self, event: ProcessExited, context: LaunchContext) -> list[LaunchDescriptionEntity]:
        """Starts a node again after a pause; one that is worth no further life ends the launch with one sentence."""
        name = self._names.pop(event.action, None)
        if name is None:
            return []
        self._running[name] = None, self._running[name][1]
        if context.is_shutdown or name not in self._lives:
            return []
        try:
            pause = self._lives[name].after(event.returncode, time.monotonic() - self._born[name])
        except GaveUp as error:
            return [LogInfo(msg=f"{error}; ending the graph"), Shutdown(reason=str(error))]
        return [TimerAction(period=pause, actions=[self._node(self._specs[name])])]

    def _keep(self, event: ProcessIO) -> None:
        name = self._names.get(event.action)
        if name is not None:
            with (self._logs / f"{name}.log").open("ab") as log:
                log.write(event.text)

    async def _sample(self, context: LaunchContext) -> None:
        # Launch cancels this as it shuts down; a task that ended so would end launch itself before its nodes.
        with suppress(asyncio.CancelledError):
            while not context.is_shutdown:
                self._usage.sample(self._running)
                await asyncio.sleep(SAMPLE_PERIOD)
