"""BDDL goals in DaDu's predicates: which can be said, and whether both judges say the same of random states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dadu.eval.metrics.statistics import estimate
from dadu.goals.findings import counted
from dadu.goals.rules import unroll
from dadu.goals.suite_goal import SuiteGoal, SuiteProposition
from dadu.goals.tracker import Tracker
from dadu.imports.bddl.goal import NEGATED, PREDICATES, Untranslatable, goal_in
from dadu.imports.bddl.source import BddlProblem, judged, read_problems

_SHARES = (0.5, 0.8, 0.95, 1.0)
"""of the facts that a goal speaks of that hold in a state: with fewer hardly any goal would"""
ON_FLOORS = ("is_on_floor", "is_in_room")
"""what a floor of theirs becomes"""
BACK = {**{ours: (name, True) for name, ours in PREDICATES.items()},
         **{ours: (name, False) for name, ours in NEGATED.items()}, **dict.fromkeys(ON_FLOORS, ("ontop", True))}
"""predicate of DaDu to theirs, and to whether that holds then"""


TIED = "the first things that fit are taken where things are tied (PARTNR's rule); theirs looks for any"


def run(python: Path, given: Sequence[str], states: int, seed: int = 0) -> dict[str, Any]:
    """`given`: activities of the package or files, none for all; `states` for each. Errors: BddlError."""
    problems, unread = read_problems(python, given)
    goals, refused = _goals(problems)
    rng = np.random.default_rng(seed)
    kept = [problem for problem in problems if problem.name in goals]
    drawn = []
    for problem in kept:
        facts = sorted(asked_facts(problem, goals[problem.name]))
        drawn.append([[fact for fact in facts if rng.random() < share] for share in rng.choice(_SHARES, states)])
    same, differing, won = [], Counter[str](), 0
    for problem, cases, of in zip(kept, drawn, judged(python, kept, drawn), strict=True):
        goal = goals[problem.name]
        for state, verdict in zip(cases, of, strict=True):
            mine = holds(goal, set(state), problem.floors)
            same.append(float(mine == verdict))
            won += verdict
            if mine != verdict:
                differing[why(goal)] += 1
    found = estimate(same)
    return {"problems": len(problems) + len(unread), "read": len(problems), "said": len(goals),
            "refused": dict((refused + Counter(unread.values())).most_common()), "states": len(same),
            "goal_holds": won, "agree": found.as_dict() if found is not None else None, "differ": dict(differing),
            "goals": {name: goal.model_dump(mode="json") for name, goal in goals.items()}}


def why(goal: SuiteGoal) -> str:
    """The reason for which both judges may differ on it."""
    return TIED if any(c.links for c in goal.constraints) else "no known reason"


def holds(goal: SuiteGoal, facts: set[tuple[str, ...]], floors: Mapping[str, str]) -> bool:
    """DaDu's verdict on one state, given as the facts of theirs that hold in it. `floors`: of which room each is."""
    def answer(p: SuiteProposition, subject: str, target: str) -> bool:
        name, wanted = BACK[p.predicate]
        if p.predicate in ON_FLOORS:
            return any((name, subject, floor) in facts for floor, room in floors.items() if target in ("", room))
        return ((name, subject, target) if target else (name, subject)) in facts if wanted else (
            name, subject) not in facts
    ready = unroll(goal)
    tracker = Tracker(ready)
    tracker.take(lambda i: counted(ready.items[i].proposition, lambda s, t: answer(ready.items[i].proposition, s, t)))
    return all(tracker.satisfied())


def _goals(problems: Sequence[BddlProblem]) -> tuple[dict[str, SuiteGoal], Counter[str]]:
    """Those that can be said, by name, and why the others cannot."""
    goals, refused = {}, Counter[str]()
    for problem in problems:
        try:
            goals[problem.name] = goal_in(problem)
        except Untranslatable as reason:
            refused[str(reason)] += 1
    return goals, refused


def asked_facts(problem: BddlProblem, goal: SuiteGoal) -> set[tuple[str, ...]]:
    """All that the goal may ask about, in their predicates."""
    found = set[tuple[str, ...]]()
    for p in goal.propositions:
        name, _ = BACK[p.predicate]
        targets = problem.floors if p.predicate in ON_FLOORS else p.arguments[1] if len(p.arguments) > 1 else ("",)
        found |= {(name, s, t) if t else (name, s) for s in p.arguments[0] for t in targets}
    return found
