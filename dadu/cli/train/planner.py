"""``dadu train planner``: from conversations and pairs to a language model that plans."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from dadu.cli.train.options import Device, Hours, Seed, SettingsFile, Steps, Threads, Where, chosen, run_training

app = typer.Typer(add_completion=False, rich_markup_mode=None)


class TrainMethod(str, Enum):
    """How."""

    sft = "sft"
    dpo = "dpo"


class DataProtocol(str, Enum):
    """Which conversations."""

    two_phase = "two_phase"
    react = "react"
    goal = "goal"


@app.command()
def planner(
    data: Annotated[list[Path], typer.Option(help="A folder made by `dadu data plans`; may be said again.",
                                             metavar="DIR")],
    base: Annotated[str, typer.Option(help="What to begin with: a model's name on Hugging Face's hub, its folder, the "
                                           "folder of an earlier run, or tiny: one from random weights.",
                                      metavar="MODEL")] = "tiny",
    method: Annotated[TrainMethod, typer.Option(help="Right answers, or the right one against a wrong one.")] =
        TrainMethod.sft,
    lora: Annotated[bool, typer.Option("--lora", help="Train an adapter, not all weights.")] = False,
    merge: Annotated[bool, typer.Option("--merge", help="With --lora: write the merged model, too.")] = False,
    protocol: Annotated[list[DataProtocol], typer.Option(help="Learn this one only; may be said again.")] = [],  # noqa: B006
    out: Annotated[Path, typer.Option(help="Folder of checkpoints, progress and result.", metavar="DIR")] =
        Path("runs/planner"),
    hours: Hours = 0.0, steps: Steps = 0, settings: SettingsFile = None, seed: Seed = None, threads: Threads = 0,
    device: Where = Device.cpu,
) -> None:
    """Train a language model to plan.

    Give --hours or --steps. Killed or stopped, the same command goes on from the last checkpoint; a larger budget
    goes on where a smaller one ended."""
    from dadu.core.paths import shared
    from dadu.learning.planner import run
    from dadu.learning.planner.settings import PlannerTrainSettings

    recipe = settings or shared("config", "train", f"planner-{'tiny' if base == run.TINY else '8b'}.yaml")
    run_training(run.train, run.PlannerOrder(
        data, out, chosen(PlannerTrainSettings, recipe, seed), hours, steps, threads, device.value, base=base,
        method=method.value, protocols=tuple(p.value for p in protocol), lora=lora, merge=merge))
