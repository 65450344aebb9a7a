"""``dadu train detector``: from labelled pictures to the weights of ``perception:=learned``."""

from __future__ import annotations

import json
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from dadu.cli.train.options import (
    OUT,
    Data,
    Device,
    Hours,
    Seed,
    SettingsFile,
    Steps,
    Threads,
    Where,
    chosen,
    run_training,
)

app = typer.Typer(add_completion=False, rich_markup_mode=None)


class EvaluatedSplit(str, Enum):
    """Homes to evaluate on."""

    validation = "validation"
    test = "test"


@app.command()
def detector(
    data: Data,
    out: Annotated[Path | None, typer.Option(help="Folder of checkpoints, progress and weights; with --evaluate, of "
                                                  "card and sheet.  [default: runs/detector; beside the weights]",
                                             show_default=False, metavar="DIR")] = None,
    hours: Hours = 0.0, steps: Steps = 0, settings: SettingsFile = None, seed: Seed = None, threads: Threads = 0,
    device: Where = Device.cpu,
    evaluate: Annotated[Path | None, typer.Option(help="Train nothing: figures of these weights.",
                                                  metavar="WEIGHTS")] = None,
    split: Annotated[EvaluatedSplit, typer.Option(help="With --evaluate: on which homes.")] = EvaluatedSplit.test,
    limit: Annotated[int, typer.Option(help="With --evaluate: pictures of each home; 0: all.", min=0, metavar="N")] = 0,
) -> None:
    """Train the network that finds things, or evaluate it with the one that names them.

    Give --hours or --steps. Killed or stopped, the same command goes on from the last checkpoint; a larger budget
    goes on where a smaller one ended. With --evaluate: mask AP50, recall and naming on homes that were never trained
    on, a model card (README.md) and a sheet of hits and misses (hits.png). """
    from dadu.learning.detector import run
    from dadu.learning.detector.settings import TrainSettings
    from dadu.learning.order import TrainOrder

    if evaluate is not None:
        figures = run.evaluate(evaluate, data, split.value, out or evaluate.parent, limit)
        typer.echo(json.dumps(figures, indent=1))
        return
    order = TrainOrder(data, out or OUT, chosen(TrainSettings, settings, seed), hours, steps, threads, device.value)
    run_training(run.train, order)
