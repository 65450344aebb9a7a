"""``dadu data check``: is a folder of pictures or of plans in order, and what is in it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from dadu.core.errors import LISTED

_SAMPLES = 24
"""pictures that the sheet shows"""


def check(
    folder: Annotated[Path, typer.Argument(help="As made by `dadu data pictures` or `plans`.", metavar="DIR")],
) -> None:
    """Check a folder of pictures: files, labels against pixels, splits; count what is in it; draw a sheet of samples
    with depth and labels, DIR/sheet.png. Of plans: whether homes, sentence forms and categories that are kept out of
    training are absent from it, by the files alone. Ends with status 1 where something is wrong."""
    if (folder / "episodes").is_dir():
        _check_plans(folder)
    else:
        _check_pictures(folder)


def _check_pictures(folder: Path) -> None:
    from dadu.learning.pictures.check import counts_of, problems_of, sampled, save_sheet
    from dadu.learning.pictures.store import PictureFolder

    pictures = PictureFolder(folder)
    found = list(problems_of(pictures))
    for problem in found[:LISTED]:
        typer.echo(problem)
    counts = counts_of(pictures)
    table = Table("split", "homes", "pictures", "objects seen", "kinds of objects", "views", box=None)
    for split, count in counts.items():
        objects = {c: n for (kind, c), n in count.categories.items() if kind == "object"}
        views = ", ".join(f"{view} {n}" for view, n in sorted(count.views.items()))
        numbers = (count.homes, count.pictures, sum(objects.values()), len(objects))
        table.add_row(split, *map(str, numbers), views)
    Console().print(table)
    if counts:
        sheet = folder / "sheet.png"
        save_sheet(sampled(pictures, _SAMPLES), sheet)
        typer.echo(f"wrote {sheet}")
    typer.echo(f"{len(found)} problems" if found else "in order")
    raise typer.Exit(1 if found else 0)


def _check_plans(folder: Path) -> None:
    from dadu.learning.plans.check import problems_of, splits_of

    splits = splits_of(folder)
    table = Table("split", "lines", "homes", "forms", "instructions", "kinds of things", box=None)
    for name, split in sorted(splits.items()):
        table.add_row(name, *(str(n) for n in (split.lines, len(split.homes), len(split.forms),
                                               len(split.said), len(split.things))))
    Console().print(table)
    found = list(problems_of(folder, splits))
    for problem in found:
        typer.echo(problem)
    typer.echo(f"{len(found)} problems" if found else "in order")
    raise typer.Exit(1 if found else 0)
