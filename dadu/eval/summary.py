"""The figures of a run: over all episodes, and level by level."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any

from dadu.eval.mapped.record import MapErrors, MapFigures
from dadu.eval.metrics.progress import success_end_rate, success_replan_rate
from dadu.eval.metrics.stages import partial_success
from dadu.eval.metrics.statistics import estimate
from dadu.eval.metrics.together import exploration_efficiency, extraneous_effort, task_offloading
from dadu.eval.results import EpisodeResult
from dadu.eval.turns import turn_figures
from dadu.skills.outcome import Code
from dadu.world.graph import ROBOT

Value = Callable[[EpisodeResult], float | None]



def _idle_share(idle: Mapping[str, float], seconds: float) -> float | None:
    """Of all agents' time, what they have waited."""
    return sum(idle.values()) / (seconds * len(idle)) if idle and seconds else None


MEANS: dict[str, Value] = {
    "success": lambda r: float(r.success),
    "percent_complete": lambda r: r.percent_complete,
    "gc": lambda r: r.gc,
    "spl": lambda r: r.spl,
    "tp": lambda r: r.tp,
    "plwsr": lambda r: r.plwsr,
    "steps": lambda r: r.steps,
    "planning_cycles": lambda r: r.planning_cycles,
    "replans": lambda r: r.replans,
    "sim_seconds": lambda r: r.sim_seconds,
    "wall_seconds": lambda r: r.wall_seconds,
    "path_length": lambda r: r.path_length,
    "llm_calls": lambda r: r.llm_calls,
    "tokens_in": lambda r: r.tokens_in,
    "tokens_out": lambda r: r.tokens_out,
    "llm_seconds": lambda r: r.llm_seconds,
    "seconds_per_call": lambda r: r.llm_seconds / r.llm_calls if r.llm_calls else None,
    "flops": lambda r: r.flops,
    "partial_success": lambda r: partial_success(r.stages) if r.stages else None,
    "extraneous_effort": lambda r: extraneous_effort(r.actions),
    "exploration_efficiency": lambda r: exploration_efficiency(r.actions),
    "pose_error": lambda r: r.pose_error.mean if r.pose_error is not None else None,
    "pose_error_max": lambda r: r.pose_error.max if r.pose_error is not None else None,
    "messages": lambda r: r.team.messages if r.team is not None else None,
    "idle_share": lambda r: _idle_share(r.team.idle_seconds, r.sim_seconds) if r.team is not None else None,
    "collisions": lambda r: r.team.collisions if r.team is not None else None,
    "task_offloading": lambda r: (task_offloading(r.actions)
                                  if r.success and any(a.agent != ROBOT for a in r.actions) else None),
}
"""Means over episodes; those in which a figure has no meaning are left out of it. A crashed episode has zeros."""


def summarise(results: Sequence[EpisodeResult]) -> dict[str, Any]:
    """The content of ``summary.json``."""
    levels = sorted({r.level for r in results}, key=lambda level: (isinstance(level, str), level))
    return {**figures(results),
            "levels": {str(level): figures([r for r in results if r.level == level]) for level in levels}}


def figures(results: Sequence[EpisodeResult]) -> dict[str, Any]:
    """Of some episodes."""
    ends = [r.said_done for r in results]
    successes = [r.success for r in results]
    return {
        **turn_figures(results),
        "ledger": dict(Counter(r.ledger for r in results)),
        "episodes": len(results),
        **{name: _mean(value, results) for name, value in MEANS.items()},
        "claims": {"made": sum(r.claimed for r in results), "wrong": sum(r.claimed and not r.success for r in results)},
        "ser": success_end_rate(successes, ends),
        "srr": success_replan_rate(successes, [r.replans for r in results]),
        "gc_pooled": _pooled(results),
        "stages": _means(map(attrgetter("stages"), results)),
        "latency": _means(map(attrgetter("latency"), results)),
        "map": map_errors(results),
        "ended": dict(Counter(r.ended for r in results)),
        "outcomes": {"successful": outcomes([r for r in results if r.success]),
                     "failed": outcomes([r for r in results if not r.success])},
    }


def _mean(value: Callable[[EpisodeResult], float | None], results: Sequence[EpisodeResult]) -> dict[str, Any] | None:
    """With its uncertainty; None where it has a meaning for none of the episodes."""
    mean = estimate([v for v in map(value, results) if v is not None])
    return None if mean is None else mean.as_dict()


def outcomes(results: Sequence[EpisodeResult]) -> dict[str, int]:
    """How often each code was the outcome of a skill, by name, in the order of the codes."""
    counts = Counter(code for r in results for code in r.outcomes)
    return {Code(code).name: counts[code] for code in sorted(counts)}


def _pooled(results: Sequence[EpisodeResult]) -> float | None:
    """Goal conditions met over all goal conditions of all episodes, as ALFRED counts."""
    total = sum(r.conditions for r in results)
    return sum(r.gc * r.conditions for r in results) / total if total else None


def _means(tables: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """By name, over those tables that are not empty."""
    full = [table for table in tables if table]
    return {name: sum(table[name] for table in full) / len(full) for name in full[0]} if full else {}


def map_errors(results: Sequence[EpisodeResult]) -> dict[str, dict[str, float | None]]:
    """Sums over the episodes whose maps were measured, by kind of entry, and the mean error of place [m]."""
    found = {}
    for kind in MapFigures.model_fields:
        rows = [e for r in results if r.map is not None and (e := getattr(r.map, kind)) is not None]
        if rows:
            places = [e.place_error for e in rows if e.place_error is not None]
            sums = {name: sum(getattr(e, name) for e in rows) for name in MapErrors.model_fields
                    if name != "place_error"}
            found[kind] = {"episodes": len(rows), **sums,
                           "place_error": sum(places) / len(places) if places else None}
    return found
