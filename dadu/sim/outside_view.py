"""Pictures of a running simulation from outside, for people, while somebody looks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import mujoco
import numpy as np

from dadu.sim.engine import Engine
from dadu.sim.mujoco.driven import DrivenBackend

if TYPE_CHECKING:
    from dadu.sim.mujoco.outside import OutsideCamera

WIDTH, HEIGHT = 480, 360
"""[px]"""
_PERIOD = 0.4
"""[s, wall] between two pictures at least"""
_SHARE = 0.1
"""of the wall's time that drawing may take: on a machine that is behind, fewer pictures are drawn"""

class OutsideView:
    """Draws in a thread of its own, which there is only while somebody looks."""

    def __init__(self, engine: Engine, deliver: Callable[[float, np.ndarray], None], robot: int = 0) -> None:
        """`deliver` gets, in that thread, the time [s] and the picture, uint8 (HEIGHT, WIDTH, 3); `robot`: which one it
        follows."""
        self._engine, self._deliver, self._robot = engine, deliver, robot
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def look(self, wanted: bool) -> None:
        """Begins, or ends, to draw; does nothing where it is so already."""
        if wanted and self._thread is None:
            self._stop = threading.Event()
            self._thread = threading.Thread(target=self._draw_on, args=(self._stop,), name="outside", daemon=True)
            self._thread.start()
        elif not wanted and self._thread is not None:
            self._stop.set()
            self._thread = None

    def close(self) -> None:
        """Ends drawing, and waits for it."""
        thread = self._thread
        self.look(False)
        if thread is not None:
            thread.join(timeout=3.0)

    def _draw_on(self, stop: threading.Event) -> None:
        """Anew for each simulation that comes in the place of another."""
        from dadu.sim.mujoco.outside import OutsideCamera  # needs EGL

        while not stop.is_set():
            with self._engine.exclusive() as shown:
                view = mujoco.MjData(shown.model)
            camera = OutsideCamera(shown.model, WIDTH, HEIGHT)
            try:
                while (pause := self._draw(camera, shown, view)) is not None and not stop.wait(pause):
                    pass
            finally:
                camera.close()

    def _draw(self, camera: OutsideCamera, shown: DrivenBackend, view: mujoco.MjData) -> float | None:
        """One picture; returns how long to wait before the next [s], None: another simulation is in the place of the
        one that is shown."""
        began = time.monotonic()
        with self._engine.exclusive() as simulation:
            if simulation is not shown:
                return None
            simulation.snapshot(view)
            now, base = simulation.time, simulation.robots[self._robot].body.base_pose(simulation.data)
        self._deliver(now, camera.picture(view, base))
        took = time.monotonic() - began
        return max(_PERIOD - took, took * (1 / _SHARE - 1))
