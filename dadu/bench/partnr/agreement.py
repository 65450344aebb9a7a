"""DaDu's judge beside PARTNR's evaluation functions, on the same states: where they agree, and why where not."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from dadu.bench.partnr import theirs
from dadu.bench.partnr.cases import Case, random_cases, recorded_cases
from dadu.core.errors import ConfigError, DaduError
from dadu.eval.metrics.statistics import estimate
from dadu.tasks.prepare import Prepared

CORRECTED: tuple[tuple[str, ...], ...] = ((), ("values",), ("unrolling",), ("values", "unrolling"))
"""Their functions as they are; asked with handles that are no sequences of letters; with what a dependency binds
unrolled by its index; with both."""
WHY = {
    1: "they take a handle, which is a text, for the sequence of its letters: same_arg and different_arg compare these",
    2: "unrolling a proposition, they add its number, not its index, to what a dependency binds",
    3: "both of these",
}
_EQUAL = 1e-9


class JudgeError(DaduError):
    """Their functions are not there or do not end as they should."""


def run(checkout: Path, python: Path, count: int, prepared: Iterable[Prepared], episodes: int, seed: int = 0
        ) -> dict[str, Any]:
    """Agreement on `count` random cases and on as many `episodes` of those `prepared`, as the expert carries them out.

    `checkout`: of partnr-planner. `python`: the interpreter that runs its file, with NumPy and networkx. Errors:
    ConfigError for a checkout without the file, JudgeError with that interpreter's last words.
    """
    parts = {"random": list(random_cases(count, seed)), "recorded": list(recorded_cases(prepared, episodes))}
    verdicts = iter(their_verdicts(checkout, python, list(chain(*parts.values()))))
    return {part: _compared(cases, [next(verdicts) for _ in cases]) for part, cases in parts.items()}


def their_verdicts(checkout: Path, python: Path, cases: Sequence[Case]) -> list[list[float]]:
    """What their functions say of each case, 0 to 1, by what was corrected (`CORRECTED`).

    Errors: as of `run`.
    """
    if not (checkout / theirs.FILE).is_file():
        raise ConfigError(f"{checkout} has no {theirs.FILE}: give a checkout of partnr-planner")
    question = json.dumps({"correct": CORRECTED, "cases": [case.to_json() for case in cases]})
    ran = subprocess.run([python, theirs.__file__, checkout], input=question, capture_output=True, text=True,
                         check=False)
    if ran.returncode:
        raise JudgeError(f"{python} needs numpy and networkx; it said: {ran.stderr.strip()[-300:]}")
    found: list[list[float]] = json.loads(ran.stdout)
    return found


def _compared(cases: Sequence[Case], verdicts: Sequence[Sequence[float]]) -> dict[str, Any]:
    """`unexplained` are names of cases that no correction brings together."""
    reasons: Counter[str] = Counter()
    unexplained, same = [], []
    for case, of in zip(cases, verdicts):
        ours = case.ours()
        match = next((i for i, verdict in enumerate(of) if abs(verdict - ours) < _EQUAL), None)
        same.append(float(match == 0))
        if match is None:
            unexplained.append(case.name)
        elif match:
            reasons[WHY[match]] += 1
    found = estimate(same)
    complete = sum(case.ours() > 1 - _EQUAL for case in cases)
    return {"cases": len(cases), "states": sum(len(case.states) for case in cases), "complete": complete,
            "agree": found.as_dict() if found is not None else None, "explained": dict(reasons),
            "unexplained": unexplained}
