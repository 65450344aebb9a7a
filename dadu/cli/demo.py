"""``dadu demo``: shows the whole system at work, and says whether it worked."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from dadu.core.errors import ExitStatus

if TYPE_CHECKING:
    from dadu.operator.demo import DemoRun



def demo(
    arguments: Annotated[list[str] | None, typer.Argument(metavar="[NAME:=VALUE]...", show_default=False,
                                                          help="launch arguments, as for dadu up")] = None,
    seed: Annotated[int, typer.Option(min=0, help="places of objects and robot vary with it")] = 0,
    instruction: Annotated[str, typer.Option(help="one of your own; ground truth then judges what the planner "
                                                  "understood", show_default=False)] = "",
    rtf: Annotated[float, typer.Option(min=0, help="real-time factor; 0: as fast as the machine can")] = 0.0,
    max_seconds: Annotated[float, typer.Option(min=1, help="limit of simulated time for the instruction")] = 900.0,
    keep: Annotated[bool, typer.Option("--keep", help="leave the graph running afterwards, until Ctrl-C")] = False,
) -> None:
    """Starts the graph headless, carries out an instruction, and writes report.html and the bag under runs/.

    Exit status 0 only if the simulator's ground truth confirms the goal; 1 if it does not; 4 if it cannot judge; 130
    after Ctrl-C.
    """
    from dadu.bringup.arguments import parse_arguments
    from dadu.operator.demo import GOAL, INSTRUCTION, DemoOptions, repeat_command, run_demo

    words = [*(arguments or []), f"seed:={seed}", f"rtf:={rtf}"]
    options = DemoOptions(parse_arguments(words), instruction or INSTRUCTION, goal=None if instruction else GOAL,
                          command=repeat_command(sys.argv[2:]), max_seconds=max_seconds, keep=keep)
    run = run_demo(options, lambda name, line: typer.echo(line if name == "dadu" else f"[{name}] {line}"))
    raise typer.Exit(_conclude(run))


def _conclude(run: DemoRun) -> int:
    """Writes the report, prints the summary and returns the exit status."""
    from dadu.core.errors import DaduError
    from dadu.operator.report import write_report

    if run.ended_early is not None:
        typer.echo("ended early; nothing is left running")
        return run.ended_early
    if run.ready_seconds is None:
        typer.echo(f"the graph did not become ready; see {os.path.relpath(run.run_dir / 'logs')}")
        return 1
    try:
        path, episode, judgement = write_report(run.run_dir, film=True)
    except DaduError as error:
        typer.echo(f"no report: {error}")
        return 1
    if judgement.verdict is None:
        typer.echo(f"\nGround truth cannot judge this run: {judgement.note}")
    elif judgement.confirmed:
        typer.echo("\nGround truth confirms the goal.")
    else:
        typer.echo(f"\nGround truth does not confirm the goal.\n{judgement.verdict.explanation}")
    typer.echo(f"{len(episode.steps)} steps, {episode.end - episode.start:.0f} s simulated in "
               f"{episode.wall_seconds:.0f} s, {episode.path_length:.1f} m driven, ready in {run.ready_seconds:.1f} s")
    typer.echo(f"report: {os.path.relpath(path)}\nbag:    {os.path.relpath(run.run_dir / 'bag')}")
    if episode.privilege_report is not None:
        typer.echo(episode.privilege_report.line)
    if judgement.verdict is None:
        return ExitStatus.NOT_JUDGED
    return 0 if judgement.confirmed else 1
