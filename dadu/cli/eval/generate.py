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
    homes: Annotated[list[Path] | None, typer.Option(
        help="In this home instead of generated ones: a house file, or a folder of them; may be repeated.",
        metavar="PATH")] = None,
    each: Annotated[int | None, typer.Option(help="Episodes in one home, at most.", min=1, metavar="N")] = None,
) -> None:
    """Write generated episodes to a suite file, and their homes beside it; each is shown to be feasible."""
    from dadu.house.files import SUFFIX
    from dadu.tasks.generate import suite_data, write_suite

    files = [file for path in homes or () for file in (sorted(path.glob(f"*{SUFFIX}")) if path.is_dir() else [path])]
    write_suite(suite_data(suite, episodes, seed, files, each), out)
    typer.echo(f"wrote {out}, and its homes beside it")
