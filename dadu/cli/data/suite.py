"""``dadu data suite``: what was kept out of training as a suite for ``dadu eval``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

SuiteSplit = Literal["validation", "test"]
"""Which homes."""


def suite(
    folder: Annotated[Path, typer.Argument(help="As made by `dadu data plans`.", metavar="DIR")],
    out: Annotated[Path, typer.Option(help="The suite's file, NAME.suite.yaml.", metavar="FILE")],
    episodes: Annotated[int, typer.Option(help="How many, at most.", min=1, metavar="N")] = 100,
    split: Annotated[SuiteSplit, typer.Option(help="Which of those that were kept out.")] = "test",
    seed: Annotated[int, typer.Option(help="Which are drawn.", min=0, metavar="N")] = 0,
) -> None:
    """Write kept-out episodes of a folder of plans to a suite file, their homes beside it: `dadu eval FILE --planner
    vllm ...` says how many of them a model gets done."""
    from dadu.learning.plans.kept_out import write_kept_out
    from dadu.learning.plans.store import PlanFolder

    count = write_kept_out(PlanFolder(folder), out, split, episodes, seed)
    typer.echo(f"wrote {out}: {count} episodes, their homes beside it")
