"""From the options of ``dadu eval`` to a run, and what one sees while it is under way."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from pathlib import Path
from typing import TypeVar

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from dadu.cli.eval.arguments import How, ResultsFolder, Which
from dadu.cli.eval.tables import console
from dadu.core.errors import ConfigError, choices
from dadu.core.work import Workers
from dadu.eval.results import EpisodeResult
from dadu.eval.run import Run
from dadu.eval.turns import turn_figures, turns_line
from dadu.tasks.prepare import Prepared, prepare_all
from dadu.tasks.suite import load_suite

T = TypeVar("T")


@dataclass(frozen=True)
class Chosen:
    """A suite's episodes that are meant."""

    name: str
    file: str
    episodes: list[Prepared]


def select(suite: str, which: Which) -> Chosen:
    """Errors: ConfigError naming file, episode and field."""
    if which.episodes:
        from dadu.tasks.generate import generate_suite

        content, path = generate_suite(suite, which.episodes, which.seed), Path(suite)
    else:
        content, path = load_suite(suite)
    found = prepare_all(content, path)
    if which.only:
        patterns = [p.strip() for p in which.only.split(",")]
        kept = [p for p in found if any(fnmatch(p.episode.id, pattern) for pattern in patterns)]
        if not kept:
            raise ConfigError(f"{path}: no episode {which.only!r}; there are: "
                              f"{choices((p.episode.id for p in found), 80)}")
        found = kept
    if which.seeds:
        found = [replace(p, seed=n) for p in found for n in range(which.seeds)]
    return Chosen(content.suite, suite, found)


def prepare(suite: str, which: Which, how: How, where: ResultsFolder) -> Run:
    """The run that the options ask for, not begun. Errors: ConfigError."""
    chosen = select(suite, which)
    options = how.options()
    if where.bags and options.skills != "physical":
        raise ConfigError("--bags needs --skills physical: the oracle has no body that could be recorded")
    workers = Workers(where.workers if where.workers > 1 else 0, where.ray)
    return Run(chosen.name, chosen.file, chosen.episodes, options, where.folder(chosen.name), workers, where.ros,
               where.bags, command=shlex.join(["dadu", *sys.argv[1:]]))


def execute(run: Run, variants: Sequence[Run], carry_out: Callable[[Run], T]) -> T:
    """`carry_out(run)`, which runs each of `variants` once, with a bar that shows who chose the turns and the success
    so far. Errors: those of `Run.check`, before the first episode."""
    for notice in dict.fromkeys(variant.check() for variant in variants):
        if notice:
            console.print(notice, style="yellow", highlight=False)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[told]}"),
               TimeRemainingColumn())
    with Progress(*columns, console=console) as bar:
        task = bar.add_task(run.suite, total=len(run.episodes) * len(variants), told="")
        seen: list[EpisodeResult] = []

        def done(result: EpisodeResult) -> None:
            seen.append(result)
            share = sum(r.success for r in seen) / len(seen)
            bar.update(task, advance=1, told=f"{turns_line(turn_figures(seen))}; success {share:.0%}")

        return carry_out(replace(run, done=done))
