"""The bar over what takes long to make, and what becomes of it where somebody stops it."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

if TYPE_CHECKING:
    from dadu.learning.workers import MakingEvent


class MakingBar:
    """Shows events as they come."""

    def __init__(self, progress: Progress, bar: TaskID) -> None:
        self._progress, self._bar = progress, bar
        self.failed = 0
        """homes that could not be made"""

    def take(self, event: MakingEvent) -> None:
        """One more, or a home that is done or has failed."""
        self._progress.advance(self._bar, 0 if event.home else 1)
        if event.failed:
            self.failed += 1
            self._progress.console.print(f"{event.home}: {event.failed}")

    def end(self, count: int) -> None:
        """There are so many now."""
        self._progress.update(self._bar, completed=count)


@contextmanager
def making(folder: Path, total: int, unit: str, completed: int = 0) -> Iterator[MakingBar]:
    """Ends with status 130 at Ctrl-C and SIGTERM, and says that the same command goes on."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn(unit),
               TimeRemainingColumn())
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a terminated run ends its workers, too
    try:
        with Progress(*columns, console=console) as progress:
            yield MakingBar(progress, progress.add_task(str(folder), total=total, completed=completed))
    except KeyboardInterrupt:
        console.print("stopped; the same command goes on")
        raise typer.Exit(130) from None
