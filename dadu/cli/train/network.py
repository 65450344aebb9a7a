"""``dadu train NAME``: one command for any network. What it may be told beyond this are the fields of its recipe."""

from __future__ import annotations

import json
import types
from collections.abc import Callable
from dataclasses import Field, fields
from enum import Enum
from inspect import Parameter, cleandoc, signature
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import typer

from dadu.cli.verbs import command_app
from dadu.core.config import load
from dadu.core.errors import ExitStatus
from dadu.core.plugins import find
from dadu.learning.networks import NETWORKS
from dadu.learning.recipe.batches import processes_for
from dadu.learning.recipe.order import EvaluationOrder, TrainOrder
from dadu.learning.recipe.recipe import Recipe
from dadu.learning.recipe.stopping import Stopped

_HOW = """

Give --hours or --steps. Killed or stopped, the same command goes on from the last checkpoint; a larger budget goes on
where a smaller one ended."""


Device = Literal["cpu", "cuda"]
"""Where training runs."""
KeptOut = Literal["validation", "test"]
"""What to evaluate on."""


def network_app(name: str) -> typer.Typer:
    """The command of a network."""
    return command_app(_command(find(NETWORKS[name][0])))


def _command(kind: type[Recipe[Any]]) -> Callable[..., None]:
    """With the recipe's own options behind those of every network."""
    own = [field for field in fields(kind) if field.metadata]
    types_of = get_type_hints(kind)

    def command(**told: Any) -> None:
        given = {field.name: told.pop(field.name) for field in own}
        recipe = kind(**{name: tuple(getattr(one, "value", one) for one in value) if isinstance(value, list) else value
                         for name, value in given.items() if value is not None})
        _run(recipe, **told)

    common = [p for p in signature(_run, eval_str=True).parameters.values() if p.name != "recipe"]
    further = [_parameter(field, types_of[field.name]) for field in own]
    command.__signature__ = signature(command).replace(parameters=[*common, *further])  # type: ignore[attr-defined]
    command.__annotations__ = {p.name: p.annotation for p in (*common, *further)}
    command.__doc__ = f"{cleandoc(kind.__doc__ or '')}{_HOW}"
    return command


def _parameter(field: Field[Any], kind: Any) -> Parameter:
    """``cut_by: Path | None`` as --cut-by."""
    several = get_origin(kind) is tuple
    plain: Any = get_args(kind)[0] if several else kind
    if not several and get_origin(plain) in (Union, types.UnionType):
        plain = next(one for one in get_args(plain) if one is not type(None))
    if several and get_origin(plain) is Literal:  # typer takes no lists of these
        choices: Any = Enum  # made of the words: none that a type checker could know
        plain = choices(field.name, {word: word for word in get_args(plain)}, type=str)
    annotation: Any = plain if field.default not in (None, ()) else list[plain] | None if several else plain | None
    flag = [f"--{field.name.replace('_', '-')}"]
    told = typer.Option(*flag, help=field.metadata["help"], metavar=field.metadata["metavar"] or None)
    default = None if several else field.default
    return Parameter(field.name, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[annotation, told])


def _run(
    recipe: Recipe[Any], *,
    data: Annotated[list[Path] | None, typer.Argument(help="Folders made by `dadu data`.", metavar="DATA...")] = None,
    more: Annotated[list[Path] | None, typer.Option("--data", help="The same, as an option.", metavar="DIR")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder of checkpoints, progress and weights; with --evaluate, of "
                                                  "the card.  [default: in runs/; beside the weights]",
                                             show_default=False, metavar="DIR")] = None,
    hours: Annotated[float, typer.Option(help="Budget of training time, earlier parts of this run included.", min=0,
                                         metavar="H")] = 0.0,
    steps: Annotated[int, typer.Option(help="Budget in steps, instead: the same every time.", min=0, metavar="N")] = 0,
    settings: Annotated[Path | None, typer.Option(help="A YAML file with other settings, as the config.yaml in DIR.",
                                                  metavar="FILE")] = None,
    seed: Annotated[int | None, typer.Option(help="Of weights and of the order of examples.", min=0,
                                             metavar="N")] = None,
    threads: Annotated[int, typer.Option(help="0: all cores.", min=0, metavar="N")] = 0,
    device: Annotated[Device, typer.Option(help="Where to train.")] = "cpu",
    processes: Annotated[int | None, typer.Option(help="Processes that make batches; 0: one thread.  [default: 0 on "
                                                       "cpu, one for each further core on cuda]", show_default=False,
                                                  min=0, metavar="N")] = None,
    evaluate: Annotated[Path | None, typer.Option(help="Train nothing: figures of these weights, on what was kept out.",
                                                  metavar="WEIGHTS")] = None,
    split: Annotated[KeptOut, typer.Option(help="With --evaluate: of which.")] = "test",
    limit: Annotated[int | None, typer.Option(help="With --evaluate: pictures of each home, or answers, and pairs, of "
                                                   "each protocol; 0: all.  [default: all; 200]", show_default=False,
                                              min=0, metavar="N")] = None,
) -> None:
    """Ctrl-C and SIGTERM end it in a sentence, with the exit status that shells give these."""
    folders = [*(data or ()), *(more or ())]
    chosen = load(recipe.kind, settings) if settings else recipe.settings(evaluate)
    chosen = chosen if seed is None else chosen.model_copy(update={"seed": seed})
    if evaluate is not None:
        order = EvaluationOrder(evaluate, folders, out or evaluate.parent, chosen, split, limit, threads,
                                device)
        typer.echo(json.dumps(recipe.evaluate(order, lambda line: typer.echo(line, err=True)), indent=1))
        return
    makers = processes_for(device) if processes is None else processes
    try:
        recipe.train(TrainOrder(folders, out or recipe.out, chosen, hours, steps, threads, device,
                                makers), typer.echo)
    except Stopped as stopped:
        typer.echo(f"{stopped}; the same command goes on from there", err=True)
        raise typer.Exit(128 + stopped.number) from None
    except KeyboardInterrupt:
        typer.echo("stopped; the same command goes on from the last checkpoint", err=True)
        raise typer.Exit(ExitStatus.INTERRUPTED) from None
