"""One supervised process: started, its output kept, restarted when it dies, ended when told."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from dadu.bringup import guard
from dadu.bringup.fork_server import ForkedChild, ForkServer

_QUIET = re.compile(r"^\[(INFO|DEBUG)\]")
_CHUNK = 2**16
PATIENCE = 2.0
"""[s] from SIGTERM to SIGKILL: all is over within 3 s"""
CONFIG_ERROR = 2
"""exit status of a node whose settings are wrong: starting it again would not help"""


@dataclass(frozen=True)
class ProcessSpec:
    """What to run and how."""

    name: str
    argv: list[str]
    forked: tuple[str, ...] = ()
    """where there is a fork server, in place of `argv`: the module whose ``main()`` it calls, and its arguments"""
    restart: bool = True
    """start it again whenever it ends"""
    verbose: bool = False
    """show all of its output, not only warnings and worse"""


@dataclass(frozen=True)
class RestartPolicy:
    """Pauses double from `first` to `longest`; `rapid_deaths` in a row, each sooner than `short_life`, are the end."""

    first: float = 0.5
    """[s]"""
    longest: float = 8.0
    """[s]"""
    short_life: float = 15.0
    """[s]"""
    rapid_deaths: int = 5

    def pause(self, deaths: int) -> float:
        """[s] to wait after the `deaths`-th rapid death in a row (1, 2, ...)."""
        return min(self.first * 2 ** (deaths - 1), self.longest)


DEFAULT_POLICY = RestartPolicy()


class GaveUp(Exception):
    """A process that cannot be kept alive; `status` is its last exit status."""

    def __init__(self, text: str, status: int) -> None:
        super().__init__(text)
        self.status = status


class Lives:
    """Counts the deaths of one process and says when it is worth no further life."""

    def __init__(self, name: str, log: Path, policy: RestartPolicy = DEFAULT_POLICY) -> None:
        self._name, self._log, self._policy = name, log, policy
        self._deaths = 0

    def after(self, status: int, age: float) -> float:
        """[s] to wait before it is started again, having ended with `status` (negative: by that signal) at `age` [s].
        Errors: GaveUp, with the one sentence that ends the graph."""
        if status == CONFIG_ERROR:
            raise GaveUp(f"{self._name}: its settings are wrong (see above, or {self._log})", status)
        self._deaths = self._deaths + 1 if age < self._policy.short_life else 1
        if self._deaths >= self._policy.rapid_deaths:
            raise GaveUp(f"{self._name} died {self._deaths} times in a row, {how_it_ended(status)}; see {self._log}",
                         status)
        return self._policy.pause(self._deaths)


class SupervisedProcess:
    """Keeps one process running. `say` receives the lines that a person should see."""

    def __init__(self, spec: ProcessSpec, env: Mapping[str, str], log: Path, policy: RestartPolicy,
                 say: Callable[[str], None], fork_server: ForkServer | None = None) -> None:
        self.spec = spec
        self.starts = 0
        self._env = env
        self._log = log
        self._policy = policy
        self._say = say
        self._fork_server = fork_server
        self._child: asyncio.subprocess.Process | ForkedChild | None = None
        self._ending = False

    @property
    def pid(self) -> int | None:
        """None while it is not running."""
        return self._child.pid if self._child is not None and self._child.returncode is None else None

    async def keep_running(self) -> None:
        """Runs the process again and again, until `stop`. One not to be restarted runs once. Errors: GaveUp."""
        lives = Lives(self.spec.name, self._log, self._policy)
        while not self._ending:
            born = time.monotonic()
            status = await self._run_once()
            if self._ending or not self.spec.restart:
                return
            pause = lives.after(status, time.monotonic() - born)
            self._say(f"died ({how_it_ended(status)}); starting it again in {pause:g} s")
            await asyncio.sleep(pause)

    async def stop(self, patience: float) -> None:
        """SIGTERM, after `patience` [s] SIGKILL; and SIGKILL to whatever it left behind in its process group."""
        self._ending = True
        if self._child is not None and self._child.returncode is None:
            self._signal(signal.SIGTERM)
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._child.wait(), patience)
        self._signal(signal.SIGKILL)

    def _signal(self, number: int) -> None:
        if self._child is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._child.pid, number)

    async def _run_once(self) -> int:
        with self._log.open("ab", buffering=0) as log:
            self._child = child = await self._begun()
            self.starts += 1
            if child.stdout is not None:
                await self._pump(child.stdout, log)
            return await child.wait()

    async def _begun(self) -> asyncio.subprocess.Process | ForkedChild:
        forked = await self._fork_server.become(self.spec.forked) if self._fork_server and self.spec.forked else None
        return forked or await asyncio.create_subprocess_exec(
            *guard.prefix(), *self.spec.argv, env=self._env, stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT, start_new_session=True)

    async def _pump(self, stream: asyncio.StreamReader, log: BinaryIO) -> None:
        """Copies output to the log as it comes, and what matters of it to the console."""
        rest = b""
        while chunk := await stream.read(_CHUNK):
            with suppress(OSError):  # the disk is full: a line that is lost is no reason to end the graph
                log.write(chunk)
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                self._show(line)
        if rest:
            self._show(rest)

    def _show(self, line: bytes) -> None:
        text = line.decode(errors="replace").rstrip()
        if text and (self.spec.verbose or not _QUIET.match(text)):
            self._say(text)


def how_it_ended(status: int) -> str:
    """In words."""
    return f"exit status {status}" if status >= 0 else f"killed by {signal.Signals(-status).name}"
