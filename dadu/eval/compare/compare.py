"""Two runs of the same episodes, paired seed by seed: is the second better?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dadu.core.errors import ConfigError, choices
from dadu.eval.metrics.statistics import PairedTest, paired
from dadu.eval.results import EpisodeResult
from dadu.eval.summary import MEANS

COMPARED = ("success", "percent_complete", "spl", "tp", "steps", "sim_seconds", "path_length", "planning_cycles",
            "llm_calls", "tokens_in", "tokens_out", "llm_seconds")


@dataclass(frozen=True)
class Comparison:
    """Of one measure, over the episodes in which both runs have it."""

    measure: str
    count: int
    first: float
    second: float
    test: PairedTest


def compare(first: Sequence[EpisodeResult], second: Sequence[EpisodeResult]) -> list[Comparison]:
    """Errors: ConfigError where the runs have other episodes or seeds: leaving some out would favour one of them."""
    a, b = ({r.key: r for r in results} for results in (first, second))
    if a.keys() != b.keys():
        odd = sorted(a.keys() ^ b.keys())
        raise ConfigError(f"the runs have not the same episodes and seeds; in one only: "
                          f"{choices(f'{id}@{seed}' for id, seed in odd)}")
    if not a:
        raise ConfigError("the runs hold no episodes")
    found = []
    for name in COMPARED:
        pairs = [(MEANS[name](a[key]), MEANS[name](b[key])) for key in a]
        both = [(x, y) for x, y in pairs if x is not None and y is not None]
        if both:
            xs, ys = zip(*both)
            found.append(Comparison(name, len(both), sum(xs) / len(xs), sum(ys) / len(ys), paired(xs, ys)))
    return found


def won_and_lost(first: Sequence[EpisodeResult], second: Sequence[EpisodeResult]) -> tuple[list[str], list[str]]:
    """Episodes that only the second, and only the first, carried out: ``id@seed``."""
    b = {r.key: r.success for r in second}
    won = [f"{r.id}@{r.seed}" for r in first if b[r.key] and not r.success]
    lost = [f"{r.id}@{r.seed}" for r in first if r.success and not b[r.key]]
    return won, lost
