"""Where episodes run: in this process, in several on this machine, or on a Ray cluster; the results are the same."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, wait

from dadu.core.errors import MissingExtra
from dadu.core.python_process import run_main, search_path
from dadu.eval.episode.observer import Trace
from dadu.eval.episode.trial import Trial, run_episode
from dadu.eval.options import EvalOptions
from dadu.eval.results import EpisodeResult
from dadu.tasks.prepare import Prepared

_GRACE = 60.0
"""wall seconds beyond an episode's own limit after which its worker is ended"""


def run_here(todo: Iterable[Prepared], options: EvalOptions) -> Iterator[Trial]:
    """One after the other, in this process."""
    return (run_episode(prepared, options) for prepared in todo)


def run_workers(todo: Iterable[Prepared], options: EvalOptions, count: int) -> Iterator[Trial]:
    """`count` processes at a time. A worker that dies or hangs costs its episode, which counts as crashed."""
    waiting = deque(todo)
    running: dict[Connection, _Worker] = {}
    try:
        while waiting or running:
            while waiting and len(running) < count:
                worker = _Worker(options)
                running[worker.pipe] = worker
                worker.give(waiting.popleft())
            ready = wait(list(running), timeout=1.0)
            for pipe, worker in [(p, w) for p, w in running.items() if p in ready or w.late]:
                yield worker.take()
                if worker.alive and waiting:
                    worker.give(waiting.popleft())
                else:
                    worker.end()
                    del running[pipe]
    finally:
        for worker in running.values():
            worker.end()


def run_ray(todo: Iterable[Prepared], options: EvalOptions, address: str) -> Iterator[Trial]:
    """On the cluster at `address` (``local``: one on this machine). Errors: MissingExtra."""
    try:
        import ray
    except ModuleNotFoundError:
        raise MissingExtra("--ray needs Ray: pip install -e '.[cluster]'") from None
    ray.init(address=None if address == "local" else address, log_to_driver=False, include_dashboard=False)
    try:
        remote = ray.remote(max_retries=0)(run_episode)
        waiting = {remote.remote(prepared, options): prepared for prepared in todo}
        while waiting:
            ready, _ = ray.wait(list(waiting), num_returns=1)
            prepared = waiting.pop(ready[0])
            try:
                yield ray.get(ready[0])
            except ray.exceptions.RayError as error:
                yield _lost(prepared, options, f"the worker was lost: {type(error).__name__}")
    finally:
        ray.shutdown()


class _Worker:
    """One process, which takes episodes until it is told to end."""

    def __init__(self, options: EvalOptions) -> None:
        ours, theirs = socket.socketpair()
        # Workers share the cores among themselves.
        environment = {"OMP_NUM_THREADS": "1", **os.environ, **search_path()}
        with theirs:  # not by multiprocessing, whose processes look for modules in the working directory
            self._process = subprocess.Popen(
                run_main("dadu.eval.workers", str(theirs.fileno())), pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL, env=environment)
        self.pipe = Connection(ours.detach())
        self.pipe.send(options)
        self._options, self._limit = options, options.wall_seconds + _GRACE
        self._episode: Prepared | None = None
        self._since = time.monotonic()

    @property
    def late(self) -> bool:
        return time.monotonic() - self._since > self._limit

    @property
    def alive(self) -> bool:
        return self._process.poll() is None and not self.late

    @property
    def episode(self) -> Prepared:
        """What it works on. Errors: RuntimeError before `give`."""
        if self._episode is None:
            raise RuntimeError("the worker has been given no episode")
        return self._episode

    def give(self, prepared: Prepared) -> None:
        self._episode, self._since = prepared, time.monotonic()
        self.pipe.send(prepared)

    def take(self) -> Trial:
        """What became of its episode, also where the process did not live to tell."""
        if self.late and not self.pipe.poll():
            self._process.kill()
            return _lost(self.episode, self._options, f"no end after {self._limit:.0f} s of wall time")
        try:
            return self.pipe.recv()
        except (EOFError, ConnectionResetError):
            self._wait()
            return _lost(self.episode, self._options, f"the worker died with exit code {self._process.returncode}")

    def end(self) -> None:
        self._process.terminate()
        self._wait()
        self.pipe.close()

    def _wait(self) -> None:
        """Until it has ended; 5 s at most."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(5.0)


def main() -> None:
    """A worker: its one argument is an inherited socket's number. Takes options, then episodes until it is hung up."""
    pipe = Connection(int(sys.argv[1]))
    options = pipe.recv()
    while True:
        try:
            prepared = pipe.recv()
        except EOFError:
            return
        pipe.send(run_episode(prepared, options))


def _lost(prepared: Prepared, options: EvalOptions, why: str) -> Trial:
    episode = prepared.episode
    result = EpisodeResult(id=episode.id, level=episode.level, seed=prepared.seed, instruction=episode.instruction,
                           success=False, ended="crashed", error=why, turns={},
                           ledger=options.privileges_for(episode.known).line,
                           explanation=f"The episode crashed: {why}.")
    return Trial(result, Trace())
