"""``dadu train interpreter``: from sentences and frames to the weights of interpreter ``learned``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from dadu.cli.train.options import Device, Hours, Seed, SettingsFile, Steps, Threads, Where, chosen, run_training

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def interpreter(
    data: Annotated[Path, typer.Argument(help="A folder made by `dadu data sentences`.", metavar="DATA")],
    out: Annotated[Path | None, typer.Option(help="Folder of checkpoints, progress and weights; with --evaluate, of "
                                                  "the card.  [default: runs/interpreter; beside the weights]",
                                             show_default=False, metavar="DIR")] = None,
    hours: Hours = 0.0, steps: Steps = 0, settings: SettingsFile = None, seed: Seed = None, threads: Threads = 0,
    device: Where = Device.cpu,
    evaluate: Annotated[Path | None, typer.Option(help="Train nothing: figures of these weights.",
                                                  metavar="WEIGHTS")] = None,
    limit: Annotated[int, typer.Option(help="With --evaluate: sentences of each split.", min=1, metavar="N")] = 1000,
) -> None:
    """Train the interpreter, or evaluate one.

    Give --hours or --steps. Killed or stopped, the same command goes on from the last checkpoint. With --evaluate:
    readings that are right to the last symbol on forms and categories that training lacks, and a card (README.md)."""
    from dadu.learning.interpreter import run
    from dadu.learning.interpreter.settings import InterpreterTrainSettings
    from dadu.learning.order import TrainOrder

    if evaluate is not None:
        typer.echo(json.dumps(run.evaluate(evaluate, data, out or evaluate.parent, limit), indent=1))
        return
    run_training(run.train, TrainOrder([data], out or Path("runs/interpreter"),
                                       chosen(InterpreterTrainSettings, settings, seed), hours, steps, threads,
                                       device.value))
