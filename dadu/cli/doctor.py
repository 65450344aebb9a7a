"""``dadu doctor``: what is there, and how to get the rest."""

from __future__ import annotations

from typing import Annotated

import typer


def doctor(
    llm_url: Annotated[str, typer.Option(help="OpenAI-compatible server to look for.")] = "http://localhost:8000/v1",
) -> None:
    """Looks at machine, ROS, rendering, extras and servers. Exit status 1 when something needed is missing."""
    from dadu.bringup.checks import checks

    complete = True
    for check in checks(llm_url):
        mark = "ok" if check.ok else ("MISSING" if check.needed else "no")
        typer.echo(f"{mark:>7}  {check.name}: {check.found}")
        if not check.ok:
            typer.echo(f"{'':>9}{check.advice}")
            complete &= not check.needed
    raise typer.Exit(0 if complete else 1)
