"""``dadu data``: makes and checks data to learn from. One file a verb."""

from __future__ import annotations

import typer

from dadu.cli.verbs import LazyVerbs


class DataVerbs(LazyVerbs):
    """The verbs."""

    package = "dadu.cli.data"
    verbs = {
        "pictures": "Renders labelled RGB-D pictures of generated homes, or of house files.",
        "plans": "Draws instructions in homes and carries them out: to train a planner model on.",
        "suite": "Writes kept-out plans as a suite for `dadu eval`.",
        "episodes": "Writes recorded runs as a LeRobot dataset, to train policies on.",
        "check": "Checks a folder of pictures: files, counts, a sheet to look at.",
    }


app = typer.Typer(cls=DataVerbs, no_args_is_help=True, add_completion=False, rich_markup_mode=None)


@app.callback()
def data() -> None:
    """Make data to learn from, and check it."""
