"""``dadu bench``: the benchmarks of others, one file each; without a name, what there is."""

from __future__ import annotations

from typing import Any

import typer
from rich.console import Console
from rich.table import Table

from dadu.bench.registry import BENCHES
from dadu.cli.verbs import LazyVerbs
from dadu.core.plugins import find, is_path


class BenchVerbs(LazyVerbs):
    """The benches of the registry, and one's own, as package.module:APP or FILE.py:APP."""

    package = "dadu.cli.bench"
    verbs = {name: bench.about for name, bench in BENCHES.items()}

    def app_of(self, name: str) -> typer.Typer:
        app: typer.Typer = find(name) if is_path(name) else super().app_of(name)
        return app

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and is_path(args[0]):
            self.verbs = {**self.verbs, args[0]: "one's own"}
        return super().resolve_command(ctx, args)


app = typer.Typer(cls=BenchVerbs, add_completion=False, rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def bench(ctx: typer.Context) -> None:
    """Runs benchmarks of others, judged by their own evaluators. Without a name: which there are, and what each needs.
    One's own: package.module:APP or FILE.py:APP, a typer app."""
    if ctx.invoked_subcommand is not None:
        return
    table = Table("bench", "what it is", "needs", box=None)
    for name, entry in BENCHES.items():
        table.add_row(name, entry.about, entry.needs)
    Console().print(table)
