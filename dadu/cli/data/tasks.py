"""``dadu data tasks``: tasks for robots in generated homes, each shown to be feasible and to be said rightly."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.console import Console
from rich.table import Table

from dadu.cli.data.making import RAY, WORKERS, making, workers

TaskSplit = Literal["train", "validation", "test"]
"""Which homes."""


def tasks(
    out: Annotated[Path, typer.Option(help="The folder. One that is there is continued: homes that are done are kept, "
                                           "and a larger -n adds to them.", metavar="DIR")],
    number: Annotated[int, typer.Option("--n", "-n", help="How many tasks.", min=1, metavar="N")] = 10_000,
    seed: Annotated[int, typer.Option(help="Of the homes and of what is asked for.", min=0, metavar="N")] = 0,
    count: Annotated[int, WORKERS] = 0,
    ray: Annotated[str, RAY] = "",
    split: Annotated[TaskSplit, typer.Option(help="Homes to train in hold no category that is kept out for testing."
                                             )] = "train",
    settings: Annotated[Path | None, typer.Option(help="A YAML file with further settings, as under settings: in a "
                                                       "folder's data.yaml.", metavar="FILE")] = None,
) -> None:
    """Make tasks as suites for `dadu eval`: proposed from what each home affords, filtered by common sense, carried
    out by the scripted expert in the oracle and judged by ground truth, read back by the grammar, freed of duplicates,
    balanced by type and room.

    The same seed makes the same files, whatever the number of processes. Stopped by Ctrl-C or killed, the same command
    goes on. DIR/statistics.json counts what there is and why proposals were rejected.
    """
    from dadu.core.config import load, parse
    from dadu.learning.tasks.chosen import ChosenTasks
    from dadu.learning.tasks.run import make_tasks
    from dadu.learning.tasks.settings import TaskSettings
    from dadu.learning.tasks.store import TaskFolder
    from dadu.learning.tasks.written import write_chosen

    given = load(TaskSettings, settings) if settings else TaskSettings()
    folder = TaskFolder(out)
    folder.begin(parse(TaskSettings, given.model_dump() | {"seed": seed, "split": split}, "settings"))
    with making(out, number, "tasks") as bar:
        for event in make_tasks(folder, number, workers(count, ray)):
            if isinstance(event, ChosenTasks):
                found = write_chosen(folder, event)
                bar.end(len(event.tasks))
            else:
                bar.take(event)
    _show(found, out)


def _show(found: Mapping[str, Any], out: Path) -> None:
    """As a table."""
    title = f"{found['tasks']} tasks in {found['homes']} homes, of {found['proposed']} proposals"
    table = Table(title=title, title_justify="left")
    table.add_column("")
    table.add_column("tasks", justify="right")
    for title in ("types", "rooms", "rejected"):
        table.add_row(f"[bold]{title}[/bold]", "")
        for name, count in found[title].items():
            table.add_row(f"  {name}", str(count))
    table.add_row("different kinds of things", str(len(found["things"])))
    Console().print(table)
    typer.echo(f"{out}: duplicates by goal and by {found['compared_by']}; statistics.json counts the rest")
