"""``dadu bench partnr``: PARTNR's evaluation functions beside DaDu's judge."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

_SUITES = ["rearrange", "chores", "household", "store"]


def partnr(
    checkout: Annotated[Path, typer.Option(help="A checkout of partnr-planner.", exists=True, file_okay=False)],
    python: Annotated[Path, typer.Option(help="Runs their file: an interpreter with numpy and networkx.",
                                         show_default="this one")] = Path(sys.executable),
    random: Annotated[int, typer.Option(help="So many random goals with random states.", min=0)] = 1000,
    suite: Annotated[list[str], typer.Option(help="Whose episodes the expert carries out, to be recorded.")] = _SUITES,
    episodes: Annotated[int, typer.Option(help="At most so many of them.", min=0)] = 200,
    seed: Annotated[int, typer.Option(help="Of what is random.")] = 0,
    out: Annotated[Path, typer.Option(help="Folder for summary.json.")] = Path("runs/partnr"),
) -> None:
    """Judge the same states by both and count where they agree. What holds in a state is measured by DaDu, since their
    predicates need Habitat: compared are numbers, dependencies, constraints and the share that is complete."""
    from dadu.bench.partnr.agreement import run
    from dadu.tasks.prepare import prepare_all
    from dadu.tasks.suite import load_suite

    prepared = (one for name in suite for one in prepare_all(*load_suite(name)))
    summary = run(checkout, python, random, prepared, episodes, seed)
    out.mkdir(parents=True, exist_ok=True)
    (out / "summary.json").write_text(json.dumps(summary, indent=2) + "\n")
    for part, found in summary.items():
        agree = found["agree"]
        if agree is None:
            continue
        typer.echo(f"{part}: {found['cases']} cases, {found['states']} states, {found['complete']} complete; agree "
                   f"{agree['mean']:.4f} [{agree['low']:.4f}, {agree['high']:.4f}]; "
                   f"{len(found['unexplained'])} differ for no known reason")
        for reason, number in found["explained"].items():
            typer.echo(f"  {number} differ: {reason}")
