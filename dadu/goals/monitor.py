"""Follows a goal through the states of an episode and judges it, with a sentence on what is missing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from dadu.core.errors import NAMED
from dadu.goals.findings import finding
from dadu.goals.predicates.truth_view import TruthView
from dadu.goals.rules import Rule, Temporal, Terminal, unroll
from dadu.goals.suite_goal import SuiteGoal, SuiteProposition
from dadu.goals.tracker import Tracker
from dadu.world.state import TrueWorld


@dataclass(frozen=True)
class Verdict:
    """What became of a goal."""

    success: bool
    percent_complete: float
    """share of the propositions, those with a number unrolled, that are satisfied within all constraints, 0 to 1"""
    satisfied: tuple[bool, ...]
    """by proposition of the goal"""
    since: tuple[float | None, ...]
    """when each first came true [s]"""
    explanation: str
    """why it failed, in sentences; empty after a success"""
    at_the_end: tuple[bool, ...] = ()
    """by proposition: whether it holds in the last state, constraints aside"""


class GoalMonitor:
    """Feed it every state in order, then ask for the verdict."""

    def __init__(self, goal: SuiteGoal) -> None:
        self.goal = goal
        self._tracker = Tracker(unroll(goal))
        self._stamps: list[float] = []
        self._last: TruthView | None = None

    def update(self, world: TrueWorld, times: int = 1) -> None:
        """Takes one state, so many `times`: what depends on a proposition counts from the state after it."""
        items, view = self._tracker.goal.items, TruthView(world)
        found = cache(lambda i: finding(view, items[i].proposition))
        for _ in range(times):
            self._tracker.take(found)
            self._stamps.append(world.state.stamp)
        self._last = view

    @property
    def percent_complete(self) -> float:
        """So far."""
        return self._tracker.percent_complete()

    def verdict(self) -> Verdict:
        """Of all states so far."""
        count = len(self.goal.propositions)
        satisfied, since = self._tracker.satisfied(), self._tracker.since
        return Verdict(
            success=all(satisfied), percent_complete=self._tracker.percent_complete(),
            satisfied=tuple(satisfied[:count]),
            since=tuple(None if n is None else self._stamps[n] for n in since[:count]),
            explanation=" ".join(self._faults()),
            at_the_end=tuple(self._last is not None and finding(self._last, p).holds for p in self.goal.propositions),
        )

    def _faults(self) -> Iterable[str]:
        """Sentences on what is wrong, each proposition of the goal at most once for each reason."""
        since, items = self._tracker.since, self._tracker.goal.items
        for i, p in enumerate(self.goal.propositions):
            if since[i] is None:
                part = sum(since[n] is not None for n, item in enumerate(items) if n != i and item.origin == i)
                reached = f", no more than {part}" if part else ""
                yield f"{p} never came true{reached}{self._instead(p)}."
        told: set[tuple[Rule, int]] = set()
        for rule, i in self._tracker.broken():
            origin = items[i].origin
            if since[origin] is None or i != origin or (rule, origin) in told:
                continue
            told.add((rule, origin))
            yield self._broken(rule, origin)

    def _broken(self, rule: Rule, i: int) -> str:
        p, since = self.goal.propositions[i], self._tracker.since
        if isinstance(rule, Temporal):
            then = since[i]
            late = [b for b in sorted(rule.before(i)) if (first := since[b]) is None or then is None or first >= then]
            names = " and ".join(str(self.goal.propositions[b]) for b in late)
            return f"{p} came true before {names}."
        if isinstance(rule, Terminal):
            return f"{p} came true but does not hold at the end{self._instead(p)}."
        names = " and ".join(str(self.goal.propositions[n]) for n in rule.items if n < len(self.goal.propositions))
        return f"{names} must use {'the same thing' if rule.same else 'different things'}."

    def _instead(self, p: SuiteProposition) -> str:
        """`` (milk_0 is in fridge_0)``: how it stands with the things of which it should be true."""
        view = self._last
        if view is None:
            return ""
        if finding(view, p).holds:
            return ": it holds, but what it depends on was not met when it did"
        subjects = sorted({s for a in p.arguments for s in a}) if p.definition.lists else list(p.arguments[0])
        targets = subjects if p.definition.lists else p.arguments[1] if p.definition.arity > 1 else ("",)
        lacking = [s for s in subjects if view.kind(s) is not None and (
            p.definition.lists or not any(p.definition.answer(view, s, t) for t in targets))]
        clauses = "; ".join(p.definition.instead(view, s, targets) for s in lacking[:NAMED])
        return f" ({clauses})" if clauses else ""


def evaluate(goal: SuiteGoal, worlds: Iterable[TrueWorld]) -> Verdict:
    """The verdict on a whole episode."""
    monitor = GoalMonitor(goal)
    for world in worlds:
        monitor.update(world)
    return monitor.verdict()
