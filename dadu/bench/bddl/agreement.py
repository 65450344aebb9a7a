"""BDDL goals in DaDu's predicates: which can be said, and whether both judges say the same of random states."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dadu.bench.bddl import theirs
from dadu.bench.bddl.goal import FLOOR, NEGATED, PREDICATES, SaidGoal, Untranslatable, translate
from dadu.core.errors import DaduError
from dadu.eval.metrics.statistics import estimate
from dadu.goals.findings import counted
from dadu.goals.rules import unroll
from dadu.goals.suite_goal import SuiteGoal, SuiteProposition, parse_goal
from dadu.goals.tracker import Tracker

_SHARES = (0.5, 0.8, 0.95, 1.0)
"""of the facts that a goal speaks of that hold in a state: with fewer hardly any goal would"""
_ON_FLOORS = ("is_on_floor", "is_in_room")
"""what a floor of theirs becomes"""
_BACK = {**{ours: (name, True) for name, ours in PREDICATES.items()},
         **{ours: (name, False) for name, ours in NEGATED.items()}, **dict.fromkeys(_ON_FLOORS, ("ontop", True))}
"""predicate of DaDu to theirs, and to whether that holds then"""


TIED = "the first things that fit are taken where things are tied (PARTNR's rule); theirs looks for any"


class BddlError(DaduError):
    """Their package is not there or does not end as it should."""


def run(python: Path, given: Sequence[str], states: int, seed: int = 0) -> dict[str, Any]:
    """`given`: activities of the package or files, none for all; `states` for each. Errors: BddlError."""
    problems = _asked(python, ["read", *given])
    goals, refused = _goals(problems)
    rng = np.random.default_rng(seed)
    kept = [problem for problem in problems if problem["name"] in goals]
    for problem in kept:
        facts = sorted(_facts(problem, goals[problem["name"]]))
        problem["states"] = [[fact for fact in facts if rng.random() < share]
                             for share in rng.choice(_SHARES, states)]
    verdicts = _asked(python, ["judge"], kept)
    same, differing, won = [], Counter[str](), 0
    for problem, of in zip(kept, verdicts):
        for state, verdict in zip(problem["states"], of):
            mine = holds(goals[problem["name"]], {tuple(fact) for fact in state}, _floors(problem))
            same.append(float(mine == verdict))
            won += verdict
            if mine != verdict:
                differing[TIED if any(c.links for c in goals[problem["name"]].constraints) else "no known reason"] += 1
    found = estimate(same)
    return {"problems": len(problems), "read": sum("error" not in problem for problem in problems), "said": len(goals),
            "refused": dict(refused.most_common()), "states": len(same), "goal_holds": won,
            "agree": found.as_dict() if found is not None else None, "differ": dict(differing),
            "goals": {name: goal.model_dump(mode="json") for name, goal in goals.items()}}


def holds(goal: SuiteGoal, facts: set[tuple[str, ...]], floors: Mapping[str, str]) -> bool:
    """DaDu's verdict on one state, given as the facts of theirs that hold in it. `floors`: of which room each is."""
    def answer(p: SuiteProposition, subject: str, target: str) -> bool:
        name, wanted = _BACK[p.predicate]
        if p.predicate in _ON_FLOORS:
            return any((name, subject, floor) in facts for floor, room in floors.items() if target in ("", room))
        return ((name, subject, target) if target else (name, subject)) in facts if wanted else (
            name, subject) not in facts
    ready = unroll(goal)
    tracker = Tracker(ready)
    tracker.take(lambda i: counted(ready.items[i].proposition, lambda s, t: answer(ready.items[i].proposition, s, t)))
    return all(tracker.satisfied())


def _goals(problems: Sequence[Mapping[str, Any]]) -> tuple[dict[str, SuiteGoal], Counter[str]]:
    """Those that can be said, by name, and why the others cannot."""
    goals, refused = {}, Counter[str]()
    for problem in problems:
        if "error" in problem:
            refused[f"their parser: {problem['error']}"] += 1
            continue
        try:
            found: SaidGoal = translate(problem["goal"], problem["objects"], problem["rooms"])
            goals[problem["name"]] = parse_goal(found.to_suite(), problem["name"])
        except Untranslatable as reason:
            refused[str(reason)] += 1
    return goals, refused


def _facts(problem: Mapping[str, Any], goal: SuiteGoal) -> Iterator[tuple[str, ...]]:
    """All that the goal may ask about, in their predicates."""
    for p in goal.propositions:
        name, _ = _BACK[p.predicate]
        targets = _floors(problem) if p.predicate in _ON_FLOORS else p.arguments[1] if len(p.arguments) > 1 else ("",)
        yield from {(name, s, t) if t else (name, s) for s in p.arguments[0] for t in targets}


def _floors(problem: Mapping[str, Any]) -> dict[str, str]:
    return {floor: problem["rooms"].get(floor, "") for floor in problem["objects"].get(FLOOR, ())}


def _asked(python: Path, words: Sequence[str], question: Any = None) -> list[Any]:
    ran = subprocess.run([python, theirs.__file__, *words], input=json.dumps(question), capture_output=True, text=True,
                         check=False)
    if ran.returncode:
        raise BddlError(f"{python} needs bddl==3.6.0; it said: {ran.stderr.strip()[-300:]}")
    found: list[Any] = json.loads(ran.stdout)
    return found
