"""``dadu eval generate``: a suite of generated episodes, as a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def generate(
    suite: Annotated[str, typer.Argument(help="rearrange, together or kept.", metavar="SUITE")],
    episodes: Annotated[int, typer.Option(help="How many.", min=1, metavar="N")],
    out: Annotated[Path, typer.Option("--out", "--write", help="The suite's file, NAME.suite.yaml.", metavar="FILE")],
    seed: Annotated[int, typer.Option(help="The same seed makes the same episodes.", min=0, metavar="N")] = 0,
) -> None:
    """Write generated episodes to a suite file, and their homes beside it; each is shown to be feasible."""
    from dadu.tasks.generate import write_suite

    write_suite(suite, episodes, seed, out)
    typer.echo(f"wrote {out}, and its homes beside it")
