"""``dadu import``: homes and tasks of others. One file a format."""

from __future__ import annotations

import typer

from dadu.cli.verbs import LazyVerbs


class ImportVerbs(LazyVerbs):
    """The formats."""

    package = "dadu.cli.import_"
    verbs = {
        "procthor": "Makes house files of ProcTHOR houses (AI2-THOR's JSON).",
    }


app = typer.Typer(cls=ImportVerbs, no_args_is_help=True, add_completion=False, rich_markup_mode=None)


@app.callback()
def import_() -> None:
    """Take over homes and tasks of others. Each format ends with a report: what was taken over, what was changed and by
    how much, what was left out and why; all of it, item by item, is in import.json beside what was written.
    """
