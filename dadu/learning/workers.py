"""Makes what belongs to many homes in several processes: each takes one home after the other."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Any

from dadu.core.errors import ConfigError
from dadu.core.python_process import run_main, search_path

Order = Mapping[str, Any]
"""of one home, as JSON"""


@dataclass(frozen=True)
class MakingEvent:
    """What a worker tells: a part more, or, with `home`, that one is whole; `failed`: why it never will be."""

    home: str = ""
    failed: str = ""


def make_in_processes(command: Sequence[str], orders: Mapping[str, Order], workers: int) -> Iterator[MakingEvent]:
    """What comes of `orders`, by the names of homes; `command`: a module whose main calls `serve`, and its arguments.
    Left early, it ends its processes."""
    waiting: SimpleQueue[tuple[str, Order]] = SimpleQueue()
    for order in orders.items():
        waiting.put(order)
    told: SimpleQueue[MakingEvent] = SimpleQueue()
    hands = [_Hand(command, waiting, told) for _ in range(min(workers, waiting.qsize()))]
    try:
        while any(hand.is_alive() for hand in hands) or not told.empty():
            try:
                yield told.get(timeout=0.2)
            except Empty:
                continue
    finally:
        for hand in hands:
            hand.stop()


def serve(make: Callable[[Order, Callable[[], None]], None]) -> None:
    """A worker: takes orders, a line each, until it is hung up on. `make` is given an order and what to call whenever a
    part of it is made; a ConfigError of its is told."""
    for line in sys.stdin:
        name, order = json.loads(line)
        try:
            make(order, lambda: _tell(MakingEvent()))
            _tell(MakingEvent(name))
        except ConfigError as error:
            _tell(MakingEvent(name, str(error)))


def _tell(event: MakingEvent) -> None:
    """A parent that is gone ends the worker: BrokenPipeError."""
    sys.stdout.write(json.dumps(asdict(event)) + "\n")
    sys.stdout.flush()


class _Hand(Thread):
    """Gives one process after the other's orders to it, and a new process its orders where one died."""

    def __init__(self, command: Sequence[str], waiting: SimpleQueue[tuple[str, Order]],
                 told: SimpleQueue[MakingEvent]) -> None:
        super().__init__(daemon=True)
        self._command, self._waiting, self._told = command, waiting, told
        self._ended = Event()
        self._process = self._new_process()
        self.start()

    def run(self) -> None:
        while not self._ended.is_set():
            try:
                name, order = self._waiting.get_nowait()
            except Empty:
                break
            if self._process.poll() is not None:
                self._process = self._new_process()
            self._make(name, order)
        self.stop()

    def stop(self) -> None:
        """Ends the process."""
        self._ended.set()
        self._process.terminate()
        self._process.wait()

    def _make(self, name: str, order: Order) -> None:
        """Tells of every part, and what became of the home."""
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps((name, order)) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # it died just now: there is no answer to come
        for line in self._process.stdout:
            event = MakingEvent(**json.loads(line))
            self._told.put(event)
            if event.home:
                return
        if not self._ended.is_set():
            self._told.put(MakingEvent(name, f"the worker died with exit code {self._process.wait()}"))

    def _new_process(self) -> subprocess.Popen[str]:
        # Workers share the cores among themselves; so would the threads of a renderer without a GPU.
        environment = {**os.environ, **search_path(), "OMP_NUM_THREADS": "1", "LP_NUM_THREADS": "1"}
        # In a session of its own: Ctrl-C is for the parent, which ends its workers.
        return subprocess.Popen(run_main(*self._command), stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, text=True, env=environment, start_new_session=True)
