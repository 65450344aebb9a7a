"""``dadu eval list``: the suites that come with DaDu."""

from __future__ import annotations


def list() -> None:
    """List the suites in config/suites/."""
    from rich.table import Table

    from dadu.cli.eval.tables import console
    from dadu.tasks.suite import load_suite, suite_names

    table = Table("suite", "episodes", "about", box=None)
    for name in suite_names():
        suite, _ = load_suite(name)
        table.add_row(name, str(len(suite.episodes)), suite.about)
    console.print(table)
