"""``dadu train states``: the network that tells what state things are in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from dadu.cli.train.detector import EvaluatedSplit
from dadu.cli.train.options import (
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
_OUT = Path("runs/states")


@app.command()
def states(
    data: Data,
    out: Annotated[Path | None, typer.Option(help="Folder of checkpoints, progress and weights; with --evaluate, of "
                                                  "the card.  [default: runs/states; beside the weights]",
                                             show_default=False, metavar="DIR")] = None,
    hours: Hours = 0.0, steps: Steps = 0, settings: SettingsFile = None, seed: Seed = None, threads: Threads = 0,
    device: Where = Device.cpu, processes: Processes = None,
    evaluate: Annotated[Path | None, typer.Option(help="Train nothing: figures of these weights.",
                                                  metavar="WEIGHTS")] = None,
    detector: Annotated[Path | None, typer.Option(help="With --evaluate: by the masks and names of these weights, too.",
                                                  metavar="WEIGHTS")] = None,
    split: Annotated[EvaluatedSplit, typer.Option(help="With --evaluate: on which homes.")] = EvaluatedSplit.test,
) -> None:
    """Train the network that tells whether things are on, filled, clean, sliced.

    Give --hours or --steps. Things are cut out of the pictures first, once. Killed or stopped, the same command goes
    on from the last checkpoint. With --evaluate: precision and recall by distance on homes that were never trained
    on, and a model card (README.md)."""
    from dadu.learning.order import TrainOrder
    from dadu.learning.states import run
    from dadu.learning.states.settings import StateTrainSettings

    if evaluate is not None:
        figures = run.evaluate(evaluate, data, split.value, out or evaluate.parent, detector)
        typer.echo(json.dumps(figures, indent=1))
        return
    run_training(run.train, TrainOrder(data, out or _OUT, chosen(StateTrainSettings, settings, seed), hours, steps,
                                       threads, device.value, batch_makers(processes, device)))
