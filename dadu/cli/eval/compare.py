"""``dadu eval compare``: two runs of the same episodes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def compare(
    first: Annotated[Path, typer.Argument(help="Folder of a run.", metavar="A")],
    second: Annotated[Path, typer.Argument(help="Folder of another one.", metavar="B")],
) -> None:
    """Compare two runs episode by episode and seed by seed, with confidence intervals and tests."""
    from dadu.cli.eval.tables import console, show_comparison, show_privileges
    from dadu.eval.compare.compare import won_and_lost
    from dadu.eval.results import read_results
    from dadu.eval.turns import turn_figures, turns_line

    a, b = read_results(first), read_results(second)
    for name, rows in ((first, a), (second, b)):
        console.print(f"{name}: {turns_line(turn_figures(rows))}", highlight=False)
    show_comparison(f"{first} against {second}, episode by episode", a, b)
    won, lost = won_and_lost(a, b)
    console.print(f"only the second succeeded: {', '.join(won) or 'none'}")
    console.print(f"only the first succeeded: {', '.join(lost) or 'none'}")
    show_privileges(a, str(first))
    show_privileges(b, str(second))
