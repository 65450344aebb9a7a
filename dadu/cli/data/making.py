"""The bar over what takes long to make, and what becomes of it where somebody stops it."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from dadu.core.errors import ExitStatus
from dadu.core.work import Workers, WorkEvent, WorkFailed, WorkPart

WORKERS = typer.Option("--workers", "--jobs", "-j", help="Processes.  [default: one a core]", show_default=False, min=0,
                       metavar="N")
RAY = typer.Option(help="On a Ray cluster instead, each machine of which has DaDu; local: one here. The same files.",
                   metavar="ADDRESS")


def workers(count: int, ray: str) -> Workers:
    """As these two say."""
    return Workers(count or os.cpu_count() or 1, ray)


class MakingBar:
    """Shows events as they come."""

    def __init__(self, progress: Progress, bar: TaskID) -> None:
        self._progress, self._bar = progress, bar
        self.failed = 0
        """homes that could not be made"""

    def take(self, event: WorkEvent[Any, Any]) -> None:
        """Parts of a home, or one that is done or has failed."""
        if isinstance(event, WorkPart):
            self._progress.advance(self._bar, event.count)
        elif isinstance(event, WorkFailed):
            self.failed += 1
            self._progress.console.print(f"{event.item.name}: {event.why}")

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
        raise typer.Exit(ExitStatus.INTERRUPTED) from None
