"""Work on many items at once: in processes of this machine or on a Ray cluster, with the same results wherever it is
done, which come as they are ready. An item whose worker was killed is given to another one."""

from __future__ import annotations

import math
import os
import signal
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, TypeAlias, TypeVar

from dadu.core.errors import ConfigError, MissingExtra
from dadu.core.python_process import run_main, search_path

Item = TypeVar("Item")
Result = TypeVar("Result")
Work = Callable[[Item], Generator[None, None, Result]]
"""yields whenever a part of an item is done, and returns the result. It is pickled: a function of a module, a partial
of one, or a frozen dataclass. It writes nothing: the machine that it is on may have no disk in common with ours."""

_TIMES = 3
"""an item is given out, where whoever has it is killed: by a machine that goes, and by one that is short of memory"""
_KILLED = (signal.SIGKILL, signal.SIGTERM)
"""signals by which a machine ends a worker; by others it has ended itself, in what it was given to do"""
_SINGLE = {"OMP_NUM_THREADS": "1", "LP_NUM_THREADS": "1"}
"""Workers share the cores among themselves; so would the threads of linear algebra and of a renderer without a GPU."""


@dataclass(frozen=True)
class WorkPart(Generic[Item]):
    """So many more parts of an item are done; 0: it was begun; below: they were lost with their worker."""

    item: Item
    count: int


@dataclass(frozen=True)
class WorkDone(Generic[Item, Result]):
    """An item's result."""

    item: Item
    result: Result


@dataclass(frozen=True)
class WorkFailed(Generic[Item]):
    """An item that has none, and why."""

    item: Item
    why: str


WorkEvent: TypeAlias = WorkPart[Item] | WorkDone[Item, Result] | WorkFailed[Item]


@dataclass(frozen=True)
class Whole(Generic[Item, Result]):
    """A function as work without parts."""

    function: Callable[[Item], Result]

    def __call__(self, item: Item) -> Generator[None, None, Result]:
        yield from ()
        return self.function(item)


def kept(events: Iterable[WorkEvent[Item, Result]], keep: Callable[[Item, Result], None]
         ) -> Iterator[WorkEvent[Item, Result]]:
    """The same events; what is done is kept by then."""
    for event in events:
        if isinstance(event, WorkDone):
            keep(event.item, event.result)
        yield event


@dataclass(frozen=True)
class Workers:
    """Who works: `count` processes, with 0 this one itself, or the Ray cluster at `ray` (``local``: one made here)."""

    count: int = 0
    ray: str = ""

    def events(self, work: Work[Item, Result], items: Iterable[Item], patience: float = math.inf
               ) -> Iterator[WorkEvent[Item, Result]]:
        """Parts of the items, and of each how it ended, which is a failure where `work` raises a ConfigError. Left
        early, it ends its workers, as it does one that has told nothing for `patience` seconds of wall time. Errors:
        MissingExtra."""
        if self.ray:
            return _on_ray(work, items, self.ray, patience)
        if self.count:
            return _in_processes(work, items, self.count, patience)
        return (event for item in items for event in _events(work, item))


def _events(work: Work[Item, Result], item: Item) -> Iterator[WorkEvent[Item, Result]]:
    """Of one item."""
    steps = work(item)
    yield WorkPart(item, 0)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            yield WorkDone(item, end.value)
            return
        except ConfigError as error:
            yield WorkFailed(item, str(error))
            return
        yield WorkPart(item, 1)


@dataclass
class _Job(Generic[Item]):
    """An item on its way."""

    item: Item
    times: int = 0
    """it was given out"""
    parts: int = 0
    """of it that are done"""
    since: float = math.inf
    """when of it was heard last [s], monotonic"""

    def silent(self, patience: float) -> bool:
        return time.monotonic() - self.since > patience

    def hear(self, event: Any) -> Any:
        self.parts += event.count if isinstance(event, WorkPart) else 0
        self.since = time.monotonic()
        return event

    def hung(self, patience: float) -> WorkFailed[Item]:
        return WorkFailed(self.item, f"nothing was heard of it for {patience:.0f} s of wall time")

    def lost(self, why: str) -> WorkPart[Item] | WorkFailed[Item]:
        """When its worker was killed: its parts, or its end where that was once too often."""
        if self.times >= _TIMES:
            return WorkFailed(self.item, f"its worker was lost {_TIMES} times: {why}")
        lost, self.parts, self.since = WorkPart(self.item, -self.parts), 0, math.inf
        return lost


