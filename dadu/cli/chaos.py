"""``dadu chaos``: random tasks with random faults over the ROS graph."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from dadu.core.errors import ExitStatus


def chaos(
    tasks: Annotated[int, typer.Option(min=1, help="How many.")] = 10,
    seed: Annotated[int, typer.Option(help="Of tasks and faults.")] = 0,
    house: Annotated[str, typer.Option(help="A name in maps/, or a *.house.yaml file.")] = "small_flat",
    out: Annotated[Path | None, typer.Option(help="Results; given again, what is there is not done anew.")] = None,
) -> None:
    """Give the simulated robot random tasks while nodes die, messages are lost, things are moved and people step in.

    Exit status 0: no promise was broken (no false success, no hang, memory readable, nothing moves under the emergency
    stop, no process left behind), 1: one was.
    """
    folder = out or Path("runs") / f"chaos-{datetime.now():%Y-%m-%d_%H-%M-%S}"
    typer.echo(f"results: {folder}")
    try:
        from dadu_nodes.commands.chaos import chaos as run

        from dadu.eval.chaos.run import ChaosOptions
        results = run(ChaosOptions(tasks, seed, house, folder), typer.echo)
    except KeyboardInterrupt:
        typer.echo(f"interrupted; go on with --out {folder}")
        raise typer.Exit(ExitStatus.INTERRUPTED) from None
    bad = sum(bool(result.broken) for result in results)
    typer.echo(f"{len(results)} tasks, {bad} with a broken promise: {folder / 'table.md'}")
    raise typer.Exit(ExitStatus.NO if bad else 0)
