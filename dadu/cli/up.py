"""``dadu up``: starts the graph and keeps it running until Ctrl-C."""

from __future__ import annotations

from typing import Annotated

import typer


def _help() -> str:
    from dadu.bringup.arguments import Arguments, as_text, choices_of

    rows = []
    for name, field in Arguments.model_fields.items():
        values = f" ({'|'.join(choices_of(name))})" if choices_of(name) else ""
        rows.append(f"  {name + ':=' + as_text(field.default):<26} {field.description}{values}")
    title = "Starts the graph until Ctrl-C. Arguments, as the launch file's, with their defaults:"
    return "\n".join([title, "", "\b", *rows])


def up(arguments: Annotated[list[str] | None, typer.Argument(metavar="[NAME:=VALUE]...", show_default=False)] = None,
       ) -> None:
    from dadu.bringup.arguments import parse_arguments
    from dadu.bringup.up import run_graph

    raise typer.Exit(run_graph(parse_arguments(arguments or []), typer.echo))


up.__doc__ = _help()
