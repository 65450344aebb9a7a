"""``dadu train detector``: from labelled pictures to the weights of ``perception:=learned``."""

from __future__ import annotations

import json
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(add_completion=False, rich_markup_mode=None)


class Device(str, Enum):
    """Where training runs."""

    cpu = "cpu"
    cuda = "cuda"


class EvaluatedSplit(str, Enum):
    """Homes to evaluate on."""

    validation = "validation"
    test = "test"


@app.command()
def detector(
    data: Annotated[list[Path], typer.Argument(help="Folders made by `dadu data pictures`.", metavar="DATA...")],
    out: Annotated[Path | None, typer.Option(help="Folder of checkpoints, progress and weights; with --evaluate, of "
                                                  "card and sheet.  [default: runs/detector; beside the weights]",
                                             show_default=False, metavar="DIR")] = None,
    hours: Annotated[float, typer.Option(help="Budget of training time, earlier parts of this run included.", min=0,
                                         metavar="H")] = 0.0,
    steps: Annotated[int, typer.Option(help="Budget in steps, instead: the same every time.", min=0, metavar="N")] = 0,
    settings: Annotated[Path | None, typer.Option(help="A YAML file with other settings, as the config.yaml in DIR.",
                                                  metavar="FILE")] = None,
    seed: Annotated[int | None, typer.Option(help="Of weights and of the pictures' order.", min=0, metavar="N")] = None,
    threads: Annotated[int, typer.Option(help="0: all cores.", min=0, metavar="N")] = 0,
    device: Annotated[Device, typer.Option(help="Where to train.")] = Device.cpu,
    evaluate: Annotated[Path | None, typer.Option(help="Train nothing: figures of these weights.",
                                                  metavar="WEIGHTS")] = None,
    split: Annotated[EvaluatedSplit, typer.Option(help="With --evaluate: on which homes.")] = EvaluatedSplit.test,
    limit: Annotated[int, typer.Option(help="With --evaluate: pictures of each home; 0: all.", min=0, metavar="N")] = 0,
) -> None:
    """Train the detector, or evaluate one.

    Give --hours or --steps. Killed or stopped, the same command goes on from the last checkpoint; a larger budget
    goes on where a smaller one ended. With --evaluate: mask AP50, recall and naming on homes that were never trained
    on, a model card (README.md) and a sheet of hits and misses (hits.png). """
    from dadu.core.config import load
    from dadu.learning.detector import run
    from dadu.learning.detector.settings import TrainSettings

    if evaluate is not None:
        figures = run.evaluate(evaluate, data, split.value, out or evaluate.parent, limit)
        typer.echo(json.dumps(figures, indent=1))
        return
    if (hours > 0) == (steps > 0):
        raise typer.BadParameter("give either --hours or --steps")
    chosen = load(TrainSettings, settings) if settings else TrainSettings()
    if seed is not None:
        chosen = chosen.model_copy(update={"seed": seed})
    order = run.TrainOrder(data, out or Path("runs/detector"), chosen, hours, steps, threads, device.value)
    try:
        run.train(order, typer.echo)
    except KeyboardInterrupt:
        typer.echo("stopped; the same command goes on from the last checkpoint", err=True)
        raise typer.Exit(130) from None
