"""The tables that ``dadu eval`` shows on the terminal."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from dadu.eval.compare.ablate import BASE
from dadu.eval.compare.compare import compare
from dadu.eval.results import EpisodeResult
from dadu.eval.summary import figures, summarise
from dadu.eval.turns import MODEL_COLUMNS, model_cells, turns_line
from dadu.skills.outcome import Code

console = Console(soft_wrap=True, width=None if sys.stdout.isatty() else 120)


def show_comparison(title: str, first: Sequence[EpisodeResult], second: Sequence[EpisodeResult]) -> None:
    """Measure by measure. Errors: ConfigError where they are not of the same episodes and seeds."""
    table = Table(title=title)
    for column in ("", "episodes", "first", "second", "difference, 95 %", "p", "test"):
        table.add_column(column, justify="left" if column in ("", "test") else "right")
    for c in compare(first, second):
        table.add_row(c.measure, str(c.count), f"{c.first:.3f}", f"{c.second:.3f}",
                      f"{c.test.difference:+.3f} ({c.test.low:+.3f} to {c.test.high:+.3f})", f"{c.test.p:.3g}",
                      c.test.test)
    console.print(table)


def show_levels(results: Sequence[EpisodeResult], title: str) -> None:
    """By level and over all, under who chose the turns."""
    summary = summarise(results)
    console.print(f"{title}: {turns_line(summary)}", highlight=False)
    table = Table(title=title)
    for column in ("level", "episodes", "success, 95 %", "complete", "GC", "TP", "SPL", "PLWSR", "steps", "sim s"):
        table.add_column(column, justify="left" if column == "level" else "right", no_wrap=True)
    for level, row in (*summary["levels"].items(), ("all", summary)):
        s = row["success"]
        table.add_row(level, str(row["episodes"]), f"{s['mean']:.2f} ({s['low']:.2f}-{s['high']:.2f})",
                      *(f"{row[name]['mean']:.2f}" for name in ("percent_complete", "gc", "tp", "spl", "plwsr")),
                      f"{row['steps']['mean']:.1f}", f"{row['sim_seconds']['mean']:.0f}")
    console.print(table)
    _show_model("level", {**summary["levels"], "all": summary})
    gone = [r.verdict for r in results if r.outcome == Code.UNREACHABLE_BACKEND]
    if gone:
        console.print(f"{len(gone)} of {len(results)} episodes tell nothing of the planner, it could not be used: "
                      f"{gone[0]}", style="yellow", highlight=False)


def show_privileges(results: Sequence[EpisodeResult], run: str = "") -> None:
    """What the robot was told and was privileged to in a `run`: one line, or one for each sort of episode."""
    lines = Counter(r.ledger or "what the robot was told is not recorded" for r in results)
    for line, count in lines.items():
        share = f" ({count} of {len(results)} episodes)" if len(lines) > 1 else ""
        console.print(f"{run}{': ' if run else ''}{line}{share}", highlight=False)


def show_ablation(results: dict[str, list[EpisodeResult]]) -> None:
    """What differs where a part is missing."""
    table = Table(title="what each part is worth")
    for column in ("", "sim s", "success", "complete", "cycles", "SPL", "difference of success", "p"):
        table.add_column(column, justify="left" if not column else "right")
    for name, rows in results.items():
        row = figures(rows)
        cells = [f"{row[key]['mean']:.2f}" for key in ("sim_seconds", "success", "percent_complete",
                                                       "planning_cycles", "spl")]
        test = compare(results[BASE], rows)[0].test if name != BASE else None
        table.add_row(name, *cells, f"{test.difference:+.2f}" if test else "", f"{test.p:.3g}" if test else "")
    console.print(table)
    _show_model("", {name: figures(rows) for name, rows in results.items()})


def _show_model(head: str, rows: Mapping[str, Mapping[str, Any]]) -> None:
    """What a model was asked, an episode, and who chose the turns, by the same rows; `head` is over their names."""
    table = Table(title="the model, an episode, and who chose the turns")
    for column in (head, *MODEL_COLUMNS):
        table.add_column(column, justify="left" if column in (head, MODEL_COLUMNS[-1]) else "right")
    for name, row in rows.items():
        table.add_row(name, *model_cells(row))
    console.print(table)
