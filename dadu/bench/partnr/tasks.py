"""PARTNR's instructions carried out in the oracle by a planner, alone, and judged twice: by DaDu, by theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dadu.bench.carried import FULL, drawn, estimates
from dadu.bench.halves import looked_at
from dadu.bench.partnr.agreement import their_verdicts
from dadu.bench.partnr.cases import Case, case
from dadu.core.errors import ConfigError
from dadu.eval.episode.trial import run_episode
from dadu.eval.options import EvalOptions
from dadu.imports.instructed.suites import OTHER
from dadu.imports.partnr.source import KINDS, STATES
from dadu.tasks.prepare import Prepared, prepare, prepare_all
from dadu.tasks.suite import SUFFIX, load_suite
from dadu.world.state import TrueWorld

TYPES = dict(zip((*KINDS, STATES), ("constraint-free", "spatial", "temporal", "heterogeneous")))
"""what the paper calls the kinds"""


@dataclass(frozen=True)
class Carried:
    """One instruction, carried out."""

    id: str
    type: str
    half: str
    """looked_at, or held_out"""
    instruction: str
    ended: str
    ours: float
    """share of the goal that is complete by DaDu's judge, 0 to 1; of several meanings the best"""
    theirs: float
    """by PARTNR's functions as they are"""
    corrected: float
    """by theirs with what they get wrong set right, see `dadu.bench.partnr.agreement`"""
    explanation: str
    plan: list[list[str]]

    @property
    def success(self) -> bool:
        """Complete by DaDu's judge, and ended by itself."""
        return self.ours >= FULL and self.ended == "done"


def run(suite: Path, checkout: Path, python: Path, options: EvalOptions, count: int = 0,
        done: Callable[[str], None] = lambda id: None) -> list[Carried]:
    """A suite of ``dadu import partnr`` with its other meanings; `count`: only so many, drawn by hash, 0 for all.

    Errors: ConfigError for a suite that is none, or whose goals are not there; JudgeError.
    """
    their_verdicts(checkout, python, ())  # what is missing there is said before anything runs
    content, path = drawn(suite, count)
    episodes = prepare_all(content, path)
    others = suite.with_name(suite.name.removesuffix(SUFFIX) + OTHER + SUFFIX)
    of: dict[str, list[Prepared]] = {one.id: [] for one in content.episodes}
    for other in load_suite(str(others))[0].episodes if others.exists() else ():
        if (first := other.id.partition(OTHER)[0]) in of:
            of[first].append(prepare(other, path))
    tried = [(one, *_tried(one, of[one.episode.id], options, done)) for one in episodes]
    verdicts = iter(their_verdicts(checkout, python, [found for _, _, cases in tried for found in cases]))
    return [_judged(one, result, cases, [next(verdicts) for _ in cases]) for one, result, cases in tried]


def summary(carried: Sequence[Carried]) -> dict[str, Any]:
    """By half (and both), by type (and all): success by either judge and share complete, with 95 % intervals."""
    halves = {"all": carried, **{half: [c for c in carried if c.half == half] for half in ("looked_at", "held_out")}}
    return {half: {kind: _figures(of) for kind, of in _by_type(found)} for half, found in halves.items()}


def _tried(one: Prepared, others: Sequence[Prepared], options: EvalOptions, done: Callable[[str], None]
           ) -> tuple[Any, list[Case]]:
    worlds: list[TrueWorld] = []
    trial = run_episode(one, options, lambda world, times: worlds.extend([world] * times))
    done(one.episode.id)
    return trial.result, [case(p.episode.id, p.episode.goal, worlds) for p in (one, *others)]


def _judged(one: Prepared, result: Any, cases: Sequence[Case], verdicts: Sequence[Sequence[float]]) -> Carried:
    episode = one.episode
    if episode.level not in TYPES:
        raise ConfigError(f"{one.suite}: episode {episode.id}: level {episode.level} is no kind of PARTNR's")
    return Carried(id=episode.id, type=TYPES[str(episode.level)],
                   half="looked_at" if looked_at(episode.id) else "held_out", instruction=episode.instruction,
                   ended=result.ended, ours=max(c.ours() for c in cases), theirs=max(v[0] for v in verdicts),
                   corrected=max(v[-1] for v in verdicts), explanation=result.explanation, plan=result.plan)


def _by_type(carried: Sequence[Carried]) -> Iterator[tuple[str, list[Carried]]]:
    for kind in TYPES.values():
        yield kind, [one for one in carried if one.type == kind]
    yield "all", list(carried)


def _figures(carried: Sequence[Carried]) -> dict[str, Any]:
    values = {"success": [float(c.success) for c in carried],
              "success_theirs": [float(c.theirs >= FULL) for c in carried],
              "success_theirs_corrected": [float(c.corrected >= FULL) for c in carried],
              "percent_complete": [c.ours for c in carried]}
    return {"instructions": len(carried), "refused": sum(c.ended == "refused" for c in carried),
            **estimates(values)}
