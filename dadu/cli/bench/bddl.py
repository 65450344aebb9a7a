"""``dadu bench bddl``: BEHAVIOR's goals in DaDu's predicates, judged by both."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from dadu.core.errors import LISTED


def bddl(
    python: Annotated[Path, typer.Option(help="The interpreter of an environment with bddl==3.6.0.")],
    given: Annotated[list[str] | None, typer.Argument(help="Activities of the package, or files; none: all.",
                                                      metavar="[ACTIVITY|FILE]...", show_default=False)] = None,
    states: Annotated[int, typer.Option(help="So many random states for each goal.", min=0)] = 20,
    seed: Annotated[int, typer.Option(help="Of the states.")] = 0,
    tasks: Annotated[Path | None, typer.Option(
        help="A suite of `dadu import bddl`: it is carried out in the oracle instead, and both judge how that ends.",
        exists=True, dir_okay=False, show_default=False)] = None,
    planner: Annotated[str, typer.Option(help="Who carries out --tasks: expert, which is told everything, or a planner "
                                              "of `dadu eval run`.")] = "expert",
    sample: Annotated[int, typer.Option(help="Only so many of --tasks, drawn by hash; 0: all.", min=0)] = 0,
    out: Annotated[Path, typer.Option(help="Folder for summary.json, the goals among it.")] = Path("runs/bddl"),
) -> None:
    """Read goals with the package's parser, say them in DaDu's predicates, refuse by name what these cannot say, and
    compare both judges on random states: tables of what holds, so what measures a state is not compared."""
    if tasks is not None:
        _carried_out(tasks, python, planner, sample, out)
        return
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
    for reason, number in list(found["refused"].items())[:LISTED]:
        typer.echo(f"  refused: {number}: {reason}")


def _carried_out(suite: Path, python: Path, planner: str, sample: int, out: Path) -> None:
    """Runs it and writes tasks.jsonl and summary.json."""
    from dadu.bench.bddl.tasks import EXPERT, run, summary
    from dadu.bench.carried import write_lines
    from dadu.eval.options import EvalOptions
    from dadu.imports.bddl.run import load_problems

    options = None if planner == EXPERT else EvalOptions.model_validate(
        {"skills": "oracle", "planner": {"policy": planner}})
    attempts = run(suite, python, options, sample)
    path = write_lines(attempts, out)
    found = summary(attempts, load_problems(suite))
    (out / "summary.json").write_text(json.dumps(found, indent=2) + "\n")
    for level, figures in found.items():
        if isinstance(figures, dict) and "activities" in figures:
            typer.echo(f"{level}: {figures['activities']} activities; " + ", ".join(
                f"{name} {of['mean']:.3f} [{of['low']:.3f}, {of['high']:.3f}]" for name, of in figures.items()
                if isinstance(of, dict)))
    for name in ("held before", "differ", "failures"):
        typer.echo(f"{name}: {found[name] or 'none'}")
    typer.echo(f"wrote {path}")