def _in_processes(work: Work[Item, Result], items: Iterable[Item], count: int, patience: float
                  ) -> Iterator[WorkEvent[Item, Result]]:
    waiting = deque(_Job(item) for item in items)
    running: dict[Connection, _Process] = {}
    try:
        while waiting or running:
            while waiting and len(running) < count:
                process = _Process(work, waiting.popleft())
                running[process.pipe] = process
            ready = wait(list(running), timeout=1.0)
            for pipe, process in [(p, w) for p, w in running.items() if p in ready or w.job.silent(patience)]:
                event = process.event() if pipe in ready else process.job.hung(patience)
                yield event
                if isinstance(event, WorkPart) and process.code is None:
                    continue
                if isinstance(event, WorkPart):
                    waiting.appendleft(process.job)
                if waiting and pipe in ready and process.code is None:
                    process.give(waiting.popleft())
                else:
                    process.end()
                    del running[pipe]
    finally:
        for process in running.values():
            process.end()


class _Process:
    """A process that is given one item after the other."""

    def __init__(self, work: Work[Any, Any], job: _Job[Any]) -> None:
        ours, theirs = socket.socketpair()
        with theirs:  # not by multiprocessing, whose processes look for modules in the working directory
            self._process = subprocess.Popen(  # in a session of its own: Ctrl-C is for the parent, which ends it
                run_main("dadu.core.work", str(theirs.fileno())), pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL, env={**_SINGLE, **os.environ, **search_path()}, start_new_session=True)
        self.pipe = Connection(ours.detach())
        self.code: int | None = None
        """its exit code, where it has hung up"""
        with suppress(ConnectionError):  # it died just now, as the next event will tell
            self.pipe.send(work)
        self.give(job)

    def give(self, job: _Job[Any]) -> None:
        self.job = job
        job.times, job.since = job.times + 1, time.monotonic()
        with suppress(ConnectionError):
            self.pipe.send(job.item)

    def event(self) -> Any:
        """What it tells of its job; where it has hung up, what that means."""
        try:
            return self.job.hear(self.pipe.recv())
        except (EOFError, ConnectionError):
            self.code = self._process.wait()
        if -self.code in _KILLED:
            return self.job.lost(f"signal {-self.code}")
        return WorkFailed(self.job.item, f"its worker died with exit code {self.code}")

    def end(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(5.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self.pipe.close()


def main() -> None:
    """A process of `Workers`: its one argument is an inherited socket's number. It is given work, then items until it
    is hung up on."""
    pipe = Connection(int(sys.argv[1]))
    with suppress(EOFError, ConnectionError):
        work = pipe.recv()
        while True:
            for event in _events(work, pipe.recv()):
                pipe.send(event)


def _on_ray(work: Work[Item, Result], items: Iterable[Item], address: str, patience: float
            ) -> Iterator[WorkEvent[Item, Result]]:
    try:
        import ray
    except ModuleNotFoundError:
        raise MissingExtra("--ray needs Ray: pip install -e '.[cluster]'") from None
    ray.init(address=None if address == "local" else address, log_to_driver=False, include_dashboard=False,
             runtime_env={"env_vars": _SINGLE})
    try:
        remote, shared = ray.remote(max_retries=0, num_returns="streaming")(_events), ray.put(work)
        waiting = [_Job(item) for item in items]
        running: dict[Any, _Job[Item]] = {}
        while waiting or running:
            for job in waiting:
                job.times += 1
                running[remote.remote(shared, job.item)] = job
            waiting = []
            ready, _ = ray.wait(list(running), num_returns=1, timeout=1.0)
            for stream, job in [(s, j) for s, j in running.items() if s in ready or j.silent(patience)]:
                alive = True
                try:
                    event: Any = job.hear(ray.get(next(stream))) if stream in ready else job.hung(patience)
                except ray.exceptions.RayTaskError as error:
                    event = WorkFailed(job.item, str(error))
                except ray.exceptions.RayError as error:
                    event, alive = job.lost(type(error).__name__), False
                yield event
                if isinstance(event, WorkPart) and alive:
                    continue
                del running[stream]
                if isinstance(event, WorkPart):
                    waiting.append(job)
                elif stream not in ready:
                    ray.cancel(stream, force=True)
    finally:
        ray.shutdown()
