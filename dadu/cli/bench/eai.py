"""``dadu bench eai``: the Embodied Agent Interface, VirtualHome's part."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

Planner = Literal["symbolic"]
"""What answers their prompts."""
Module = Literal["goal_interpretation", "action_sequencing", "subgoal_decomposition", "transition_modeling"]
"""What of an agent they judge."""


def eai(
    python: Annotated[Path, typer.Option(help="The interpreter of an environment with eai-eval==1.0.5.")],
    module: Annotated[Module, typer.Option(help="What is judged.")] = "action_sequencing",
    planner: Annotated[Planner, typer.Option(help="What answers.")] = "symbolic",
    out: Annotated[Path, typer.Option(help="Folder for answers, verdicts and summary.json.")] = Path("runs/eai"),
) -> None:
    """Answer their prompts and have their evaluator judge the answers; it takes some minutes. DaDu's rules were made by
    looking at one half of the tasks alone (looked_at); both halves are judged."""
    from dadu.bench.eai.run import run

    summary = run(python, module, out)
    typer.echo(f"eai {module}, planner {planner}: {summary['tasks']} tasks answered in "
               f"{summary['planning_seconds']:.1f} s")
    for part in ("all", "looked_at", "held_out"):
        figures = summary.get(part)
        if figures is not None:
            typer.echo(f"  {part}: {_said(figures)}")
    typer.echo(f"{summary['knows']}; written: {out}/summary.json")


def _said(figures: dict[str, Any]) -> str:
    success, same, said = figures["success"], figures["same_as_gold"], f"{figures['counted']} tasks; "
    if success is not None:
        said += f"success {success['mean']:.3f} [{success['low']:.3f}, {success['high']:.3f}]; "
    shown = figures.get("overall") or figures.get("goals") or {
        "executable": figures["trajectory_evaluation"]["execution_success_rate"]}
    said += ", ".join(f"{name} {value:.1f} %" for name, value in shown.items())
    return said + (f"; {same} the same as their plan, which they count as executable alone" if same else "")
