"""``dadu import partnr``: a suite of PARTNR's instructions, with the homes that they are in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer


def partnr(
    copy: Annotated[Path, typer.Argument(help="A checkout of partnr-planner.", metavar="COPY")],
    out: Annotated[Path, typer.Option(help="Where the suite, its homes and import.json are written.", metavar="DIR")],
    split: Annotated[Literal["train", "val", "all"], typer.Option(help="Whose instructions.")] = "all",
) -> None:
    """Make a suite of PARTNR's instructions: homes of the rooms and furniture that they name, things where the initial
    states have them, goals read from the text, which is all that the repository has of them."""
    from dadu.imports.partnr.run import import_instructions
    from dadu.imports.partnr.source import SPLITS
    from dadu.imports.report import ImportReport, write_reports

    found = import_instructions(copy, out, SPLITS if split == "all" else (split,))
    typer.echo("\n".join(ImportReport.of_all(found.reports, str(copy)).sentences()))
    typer.echo(f"wrote {found.suite} and {write_reports(found.reports, out)}")
