"""``dadu import procthor``: house files of ProcTHOR houses."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def procthor(
    file: Annotated[Path, typer.Argument(help="JSON of one house, or JSON lines of many; .gz, too.", metavar="FILE")],
    out: Annotated[Path, typer.Option(help="Where NAME.house.yaml of each house and import.json are written.",
                                      metavar="DIR")],
    assets: Annotated[Path | None, typer.Option(
        help="asset-database.json with the assets' kinds and sizes.  [default: beside FILE, else that of the "
             "installed package procthor]", metavar="FILE", show_default=False)] = None,
    index: Annotated[list[int] | None, typer.Option(help="Only this house of many, from 0; may be repeated.", min=0,
                                                    metavar="N", show_default=False)] = None,
    robot: Annotated[str, typer.Option(help="Furniture that it could not use is moved or turned in its room where that "
                                            "helps; none: everything stays as drawn.")] = "stretch",
) -> None:
    """Make house files of ProcTHOR houses: JSON as AI2-THOR builds scenes from."""
    from dadu.house.files import SUFFIX, save_house
    from dadu.imports.procthor.run import import_houses
    from dadu.imports.report import ImportReport, write_reports
    from dadu.robots.loader import load_robot

    body = None if robot == "none" else load_robot(robot)
    out.mkdir(parents=True, exist_ok=True)
    reports = []
    for house, report in import_houses(file, assets, index, body):
        reports.append(report)
        if house is not None:
            save_house(house, out / f"{house.house}{SUFFIX}")
    if 1 < len(reports) <= 10:  # house by house where there are a few
        for report in reports:
            typer.echo("\n".join(report.sentences()))
    typer.echo("\n".join(ImportReport.of_all(reports, str(file)).sentences()))
    typer.echo(f"wrote {write_reports(reports, out)}")
