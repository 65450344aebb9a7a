"""``dadu train quantise``: the eyes in 8 bits."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def quantise(
    data: Annotated[list[Path], typer.Argument(help="Folders made by `dadu data pictures`.", metavar="DATA...")],
    weights: Annotated[Path, typer.Option(help="The detector's file, with the namer's beside it.", metavar="FILE")],
    out: Annotated[Path, typer.Option(help="Folder for both.", metavar="DIR")],
) -> None:
    """Write detector and namer with convolutions in 8 bits: half of the time, half of the file.

    What they see in homes of split train tells the ranges. How well they do then: `dadu train detector --evaluate`. """
    from dadu.learning.recipe.quantised_eyes import quantise_networks

    quantise_networks(weights, data, out, typer.echo)
