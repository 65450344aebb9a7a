"""What all training commands may be told."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

if TYPE_CHECKING:
    from dadu.learning.order import TrainOrder
    from dadu.learning.settings import KeptRunSettings

    S = TypeVar("S", bound=KeptRunSettings)
    Order = TypeVar("Order", bound=TrainOrder[Any])


class Device(str, Enum):
    """Where training runs."""

    cpu = "cpu"
    cuda = "cuda"


Data = Annotated[list[Path], typer.Argument(help="Folders made by `dadu data pictures`.", metavar="DATA...")]
Hours = Annotated[float, typer.Option(help="Budget of training time, earlier parts of this run included.", min=0,
                                      metavar="H")]
Steps = Annotated[int, typer.Option(help="Budget in steps, instead: the same every time.", min=0, metavar="N")]
SettingsFile = Annotated[Path | None, typer.Option(help="A YAML file with other settings, as the config.yaml in DIR.",
                                                   metavar="FILE")]
Seed = Annotated[int | None, typer.Option(help="Of weights and of the order of examples.", min=0, metavar="N")]
Threads = Annotated[int, typer.Option(help="0: all cores.", min=0, metavar="N")]
Processes = Annotated[int | None, typer.Option(help="Processes that make batches; 0: one thread.  [default: 0 on cpu, "
                                                    "one for each further core on cuda]", show_default=False, min=0,
                                               metavar="N")]
Where = Annotated[Device, typer.Option(help="Where to train.")]
OUT = Path("runs/detector")


def run_training(train: Callable[[Order, Callable[[str], None]], Path], order: Order) -> None:
    """Ctrl-C and SIGTERM end it in a sentence, with the exit status that shells give these. Errors: BadParameter for a
    budget that is none."""
    from dadu.learning.stopping import Stopped

    if (order.hours > 0) == (order.steps > 0):
        raise typer.BadParameter("give either --hours or --steps")
    try:
        train(order, typer.echo)
    except Stopped as stopped:
        typer.echo(f"{stopped}; the same command goes on from there", err=True)
        raise typer.Exit(128 + stopped.number) from None
    except KeyboardInterrupt:
        typer.echo("stopped; the same command goes on from the last checkpoint", err=True)
        raise typer.Exit(130) from None


def batch_makers(processes: int | None, device: Device) -> int:
    """How many processes make batches."""
    from dadu.learning.prefetch import processes_for

    return processes_for(device.value) if processes is None else processes


def chosen(kind: type[S], file: Path | None, seed: int | None) -> S:
    """The file's settings, or the default ones. Errors: ConfigError."""
    from dadu.core.config import load

    settings = load(kind, file) if file else kind()
    return settings if seed is None else settings.model_copy(update={"seed": seed})
