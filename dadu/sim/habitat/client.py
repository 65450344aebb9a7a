"""The other end of `dadu.sim.habitat.server`: starts the process, asks, and says plainly when it is gone."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

from dadu.core.errors import DaduError
from dadu.core.python_process import run_main, search_path
from dadu.sim.habitat.wire import receive, send

PYTHON = "DADU_HABITAT_PYTHON"
"""environment variable: the Python of the environment in which habitat-sim is installed"""
_START = 120.0
"""habitat-sim takes up to 20 s to start [s]"""
_ANSWER = 60.0
"""a busy machine may take long over a picture [s]"""
_ROOT = Path(__file__).resolve().parents[3]


class HabitatUnavailable(DaduError):
    """habitat-sim cannot be started, or has ended."""


class HabitatClient:
    """One scene in a process of its own. Calls may come from several threads."""

    def __init__(self, spec: Mapping[str, Any], python: str = "", path: tuple[str, ...] = ()) -> None:
        """`spec`: the fields of `adapter.SceneSpec`; `python`: default from `PYTHON`, else this one; `path`: more
        places for its modules. Errors: HabitatUnavailable with what to do."""
        python = python or os.environ.get(PYTHON, "") or sys.executable
        ours, theirs = socket.socketpair()
        server = run_main("dadu.sim.habitat.server", str(theirs.fileno()), python=python)
        try:
            self._process = subprocess.Popen(
                server, pass_fds=[theirs.fileno()],
                env={**os.environ, **search_path(*path, str(_ROOT)), "MAGNUM_LOG": "quiet", "HABITAT_SIM_LOG": "quiet"})
        except OSError as error:
            raise HabitatUnavailable(f"{python} cannot be started ({error.strerror}); set {PYTHON} to the Python that "
                                     "has habitat-sim, see docs/howto/simulate.md") from None
        theirs.close()
        self._connection = Connection(ours.detach())
        self._lock = threading.Lock()
        send(self._connection, spec)
        head, arrays = self._receive(_START)
        self.objects: list[dict[str, Any]] = head["objects"]
        """semantic id, template, motion and box of each rigid object"""
        self.navigable: bool = head["navigable"]
        self.bounds: np.ndarray = arrays["bounds"]
        """(2, 3), of the navigation mesh, Habitat's frame [m]"""

    def call(self, name: str, head: Mapping[str, Any] | None = None, **arrays: np.ndarray) -> dict[str, np.ndarray]:
        """Asks for an operation of `server.operations`. Errors: HabitatUnavailable."""
        with self._lock:
            try:
                send(self._connection, {"call": name, **(head or {})}, arrays)
            except OSError as error:
                raise HabitatUnavailable(f"habitat-sim has ended ({error.strerror}); its output says why") from None
            return self._receive(_ANSWER)[1]

    def close(self) -> None:
        """Hangs up, which ends the process."""
        self._connection.close()
        try:
            self._process.wait(timeout=10.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _receive(self, timeout: float) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        try:
            if not self._connection.poll(timeout):
                raise HabitatUnavailable(f"habitat-sim does not answer within {timeout:.0f} s")
            head, arrays = receive(self._connection)
        except (EOFError, ConnectionError):
            raise HabitatUnavailable("habitat-sim has ended; its output says why") from None
        if "error" in head:
            raise HabitatUnavailable(f"{head['error']}; set {PYTHON} to the Python that has habitat-sim, see "
                                     "docs/howto/simulate.md")
        return head, arrays
