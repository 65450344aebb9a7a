"""``dadu bag``: recordings, one's own and others'. One file a verb."""

from __future__ import annotations

import typer

from dadu.cli.verbs import LazyVerbs


class BagVerbs(LazyVerbs):
    """The verbs."""

    package = "dadu.cli.bag"
    verbs = {
        "info": "Says what is in a recording, and what of it can be used.",
        "repair": "Writes a whole bag of what can be read of a broken one.",
        "cut": "Writes a bag of some seconds and topics of another.",
    }


app = typer.Typer(cls=BagVerbs, no_args_is_help=True, add_completion=False, rich_markup_mode=None)


@app.callback()
def bag() -> None:
    """Look into recordings, repair and cut them."""
