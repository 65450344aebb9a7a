"""A training run that is told to end: by Ctrl-C, or by whoever shuts the machine down."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Stopped(Exception):
    """A run was told to end, and what it had learned is kept."""

    def __init__(self, number: int, step: int) -> None:
        """`number`: of the signal; `step`: the last one, which is kept."""
        super().__init__(f"{signal.Signals(number).name}: stopped after step {step}, which is kept")
        self.number, self.step = number, step


class Stop:
    """Whether a run was told to end."""

    number = 0
    """of the signal; 0 as long as there was none"""

    @contextmanager
    def heeded(self) -> Iterator[Stop]:
        """Within, the first SIGINT or SIGTERM is only kept in mind, so that the step in progress may end; the second
        one does what it always did. For the main thread."""
        before = {number: signal.getsignal(number) for number in _SIGNALS}

        def again() -> None:
            for number, handler in before.items():
                signal.signal(number, handler)

        def keep(number: int, frame: Any) -> None:
            self.number = number
            again()

        for number in _SIGNALS:
            signal.signal(number, keep)
        try:
            yield self
        finally:
            again()
