"""``dadu train namer``: the network that names what the detector finds."""

from __future__ import annotations

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


@app.command()
def namer(
    data: Data,
    out: Annotated[Path, typer.Option(help="The detector's folder: weights go there, checkpoints to namer/ in it.",
                                      metavar="DIR")] = OUT,
    hours: Hours = 0.0, steps: Steps = 0, settings: SettingsFile = None, seed: Seed = None, threads: Threads = 0,
    device: Where = Device.cpu, processes: Processes = None,
    base: Annotated[Path | None, typer.Option(help="Begin with the weights of this file, such as "
                                                   "models/detector/namer.onnx, in place of random ones.",
                                              metavar="WEIGHTS")] = None,
    cut_by: Annotated[Path | None, typer.Option(help="Cut things out by the masks of this detector, too, such as "
                                                     "models/detector/detector.onnx; best on homes that it was not "
                                                     "trained on.", metavar="WEIGHTS")] = None,
) -> None:
    """Train the network that names things.

    Give --hours or --steps. Things are cut out of the pictures first, once. Killed or stopped, the same command goes
    on from the last checkpoint; a larger budget goes on where a smaller one ended. May run beside `dadu train
    detector`, each with --threads 1. Figures: dadu train detector --evaluate."""
    from dadu.learning.namer import run
    from dadu.learning.namer.settings import NamerSettings

    run_training(run.train, run.NamerOrder(data, out, chosen(NamerSettings, settings, seed), hours, steps, threads,
                                           device.value, batch_makers(processes, device), base, cut_by))
