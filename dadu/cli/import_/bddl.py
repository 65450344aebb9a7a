"""``dadu import bddl``: a suite of BEHAVIOR's activities, with homes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def bddl(
    given: Annotated[list[str], typer.Argument(help="Activities of the package, or files; all: every activity in its "
                                                    "first definition.", metavar="ACTIVITY|FILE|all")],
    python: Annotated[Path, typer.Option(help="The interpreter of an environment with bddl==3.6.0.")],
    out: Annotated[Path, typer.Option(help="Where the suite, its homes and import.json are written.", metavar="DIR")],
) -> None:
    """Make a suite of BEHAVIOR's activities: homes of the rooms and furniture that they name, things where they are at
    first, the goal in DaDu's predicates and, as the instruction, in words. The package's own parser reads them."""
    from dadu.imports.bddl.run import import_activities
    from dadu.imports.report import write_reports

    found = import_activities(python, [] if given == ["all"] else given, out)
    typer.echo("\n".join(line for report in found.reports for line in report.sentences()))
    typer.echo(f"wrote {found.suite} and {write_reports(found.reports, out)}")
