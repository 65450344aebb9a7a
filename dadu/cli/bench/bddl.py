"""``dadu bench bddl``: BEHAVIOR's goals in DaDu's predicates, judged by both."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

_SHOWN = 12
"""reasons that are printed; all are in the summary"""


def bddl(
    python: Annotated[Path, typer.Option(help="The interpreter of an environment with bddl==3.6.0.")],
    given: Annotated[list[str] | None, typer.Argument(help="Activities of the package, or files; none: all.",
                                                      metavar="[ACTIVITY|FILE]...", show_default=False)] = None,
    states: Annotated[int, typer.Option(help="So many random states for each goal.", min=0)] = 20,
    seed: Annotated[int, typer.Option(help="Of the states.")] = 0,
    out: Annotated[Path, typer.Option(help="Folder for summary.json, the goals among it.")] = Path("runs/bddl"),
) -> None:
    """Read goals with the package's parser, say them in DaDu's predicates, refuse by name what these cannot say, and
    compare both judges on random states: tables of what holds, so what measures a state is not compared."""
    from dadu.bench.bddl.agreement import run

    found = run(python, given or [], states, seed)
    out.mkdir(parents=True, exist_ok=True)
    (out / "summary.json").write_text(json.dumps(found, indent=2) + "\n")
    agree = found["agree"]
    typer.echo(f"{found['problems']} problems, {found['read']} read by their parser, {found['said']} said in DaDu's "
               "predicates")
    if agree is not None:
        typer.echo(f"{found['states']} states, the goal holds in {found['goal_holds']}; agree {agree['mean']:.4f} "
                   f"[{agree['low']:.4f}, {agree['high']:.4f}]; differ: {found['differ'] or 'none'}")
    for reason, number in list(found["refused"].items())[:_SHOWN]:
        typer.echo(f"  refused: {number}: {reason}")
