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
    tasks: Annotated[Path | None, typer.Option(
        help="A suite of `dadu import partnr`: a planner carries it out in the oracle instead, and both judge that.",
        exists=True, dir_okay=False, show_default=False)] = None,
    planner: Annotated[str, typer.Option(help="Who chooses the skills, with --tasks.")] = "symbolic",
    sample: Annotated[int, typer.Option(help="Only so many of --tasks, drawn by hash; 0: all.", min=0)] = 0,
    seed: Annotated[int, typer.Option(help="Of what is random.")] = 0,
    out: Annotated[Path, typer.Option(help="Folder for summary.json.")] = Path("runs/partnr"),
) -> None:
    """Judge the same states by both and count where they agree. What holds in a state is measured by DaDu, since their
    predicates need Habitat: compared are numbers, dependencies, constraints and the share that is complete."""
    if tasks is not None:
        _carried_out(tasks, checkout, python, planner, sample, out)
        return
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


def _carried_out(suite: Path, checkout: Path, python: Path, planner: str, sample: int, out: Path) -> None:
    """Runs it and writes tasks.jsonl and summary.json."""
    from dadu.bench.carried import write_lines
    from dadu.bench.partnr.tasks import run, summary
    from dadu.eval.options import EvalOptions

    options = EvalOptions.model_validate({"skills": "oracle", "planner": {"policy": planner}})
    carried = run(suite, checkout, python, options, sample)
    path = write_lines(carried, out)
    found = summary(carried)
    (out / "summary.json").write_text(json.dumps(found, indent=2) + "\n")
    for half, kinds in found.items():
        for kind, figures in kinds.items():
            if figures["instructions"]:
                typer.echo(f"{half}, {kind}: {figures['instructions']} instructions; done {_said(figures['success'])}, "
                           f"by their functions {_said(figures['success_theirs'])} (corrected "
                           f"{_said(figures['success_theirs_corrected'])}); complete "
                           f"{_said(figures['percent_complete'])}; {figures['refused']} refused")
    typer.echo(f"wrote {path}")


def _said(figure: dict[str, float]) -> str:
    return f"{figure['mean']:.3f} [{figure['low']:.3f}, {figure['high']:.3f}]"
