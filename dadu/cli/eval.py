"""``dadu eval``: runs suites, checks them, compares runs."""

from __future__ import annotations

import sys
import time
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(add_completion=False, rich_markup_mode=None)


class Planner(str, Enum):
    """What chooses skills."""

    symbolic = "symbolic"
    vllm = "vllm"


class Skills(str, Enum):
    """How skills are carried out."""

    physical = "physical"
    oracle = "oracle"


@app.command()
def eval(
    suite: Annotated[str | None, typer.Argument(help="A name in config/suites/ or a file.", metavar="SUITE")] = None,
    planner: Annotated[Planner, typer.Option(help="What chooses skills.")] = Planner.symbolic,
    llm_url: Annotated[str, typer.Option(help="OpenAI-compatible server of --planner vllm, ending in /v1.")] = "",
    fallback: Annotated[bool, typer.Option("--fallback", help="The symbolic planner takes the turns for which the "
                                           "model cannot be used; else they fail.")] = False,
    perception: Annotated[str, typer.Option(help="As in dadu up, or FILE.py:CLASS.")] = "ground_truth",
    skills: Annotated[Skills, typer.Option(help="Contact physics, or skills that just succeed.")] = Skills.physical,
    feedback: Annotated[bool, typer.Option("--feedback/--no-feedback", help="Tell the planner of outcomes.")] = True,
    memory: Annotated[bool, typer.Option("--memory/--no-memory", help="Remember what is out of sight.")] = True,
    replan: Annotated[bool, typer.Option("--replan/--no-replan", help="Plan anew after every step.")] = True,
    slips: Annotated[float, typer.Option(help="Share of the oracle's picks that fail.", min=0, max=1)] = 0.0,
    workers: Annotated[int, typer.Option(help="Processes on this machine.", min=1)] = 1,
    ray: Annotated[str, typer.Option(help="Address of a Ray cluster; local: one on this machine.")] = "",
    ros: Annotated[bool, typer.Option("--ros", help="Over the ROS graph, one episode after the other.")] = False,
    seeds: Annotated[int, typer.Option(help="Run each episode with the seeds 0 to N-1.", min=0, metavar="N")] = 0,
    only: Annotated[str, typer.Option(help="Ids of episodes, with commas; * stands for anything.")] = "",
    episodes: Annotated[int, typer.Option(help="Generate so many (rearrange, together).", min=0, metavar="N")] = 0,
    seed: Annotated[int, typer.Option(help="Of the generated episodes.", min=0)] = 0,
    write: Annotated[Path | None, typer.Option(help="Write the generated suite to a file, and run nothing.")] = None,
    limit: Annotated[float, typer.Option(help="Wall seconds that an episode may take.", min=1)] = 1800.0,
    out: Annotated[Path | None, typer.Option(help="Folder; one with a part of this run is taken up.")] = None,
    ablate: Annotated[str, typer.Option(help="feedback,memory,replan,perception,skills: without each.")] = "",
    check: Annotated[bool, typer.Option("--check", help="Check the suite and that it can be done, no more.")] = False,
    compare: Annotated[tuple[Path, Path] | None, typer.Option(help="Two folders of runs.", metavar="A B")] = None,
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON schema of suite files.")] = False,
) -> None:
    """Evaluate a suite; writes episodes.jsonl, summary.json, config.yaml and report.html."""
    from dadu.cli import evaluation
    from dadu.core.config import parse
    from dadu.core.errors import ConfigError
    from dadu.eval.options import Options
    from dadu.planner.settings import PlannerSettings

    if schema:
        return evaluation.print_schema()
    if compare is not None:
        return evaluation.compare_runs(*compare)
    if suite is None:
        raise ConfigError(f"say which suite; valid: {evaluation.suites()}, or a file")
    if write is not None:
        return evaluation.write(suite, episodes, seed, write)
    chosen = evaluation.select(suite, episodes, seed, only, seeds)
    if check:
        raise typer.Exit(evaluation.check(chosen))
    options = Options(
        skills=skills.value, perception=perception, feedback=feedback, memory=memory, replan=replan, slips=slips,
        fallback=fallback, wall_seconds=limit,
        planner=parse(PlannerSettings, {"policy": planner.value, "llm_url": llm_url}, "dadu eval"))
    folder = out or Path("runs") / f"eval-{chosen.name}-{time.strftime('%Y%m%d-%H%M%S')}"
    evaluation.execute(chosen, options, folder, workers, ray, ros, ablate, " ".join(["dadu", *sys.argv[1:]]))
