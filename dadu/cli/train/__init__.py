"""``dadu train``: trains, evaluates and exports what the project ships. One file a verb."""

from __future__ import annotations

import typer

from dadu.cli.verbs import LazyVerbs


class TrainVerbs(LazyVerbs):
    """The verbs."""

    package = "dadu.cli.train"
    verbs = {
        "detector": "Trains, evaluates and exports the network by which perception:=learned finds things.",
        "namer": "Trains and exports the one that names them.",
        "planner": "Trains and evaluates a language model that chooses what to do.",
        "quantise": "Writes detector and namer in 8 bits.",
        "states": "Trains, evaluates and exports the network that tells what state things are in.",
    }


app = typer.Typer(cls=TrainVerbs, no_args_is_help=True, add_completion=False, rich_markup_mode=None)


@app.callback()
def train() -> None:
    """Train what the project ships."""
