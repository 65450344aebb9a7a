"""What ``dadu eval`` does and shows on the terminal."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from dadu.core.errors import ConfigError, choices
from dadu.eval.compare import compare as comparing
from dadu.eval.compare.ablate import BASE, ablate, parse_parts, variants
from dadu.eval.options import Options
from dadu.eval.report.page import write_report
from dadu.eval.results import EpisodeResult, read_results
from dadu.eval.run import Run
from dadu.eval.summary import figures, summarise
from dadu.eval.turns import turn_figures, turns_line
from dadu.tasks.expert import NotFeasible, demonstrate
from dadu.tasks.prepare import Prepared, prepare_all
from dadu.tasks.suite import load_suite, schema, suite_names

console = Console(soft_wrap=True, width=None if sys.stdout.isatty() else 120)


@dataclass(frozen=True)
class Chosen:
    """A suite's episodes that are to be run."""

    name: str
    file: str
    episodes: list[Prepared]


def suites() -> str:
    return choices(suite_names())


def print_schema() -> None:
    print(json.dumps(schema(), indent=2))


def select(suite: str, episodes: int, seed: int, only: str, seeds: int) -> Chosen:
    """Errors: ConfigError naming file, episode and field."""
    if episodes:
        from dadu.tasks.generate import generate_suite

        content, path = generate_suite(suite, episodes, seed), Path(suite)
    else:
        content, path = load_suite(suite)
    found = prepare_all(content, path)
    if only:
        patterns = [p.strip() for p in only.split(",")]
        kept = [p for p in found if any(fnmatch(p.episode.id, pattern) for pattern in patterns)]
        if not kept:
            raise ConfigError(f"{path}: no episode {only!r}; there are: {choices((p.episode.id for p in found), 80)}")
        found = kept
    if seeds:
        found = [replace(p, seed=n) for p in found for n in range(seeds)]
    return Chosen(content.suite, suite, found)


def write(suite: str, episodes: int, seed: int, path: Path) -> None:
    """Errors: ConfigError naming the suites that can be generated."""
    from dadu.tasks.generate import write_suite

    if not episodes:
        raise ConfigError("say how many with --episodes N")
    write_suite(suite, episodes, seed, path)
    console.print(f"wrote {path}, and its homes beside it")


def check(chosen: Chosen) -> int:
    """Says of every episode whether an expert with full knowledge gets it done; the exit status."""
    failed = 0
    for prepared in chosen.episodes:
        try:
            done = demonstrate(prepared)
            told = f"{len(done.calls)} steps, {done.length:.1f} m" if done.calls else "holds before anything is done"
            console.print(f"ok    {prepared.episode.id}: {told}", highlight=False)
        except NotFeasible as error:
            failed += 1
            console.print(f"FAIL  {prepared.episode.id}: {error}", highlight=False)
    console.print(f"{chosen.file}: {len(chosen.episodes)} episodes, every name found; "
                  f"{len(chosen.episodes) - failed} shown to be feasible")
    return 1 if failed else 0


def execute(chosen: Chosen, options: Options, out: Path, workers: int, ray: str, ros: bool, parts: str,
            command: str) -> None:
    """Runs, with a bar that shows who chose the turns and the success so far. Errors: those of `Run.check`, before the
    first episode."""
    names = parse_parts(parts) if parts else []
    run = Run(chosen.name, chosen.file, chosen.episodes, options, out, workers, ray, ros, command=command)
    for notice in dict.fromkeys(variant.check() for variant in (variants(run, names).values() if names else [run])):
        if notice:
            console.print(notice, style="yellow", highlight=False)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[told]}"),
               TimeRemainingColumn())
    with Progress(*columns, console=console) as bar:
        task = bar.add_task(chosen.name, total=len(chosen.episodes) * (1 + len(names)), told="")
        seen: list[EpisodeResult] = []

        def done(result: EpisodeResult) -> None:
            seen.append(result)
            share = sum(r.success for r in seen) / len(seen)
            bar.update(task, advance=1, told=f"{turns_line(turn_figures(seen))}; success {share:.0%}")

        run = replace(run, done=done)
        results = ablate(run, names) if names else {BASE: run.execute()}
    for name, rows in results.items():
        folder = out / name if names else out
        write_report(folder, chosen.episodes)
        _levels(rows, name if names else chosen.name)
    if names:
        _ablation(results)
    console.print(f"report: {(out / BASE if names else out) / 'report.html'}")


def compare_runs(first: Path, second: Path) -> None:
    a, b = read_results(first), read_results(second)
    table = Table(title=f"{first} against {second}, episode by episode")
    for column in ("", "episodes", "first", "second", "difference, 95 %", "p", "test"):
        table.add_column(column, justify="left" if column in ("", "test") else "right")
    for c in comparing.compare(a, b):
        table.add_row(c.measure, str(c.count), f"{c.first:.3f}", f"{c.second:.3f}",
                      f"{c.test.difference:+.3f} ({c.test.low:+.3f} to {c.test.high:+.3f})", f"{c.test.p:.3g}",
                      c.test.test)
    for name, rows in ((first, a), (second, b)):
        console.print(f"{name}: {turns_line(turn_figures(rows))}", highlight=False)
    console.print(table)
    won, lost = comparing.won_and_lost(a, b)
    console.print(f"only the second succeeded: {', '.join(won) or 'none'}")
    console.print(f"only the first succeeded: {', '.join(lost) or 'none'}")


def _levels(results: Sequence[EpisodeResult], title: str) -> None:
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


def _ablation(results: dict[str, list[EpisodeResult]]) -> None:
    table = Table(title="what each part is worth")
    for column in ("", "sim s", "success", "complete", "cycles", "SPL", "difference of success", "p"):
        table.add_column(column, justify="left" if not column else "right")
    for name, rows in results.items():
        row = figures(rows)
        cells = [f"{row[key]['mean']:.2f}" for key in ("sim_seconds", "success", "percent_complete",
                                                       "planning_cycles", "spl")]
        test = comparing.compare(results[BASE], rows)[0].test if name != BASE else None
        table.add_row(name, *cells, f"{test.difference:+.2f}" if test else "", f"{test.p:.3g}" if test else "")
    console.print(table)
