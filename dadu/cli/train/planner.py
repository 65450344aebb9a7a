"""``dadu train planner``: from conversations and pairs to a language model that plans."""

from __future__ import annotations

import json
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dadu.cli.train.options import Device, Hours, Seed, SettingsFile, Steps, Threads, Where, chosen, run_training

if TYPE_CHECKING:
    from dadu.learning.planner.settings import PlannerTrainSettings

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


class KeptOut(str, Enum):
    """Conversations to evaluate on."""

    validation = "validation"
    test = "test"


@app.command()
def planner(
    data: Annotated[list[Path] | None, typer.Option(help="A folder made by `dadu data plans`; may be said again.",
                                                    metavar="DIR")] = None,
    base: Annotated[str, typer.Option(help="What to begin with: a model's name on Hugging Face's hub, its folder, the "
                                           "folder of an earlier run, or tiny: one from random weights.",
                                      metavar="MODEL")] = "tiny",
    method: Annotated[TrainMethod, typer.Option(help="Right answers, or the right one against a wrong one.")] =
        TrainMethod.sft,
    lora: Annotated[bool, typer.Option("--lora", help="Train an adapter, not all weights.")] = False,
    merge: Annotated[bool, typer.Option("--merge", help="With --lora: write the merged model, too.")] = False,
    protocol: Annotated[list[DataProtocol] | None, typer.Option(help="This one only; may be said again.")] = None,
    out: Annotated[Path, typer.Option(help="Folder of checkpoints, progress and result.", metavar="DIR")] =
        Path("runs/planner"),
    hours: Hours = 0.0, steps: Steps = 0, settings: SettingsFile = None, seed: Seed = None, threads: Threads = 0,
    device: Where = Device.cpu,
    evaluate: Annotated[Path | None, typer.Option(help="Train nothing: figures of this model or run, on conversations "
                                                       "that were kept out.", metavar="DIR")] = None,
    split: Annotated[KeptOut, typer.Option(help="With --evaluate: which ones.")] = KeptOut.test,
    limit: Annotated[int, typer.Option(help="With --evaluate: answers, and pairs, of each protocol; 0: all.", min=0,
                                       metavar="N")] = 200,
    estimate: Annotated[bool, typer.Option("--estimate", help="Train nothing: memory and time, calculated.")] = False,
) -> None:
    """Train a language model to plan, evaluate one, or calculate what that asks of a GPU.

    Give --hours or --steps. Killed or stopped, the same command goes on from the last checkpoint; a larger budget
    goes on where a smaller one ended. Settings are config/train/planner-tiny.yaml for tiny, planner-8b.yaml beside it
    for all else, or --settings. With --evaluate: how many answers are valid and right, each given what was right before
    it, and how often the right answer is the likelier one of two."""
    from dadu.learning.planner import run
    from dadu.learning.planner.chats import PROTOCOLS

    tiny = base == run.TINY
    protocols = tuple(p for p in PROTOCOLS if p in {one.value for one in protocol or ()})
    if estimate:
        for line in run.estimate(base, _settings(settings, seed, tiny), method.value, lora, steps):
            typer.echo(line)
        return
    if not data:
        raise typer.BadParameter("give --data, a folder made by `dadu data plans`")
    if evaluate is not None:
        ran = next((p for p in (evaluate / "config.yaml", evaluate.parent / "config.yaml") if p.exists()), None)
        typer.echo(json.dumps(run.evaluate(evaluate, data, _settings(settings or ran, seed, tiny), split.value, limit,
                                           protocols, device.value, threads, lambda line: typer.echo(line, err=True)),
                              indent=1))
        return
    order = run.PlannerOrder(data, out, _settings(settings, seed, tiny), hours, steps, threads, device.value, base=base,
                             method=method.value, protocols=protocols, lora=lora, merge=merge)
    run_training(run.train, order)


def _settings(file: Path | None, seed: int | None, tiny: bool) -> PlannerTrainSettings:
    from dadu.core.paths import shared
    from dadu.learning.planner.settings import PlannerTrainSettings

    recipe = shared("config", "train", f"planner-{'tiny' if tiny else '8b'}.yaml")
    return chosen(PlannerTrainSettings, file or recipe, seed)
