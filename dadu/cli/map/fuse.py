"""``dadu map fuse``: a recording as one mesh."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dadu.cli.bag.arguments import BagArgument


def fuse(
    bag: BagArgument,
    out: Annotated[Path, typer.Option(help="The mesh.", metavar="FILE.ply")] = Path("home.ply"),
    voxel: Annotated[float, typer.Option(help="How fine [m]; a depth camera tells some 2 cm at 3 m.", min=0.005,
                                         max=0.2, metavar="M")] = 0.02,
) -> None:
    """Fuse a recording's pictures to a coloured mesh, with the boxes of the things (red) and furniture (blue) that
    memory held at the end. Any viewer of PLY files shows it. Needs the extra vision (Open3D)."""
    from dadu.core.errors import ConfigError
    from dadu.replay.bag import Bag, UnusableBag
    from dadu.replay.fuse import fuse as write

    if out.suffix != ".ply" or not out.parent.is_dir():
        raise ConfigError(f"--out {out} is no .ply file in a folder that is there")
    with Bag(bag) as opened:
        fused = write(opened, out, voxel)
    typer.echo(f"{out}: {fused.vertices} vertices of {fused.pictures} pictures, {fused.boxes} boxes")
    if fused.lacking:
        typer.echo(fused.lacking, err=True)
    if opened.damage:
        raise UnusableBag(opened.damage)
