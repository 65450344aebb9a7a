"""BEHAVIOR's activities carried out in the oracle, and the end judged twice: by the package's evaluation, by DaDu."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dadu.bench.bddl.agreement import ON_FLOORS, asked_facts, why
from dadu.bench.carried import FULL, drawn, estimates
from dadu.bench.partnr.cases import case
from dadu.eval.episode.trial import run_episode
from dadu.eval.options import EvalOptions
from dadu.goals.predicates.table import PREDICATES as OURS
from dadu.goals.predicates.truth_view import TruthView
from dadu.imports.bddl.goal import PREDICATES, goal_in
from dadu.imports.bddl.run import JudgedProblem, load_problems
from dadu.imports.bddl.source import judged
from dadu.stacks.oracle import OracleStack
from dadu.tasks.expert import Expert, NotFeasible
from dadu.tasks.prepare import Prepared, prepare_all
from dadu.world.state import TrueWorld

EXPERT = "expert"


@dataclass(frozen=True)
class Attempt:
    """One activity, carried out."""

    id: str
    level: str
    instruction: str
    ended: str
    """as in results; of the expert *done* or *not feasible*"""
    before: bool
    """their verdict at the beginning"""
    theirs: bool
    """at the end, by their evaluation"""
    ours: bool
    """of the same state, by DaDu's judge"""
    reason: str
    """of a failure; the same words for the same reason"""
    explanation: str
    plan: list[list[str]]

    @property
    def success(self) -> bool:
        """By both judges, and ended by itself."""
        return self.theirs and self.ours and self.ended == "done"


def run(suite: Path, python: Path, options: EvalOptions | None, count: int = 0) -> list[Attempt]:
    """A suite of ``dadu import bddl``; `options`: of a planner, None for the expert, which is told everything; `count`:
    only so many, drawn by hash, 0 for all. Errors: ConfigError, BddlError."""
    problems = load_problems(suite)
    tried = [_tried(one, options) for one in prepare_all(*drawn(suite, count))]
    of = [problems[one.episode.id] for one, *_ in tried]
    states = [[facts(problem, world) for world in (worlds[0], worlds[-1])]
              for problem, (_, worlds, *_) in zip(of, tried, strict=True)]
    verdicts = judged(python, [problem.problem for problem in of], states)
    return [_attempt(one, worlds[-1], ended, reason, explanation, plan, both)
            for (one, worlds, ended, reason, explanation, plan), both in zip(tried, verdicts, strict=True)]


def facts(of: JudgedProblem, world: TrueWorld) -> list[list[str]]:
    """What their goal may ask about and holds in a world, as DaDu measures it, in their predicates and names."""
    view, floors = TruthView(world), of.problem.floors
    goal = goal_in(of.problem)
    found = []
    for predicate, *things in sorted(asked_facts(of.problem, goal)):
        names = [of.names.get(thing, thing) for thing in things]
        if things[-1] in floors:
            room = floors[things[-1]]
            holds = all(OURS[one].answer(view, names[0], room) for one in ON_FLOORS if room or one == ON_FLOORS[0])
        else:
            ours = of.either.get(names[-1], "") if predicate in ("ontop", "inside") else ""
            holds = bool(OURS[ours or PREDICATES[predicate]].answer(view, *names))
        if holds:
            found.append([predicate, *things])
    return found


def summary(attempts: Sequence[Attempt], problems: Mapping[str, JudgedProblem]) -> dict[str, Any]:
    """By level (and all): success and both judges with 95 % intervals; where these differ, and why; and failures."""
    levels = {"all": list(attempts)}
    for one in attempts:
        levels.setdefault(one.level, []).append(one)
    return {level: _figures(of) for level, of in levels.items()} | {
        "differ": dict(Counter(why(goal_in(problems[one.id].problem)) for one in attempts if one.ours != one.theirs)),
        "failures": dict(Counter(one.reason for one in attempts if not one.success).most_common()),
        "held before": sum(one.before for one in attempts)}


def _figures(attempts: Sequence[Attempt]) -> dict[str, Any]:
    values = {"success": [one.success for one in attempts], "ours": [one.ours for one in attempts],
              "theirs": [one.theirs for one in attempts], "agree": [one.ours == one.theirs for one in attempts]}
    return {"activities": len(attempts), **estimates(values)}


_Tried = tuple[Prepared, list[TrueWorld], str, str, str, list[list[str]]]


def _tried(one: Prepared, options: EvalOptions | None) -> _Tried:
    """With the states that were seen, how it ended, and why."""
    if options is None:
        return _shown(one)
    worlds: list[TrueWorld] = []
    result = run_episode(one, options, lambda world, times: worlds.append(world)).result
    reason = result.ended if result.ended != "done" else "told as done and was not"
    return one, worlds or [_at_first(one)], result.ended, reason, result.explanation, result.plan


def _at_first(one: Prepared) -> TrueWorld:
    return Expert(OracleStack(one.house, robot=one.episode.robot, known="all"), one.episode.goal).world()


def _shown(one: Prepared) -> _Tried:
    stack = OracleStack(one.house, robot=one.episode.robot, known="all")
    expert = Expert(stack, one.episode.goal)
    first, ended, reason, explanation = expert.world(), "done", "", ""
    try:
        expert.run()
        expert.close_again()
    except NotFeasible as error:
        ended, explanation = "not feasible", str(error)
        reason = "no way known" if error.call is None or error.result is None else " ".join(
            filter(None, (f"{error.call.skill}:", error.result.code.name, error.result.detail)))
    return one, [first, expert.world()], ended, reason or "judged as not done", explanation, [
        call.as_list() for call in expert.done.calls]


def _attempt(one: Prepared, world: TrueWorld, ended: str, reason: str, explanation: str, plan: list[list[str]],
             verdicts: Sequence[bool]) -> Attempt:
    goal, (before, theirs) = one.episode.goal, verdicts
    found = Attempt(one.episode.id, str(one.episode.level), one.episode.instruction, ended, before, theirs,
                    case(one.episode.id, goal, [world]).ours() >= FULL, reason, explanation, plan)
    return found
