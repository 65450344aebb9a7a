"""``dadu robot``: descriptions of robots."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Work on descriptions of robots.", no_args_is_help=True, add_completion=False)


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


@app.command()
def draw(
    robot: Annotated[str, typer.Argument(help="A name in config/robots/, or a robot's YAML file.")],
    out: Annotated[Path | None, typer.Option(help="The picture, or a folder for it; by default NAME.png here.")] = None,
) -> None:
    """Draw where the arm reaches, measured on the robot's own model, and what its description says of it."""
    from dadu.cli.house import check_picture
    from dadu.motion.reach_map import draw_reach
    from dadu.robots.loader import load_robot

    description = load_robot(robot)
    path = out or Path()
    path = path / f"{description.name}.png" if path.is_dir() else path
    check_picture(path)
    counts = draw_reach(description, path)
    total = sum(counts.values())
    typer.echo(f"{path}: of reach and reach_height "
               + ", ".join(f"{count / total:.0%} {meaning}" for meaning, count in counts.items()))
