"""``dadu robot``: descriptions of robots."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Work on descriptions of robots.", no_args_is_help=True)


@app.callback()


def _group() -> None:
    """So that the one command there is keeps its name."""


@app.command()


def calibrate(
    robot: Annotated[str, typer.Argument(help="The kind of robot: a name in config/robots/, or its YAML file.")],
    urdf: Annotated[Path, typer.Argument(help="The robot's own calibrated URDF (expanded, no xacro).", exists=True,
                                         dir_okay=False)],
    out: Annotated[Path, typer.Option(help="The YAML file to write; its URDF is written beside it.")],
) -> None:
    """Make a robot of your own: the nominal one, its axes, camera and tool where a calibrated URDF has them."""
    from dadu.robots.calibration import calibrated_robot

    written = calibrated_robot(robot, urdf, out)
    typer.echo(f"{written[0]} and {written[1]}; use it as robot:={written[0]}")
