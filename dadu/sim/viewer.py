"""MuJoCo's own window onto a running simulation, on a desktop."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

import mujoco

from dadu.core.errors import DaduError
from dadu.sim.engine import Engine

_PERIOD = 1 / 30
"""wall seconds between two pictures: smooth to the eye"""
_CLOSING = 5.0
"""wall seconds that a window may take to close"""


class NoDisplay(DaduError):
    """No window can be opened here."""


class Window(Protocol):
    """What `mujoco.viewer.launch_passive` gives."""

    def lock(self) -> AbstractContextManager[None]: ...
    def sync(self) -> None: ...
    def is_running(self) -> bool: ...
    def close(self) -> None: ...


def open_window(model: mujoco.MjModel, data: mujoco.MjData) -> Window:
    """Errors: NoDisplay."""
    import glfw  # of MuJoCo's, and only where somebody looks
    if not glfw.init():  # launch_passive would end the process
        raise NoDisplay("viewer:=true needs a desktop (DISPLAY); leave it out here, the console shows the camera")
    from mujoco import viewer
    before = set(threading.enumerate())
    window = viewer.launch_passive(model, data, show_left_ui=False, show_right_ui=False)
    return _Joined(window, [thread for thread in threading.enumerate() if thread not in before])


class _Joined:
    """A window whose `close` waits for its threads: beside one that is still closing, another never opens."""

    def __init__(self, window: Window, threads: list[threading.Thread]) -> None:
        self._window, self._threads = window, threads
        self.lock, self.sync, self.is_running = window.lock, window.sync, window.is_running

    def close(self) -> None:
        self._window.close()
        for thread in self._threads:
            thread.join(_CLOSING)


class Viewer:
    """Shows an engine's simulation, and another once that is replaced, until its window is closed."""

    def __init__(self, engine: Engine, launch: Callable[[mujoco.MjModel, mujoco.MjData], Window] = open_window) -> None:
        """Errors: NoDisplay."""
        self._engine, self._launch = engine, launch
        self._stop = threading.Event()
        self._open()
        self._thread = threading.Thread(target=self._show, name="viewer", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._stop.set()
        self._thread.join(timeout=1.0)

    def _open(self) -> None:
        with self._engine.exclusive() as simulation:
            self._shown, self._view = simulation, mujoco.MjData(simulation.model)
            simulation.snapshot(self._view)
        self._window = self._launch(simulation.model, self._view)

    def _show(self) -> None:
        while self._window.is_running() and not self._stop.wait(_PERIOD):
            if self._follow():
                self._window.sync()
            else:
                self._window.close()
                self._open()
        self._window.close()

    def _follow(self) -> bool:
        """False where another simulation is in the place of the one that is shown."""
        with self._engine.exclusive() as simulation, self._window.lock():
            if simulation is self._shown:
                simulation.snapshot(self._view)
            return simulation is self._shown
