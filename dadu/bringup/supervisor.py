"""Runs the graph's processes together: all up, dead ones restarted, and none left at the end."""

from __future__ import annotations

import asyncio
import itertools
import json
import signal
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

import psutil

from dadu.bringup.command import fork_server_command
from dadu.bringup.fork_server import ForkServer
from dadu.bringup.process import DEFAULT_POLICY, PATIENCE, GaveUp, ProcessSpec, RestartPolicy, SupervisedProcess

_LAST_WORDS = 0.4
"""[s] for output that is still in the pipes"""
_SAMPLE_PERIOD = 1.0
"""[s]"""

Say = Callable[[str, str], None]


class Supervisor:
    """Starts processes and keeps them running until a signal, `stop`, or one that cannot be kept alive."""

    def __init__(self, specs: list[ProcessSpec], run_dir: Path, env: Mapping[str, str], say: Say,
                 policy: RestartPolicy = DEFAULT_POLICY,
                 fork_server: Callable[[int], list[str]] = fork_server_command) -> None:
        """`say(name, line)` shows a line to the user. Logs go to ``run_dir/logs/NAME.log``. `fork_server`: the command
        line of the process that becomes what may be forked."""
        logs = run_dir / "logs"
        logs.mkdir(parents=True, exist_ok=True)
        for spec in specs:
            (logs / spec.name).parent.mkdir(exist_ok=True)
        self._say = say
        self._env = env
        self._fork_server = ForkServer(fork_server) if any(s.forked for s in specs) else None
        self._processes = [
            SupervisedProcess(s, env, logs / f"{s.name}.log", policy, partial(say, s.name), self._fork_server)
            for s in specs
        ]
        self._usage = UsageLog(run_dir / "resources.jsonl")
        self._stopping = asyncio.Event()

    def pids(self) -> dict[str, int]:
        """Process ids of those running now."""
        return {p.spec.name: p.pid for p in self._processes if p.pid is not None}

    def stop(self) -> None:
        """Ends the run; `run` returns within 3 s."""
        self._stopping.set()

    async def run(self) -> int:
        """The whole life of the graph. Returns 0 after `stop` or a signal, else the exit status for the shell.

        In the main thread only: the kernel ends the processes with the thread that started them.
        """
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self.stop)
        if self._fork_server is not None:
            await self._fork_server.begin(self._env)
        keepers = [asyncio.create_task(p.keep_running()) for p in self._processes]
        sampler = asyncio.create_task(self._sample())
        try:
            return await self._first_failure(keepers)
        finally:
            await asyncio.gather(*(p.stop(PATIENCE) for p in self._processes))
            await asyncio.wait(keepers, timeout=_LAST_WORDS)
            if self._fork_server is not None:
                await self._fork_server.end()
            for task in (sampler, *keepers):
                task.cancel()
            await asyncio.gather(sampler, *keepers, return_exceptions=True)
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                loop.remove_signal_handler(number)

    async def _first_failure(self, keepers: list[asyncio.Task[None]]) -> int:
        stopping = asyncio.create_task(self._stopping.wait())
        waiting = {stopping, *keepers}
        while True:
            done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for task in done - {stopping}:
                try:
                    task.result()
                except GaveUp as error:
                    self._say("dadu", f"{error}; ending the graph")
                    stopping.cancel()
                    return error.status if error.status > 0 else 1
            if stopping in done:
                return 0

    async def _sample(self) -> None:
        while True:
            await asyncio.sleep(_SAMPLE_PERIOD)
            fork_server = {"fork_server": (self._fork_server.pid, 1)} if self._fork_server is not None else {}
            self._usage.sample({**fork_server, **{p.spec.name: (p.pid, p.starts) for p in self._processes}})


_SHARES = 10
"""a process's first sample and every so many hold ``pss``, too: the kernel walks through all of its pages for it"""


class UsageLog:
    """Appends ``{"time": wall [s], "nodes": {name: {"cpu": [s], "rss": [byte], "pid", "starts"}}}`` to a file.

    ``cpu`` is that of the process `pid`: a restarted node counts from 0 again. Now and then there is ``pss`` [byte],
    too, in which a page that several processes share counts by its share: only these add up.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[int, psutil.Process] = {}
        self._count = itertools.count()

    def sample(self, processes: Mapping[str, tuple[int | None, int]]) -> None:
        """`processes`: name to process id (None: not running) and number of starts."""
        nodes, shares = {}, next(self._count) % _SHARES == 0
        for name, (pid, starts) in processes.items():
            if pid is None:
                continue
            try:
                nodes[name] = {**self._measure(pid, shares or pid not in self._known), "pid": pid, "starts": starts}
            except psutil.Error:
                self._known.pop(pid, None)  # it died between the two
        with suppress(OSError), self._path.open("a") as out:  # on a full disk a sample is missing
            out.write(json.dumps({"time": round(time.time(), 3), "nodes": nodes}) + "\n")

    def _measure(self, pid: int, shares: bool) -> dict[str, float]:
        process = self._known.setdefault(pid, psutil.Process(pid))
        with process.oneshot():
            cpu = process.cpu_times()
            used = {"cpu": round(cpu.user + cpu.system, 2), "rss": process.memory_info().rss}
        if shares:
            used["pss"] = process.memory_full_info().pss
        return used
