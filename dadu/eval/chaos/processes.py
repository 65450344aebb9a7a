"""The graph's processes: started, signalled, counted, ended."""

from __future__ import annotations

import resource
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psutil

from dadu.bringup import guard
from dadu.eval.chaos.draw import NODES, WRITERS

END = 1.5
"""[s] in which a graph that is interrupted may end by itself"""
_FULL = 16
"""bytes that a file may have which is written to on the full disk: the clock's few are there already"""
_MOMENT = 0.5
"""[s, wall] that processes take to begin or to end"""
_SUPERVISOR = "supervisor"


class GraphProcesses:
    """One graph at a time, each in a run directory of its own."""

    def __init__(self, out: Path, command: Callable[[Path], list[str]]) -> None:
        """`command`: what runs the graph in a run directory until a signal."""
        self.run_dir = out
        self._out, self._command = out, command
        self._process: subprocess.Popen[bytes] | None = None
        self._started = 0

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """A new graph, its words in ``graph.log`` of a new run directory."""
        self._started += 1
        self.run_dir = (self._out / f"run-{int(time.time())}-{self._started}").absolute()
        self.run_dir.mkdir(parents=True)
        with (self.run_dir / "graph.log").open("wb") as log:
            self._process = subprocess.Popen([*guard.prefix(), *self._command(self.run_dir)], stdout=log,
                                             stderr=subprocess.STDOUT, start_new_session=True)

    def stop(self) -> tuple[str, ...]:
        """Ends the graph as Ctrl-C does, in at most 3 s; the processes that it left behind."""
        if self._process is None:
            return ()
        family = self._family()
        self._process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(END)
        left = psutil.wait_procs(family, timeout=0.2)[1]
        for process in left:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        self._process.kill()
        self._process.wait()
        self._process = None
        return tuple(str(process.pid) for process in left)

    def orphans(self) -> tuple[str, ...]:
        """Processes of the running graph that nobody looks after: outside its family, or a second one of a node. Such
        as begin or end at this moment are none."""
        found = self._strays()
        if found:
            time.sleep(_MOMENT)
            found &= self._strays()
        return tuple(sorted(found))

    def _strays(self) -> set[str]:
        family = {process.pid for process in self._family()}
        nodes = Counter(name for name, _ in self._nodes())
        return {str(p.pid) for p in processes_of(self.run_dir) if p.pid not in family} | {
            f"{count} times {name}" for name, count in nodes.items() if count > 1}

    def send(self, node: str, number: int) -> None:
        """A signal, where the node is there."""
        with suppress(psutil.NoSuchProcess, KeyError):
            dict(self._nodes())[node].send_signal(number)

    def fill_disk(self, name: str, full: bool) -> None:
        """The files of that node, or of the supervisor (all nodes' logs), cannot grow, or can again."""
        if name == _SUPERVISOR:
            processes = self._family()[:1 if full else None]  # whom it started meanwhile has inherited it
        else:
            processes = [process for node, process in self._nodes() if node == name]
        for process in processes:
            with suppress(psutil.NoSuchProcess):
                _, hard = process.rlimit(resource.RLIMIT_FSIZE)
                process.rlimit(resource.RLIMIT_FSIZE, (_FULL if full else resource.RLIM_INFINITY, hard))

    def _family(self) -> list[psutil.Process]:
        """The supervisor, and all that it has started."""
        if self._process is None:
            return []
        with suppress(psutil.NoSuchProcess):
            supervisor = psutil.Process(self._process.pid)
            return [supervisor, *supervisor.children(recursive=True)]
        return []

    def _nodes(self) -> Iterator[tuple[str, psutil.Process]]:
        for process in self._family():
            with suppress(psutil.Error):  # one that has just died
                line = " ".join(process.cmdline())
                yield from ((name, process) for name in {*NODES, *WRITERS} if f"dadu_nodes.{name} " in line)


def processes_of(run_dir: Path) -> Iterator[psutil.Process]:
    """Those that were started for this run, and live."""
    for process in psutil.process_iter():
        with suppress(psutil.Error):  # gone, or another user's
            if process.environ().get("DADU_RUN_DIR") == str(run_dir) and process.status() != psutil.STATUS_ZOMBIE:
                yield process
