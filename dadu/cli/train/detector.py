"""``dadu train detector``: from labelled pictures to the weights of ``perception:=learned``."""

from __future__ import annotations

import json
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from dadu.cli.train.options import (
    OUT,
    Data,
    Device,
    Hours,
    Processes,
    Seed,
    SettingsFile,
    Steps,
    Threads,
    Where,
    batch_makers,
    chosen,
    run_training,
)

app = typer.Typer(add_completion=False, rich_markup_mode=None)


class EvaluatedSplit(str, Enum):
    """Homes to evaluate on."""

    validation = "validation"
    test = "test"


class Architecture(str, Enum):
    """Published definitions of ultralytics."""

    nano = "yolo11n-seg"
    small = "yolo11s-seg"
    medium = "yolo11m-seg"


@app.command()
def detector(
    data: Data,
    out: Annotated[Path | None, typer.Option(help="Folder of checkpoints, progress and weights; with --evaluate, of "
                                                  "card and sheet.  [default: runs/detector, or runs/ARCHITECTURE; "
                                                  "beside the weights]",
                                             show_default=False, metavar="DIR")] = None,
    hours: Hours = 0.0, steps: Steps = 0, settings: SettingsFile = None, seed: Seed = None, threads: Threads = 0,
    device: Where = Device.cpu, processes: Processes = None,
    architecture: Annotated[Architecture | None, typer.Option(
        help="Not our network but this one of ultralytics (AGPL-3.0, extra vision), from random weights, for "
             "perception:=yolo; give --hours or --epochs.")] = None,
    epochs: Annotated[int, typer.Option(help="With --architecture: budget in passes over all pictures.", min=0,
                                        metavar="N")] = 0,
    evaluate: Annotated[Path | None, typer.Option(help="Train nothing: figures of these weights.",
                                                  metavar="WEIGHTS")] = None,
    split: Annotated[EvaluatedSplit, typer.Option(help="With --evaluate: on which homes.")] = EvaluatedSplit.test,
    limit: Annotated[int, typer.Option(help="With --evaluate: pictures of each home; 0: all.", min=0, metavar="N")] = 0,
) -> None:
    """Train the network that finds things, or evaluate it with the one that names them.

    Give --hours or --steps. Killed or stopped, the same command goes on from the last checkpoint; a larger budget
    goes on where a smaller one ended. With --evaluate: mask AP50, recall and naming on homes that were never trained
    on, a model card (README.md) and a sheet of hits and misses (hits.png). With --architecture, ultralytics trains a
    network of its own on the same pictures: DIR/weights/best.pt, under AGPL-3.0. Killed, that goes on after the last
    whole epoch; one that ended goes no further. """
    if architecture is not None:
        if evaluate is not None:
            raise typer.BadParameter("--evaluate is for our network; ultralytics evaluates its own as it trains")
        _yolo(architecture.value, data, out, hours, steps, epochs, settings, seed, threads, device.value)
        return
    from dadu.learning.detector import run
    from dadu.learning.detector.settings import TrainSettings
    from dadu.learning.order import TrainOrder

    if evaluate is not None:
        figures = run.evaluate(evaluate, data, split.value, out or evaluate.parent, limit)
        typer.echo(json.dumps(figures, indent=1))
        return
    if epochs:
        raise typer.BadParameter("--epochs goes with --architecture; give --hours or --steps")
    order = TrainOrder(data, out or OUT, chosen(TrainSettings, settings, seed), hours, steps, threads, device.value,
                       batch_makers(processes, device))
    run_training(run.train, order)


def _yolo(architecture: str, data: list[Path], out: Path | None, hours: float, steps: int, epochs: int,
          settings: Path | None, seed: int | None, threads: int, device: str) -> None:
    """Errors: BadParameter for options that are our network's."""
    from dadu.learning.detector import yolo_run
    from dadu.learning.order import TrainOrder
    from dadu.learning.settings import KeptRunSettings

    if steps or settings or (hours > 0) == (epochs > 0):
        raise typer.BadParameter("with --architecture give either --hours or --epochs, and neither --steps nor "
                                 "--settings")
    order = TrainOrder(data, out or OUT.with_name(architecture), KeptRunSettings(seed=seed or 0), hours, epochs,
                       threads, device)
    run_training(partial(yolo_run.train, architecture), order)
