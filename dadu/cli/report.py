"""``dadu report``: the page and the film of any run that was recorded."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer


def report(
    run: Annotated[Path, typer.Argument(help="Its directory, as dadu up and dadu demo name it.", exists=True,
                                        file_okay=False)] = Path("runs/latest"),
    film: Annotated[bool, typer.Option(help="Also run.mp4, the robot seen from outside.")] = True,
    animation: Annotated[Path | None, typer.Option(help="The same as an animated picture, .webp or .gif.",
                                                   show_default=False)] = None,
) -> None:
    """Write report.html, and run.mp4, of the last task of a run, from its bag."""
    from dadu.operator.film import FILE, write_animation
    from dadu.operator.report import write_report

    path, episode, judgement = write_report(run, film)
    typer.echo(f"report: {os.path.relpath(path)}")
    if film and (run / FILE).exists():
        typer.echo(f"film:   {os.path.relpath(run / FILE)}")
    if animation is not None:
        write_animation(episode, judgement.words, animation)
        typer.echo(f"wrote {animation}")
