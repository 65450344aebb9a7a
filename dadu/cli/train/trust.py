"""``dadu train trust``: how far the names of the eyes can be trusted."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def trust(
    data: Annotated[list[Path], typer.Argument(help="Folders made by `dadu data pictures`.", metavar="DATA...")],
    weights: Annotated[Path, typer.Option(help="The detector's file, with the namer's beside it.", metavar="FILE")],
) -> None:
    """Fit how likely a name is right: writes trust.yaml beside the weights, and tells figures.

    By homes of split validation, which the namer was not trained on, as they are and made harder: prints on things,
    other backgrounds, cameras' and sensors' errors. Half of the homes fit, the others tell how well. """
    from dadu.learning.namer.trusting import fit_trust

    fit_trust(weights, data, typer.echo)
