"""The gate through which simulated time passes: it plays, or it stands and takes single steps when asked."""

from __future__ import annotations

import threading
from collections.abc import Callable

_LOOK = 0.1
"""wall seconds after which the waiting thread looks whether it is to end"""


class Gate:
    """Before every step of a simulation; steps are counted, whoever asks for them."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._playing = True
        self._wanted = self._done = 0
        self._told: Callable[[int], None] = lambda done: None

    @property
    def playing(self) -> bool:
        return self._playing

    @property
    def may_step(self) -> bool:
        """False where somebody has paused, after `wait` let the next step begin."""
        with self._changed:
            return self._playing or self._done < self._wanted

    def play(self) -> None:
        with self._changed:
            self._playing = True
            self._changed.notify_all()

    def pause(self) -> None:
        """No step begins after this; one may be under way."""
        with self._changed:
            self._playing, self._wanted = False, self._done
            self._changed.notify_all()

    def steps(self, count: int, told: Callable[[int], None] = lambda done: None,
              stopped: Callable[[], bool] = lambda: False) -> int:
        """Lets a standing simulation take so many steps and waits for them; `told` hears after each, in the stepping
        thread, how many are done. How many were: fewer where it is played or
        paused meanwhile, or `stopped` says so."""
        with self._changed:
            self._wanted, self._done, self._told = count, 0, told
            self._changed.notify_all()
            while self._done < self._wanted and not self._playing and not stopped():
                self._changed.wait(_LOOK)
            self._wanted = self._done
            return self._done

    def wait(self, idle: Callable[[], None], stop: threading.Event) -> bool:
        """In the stepping thread: returns once the next step may begin, or `stop` is set. True if time has stood still
        meanwhile, or goes by single steps; `idle` is called every now and then while it stands."""
        with self._changed:
            stood = not self._playing
            while not self._playing and self._done >= self._wanted and not stop.is_set():
                if not self._changed.wait(_LOOK):
                    idle()
            return stood

    def stepped(self) -> None:
        """In the stepping thread, after a step that began while time stood."""
        with self._changed:
            if self._done < self._wanted:
                self._done += 1
                self._told(self._done)
                self._changed.notify_all()
