"""``dadu data episodes``: recorded runs as a LeRobot dataset."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console
from rich.progress import track

from dadu.core.errors import ExitStatus

Each = Literal["skill", "task"]
"""What an episode is."""


def episodes(
    runs: Annotated[list[Path], typer.Argument(help="Folders of runs, or bags, all of one robot.", metavar="RUN...")],
    out: Annotated[Path, typer.Option(help="The dataset. One that is there is added to; runs that are in it are kept.",
                                      metavar="DIR")],
    each: Annotated[Each, typer.Option(help="What an episode is: one skill, or a whole instruction.")] = "skill",
    fps: Annotated[int, typer.Option(help="Frames a second.", min=1, max=60, metavar="N")] = 10,
    width: Annotated[int, typer.Option(help="Of the pictures, at most; 0: as recorded.", min=0, metavar="PIXELS")] = 0,
    robot: Annotated[str, typer.Option(help="Whose runs they are.  [default: as the runs say]", show_default=False,
                                       metavar="NAME")] = "",
) -> None:
    """Write recorded runs as a LeRobot dataset (v3.0): pictures, joints, base, what was commanded, the task in words.

    Failures and what was done about them are in it, each labelled with its typed outcome. DIR is whole or not there:
    stopped by Ctrl-C or killed, the same command goes on from the last whole run. See docs/howto/policies.md.
    """
    from dadu.learning.episodes.run import EpisodesOrder, write_episodes

    console = Console(stderr=True)
    written = write_episodes(runs, EpisodesOrder(out, fps, each, width, robot))
    try:
        for run, count in track(written, "runs", total=len(runs), console=console):
            console.print(f"{run}: {count} episodes" if count else f"{run}: nothing new")
    except KeyboardInterrupt:
        console.print("stopped; the same command goes on")
        raise typer.Exit(ExitStatus.INTERRUPTED) from None
    typer.echo(str(out))
