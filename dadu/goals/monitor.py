"""Follows a goal through the states of an episode and judges it, with a sentence on what is missing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dadu.goals.findings import finding
from dadu.goals.rules import Rule, Temporal, Terminal, unroll
from dadu.goals.suite_goal import Goal, Proposition
from dadu.goals.tracker import Tracker
from dadu.goals.true_predicates import whereabouts
from dadu.world.state import World


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

    def __init__(self, goal: Goal) -> None:
        self.goal = goal
        self._tracker = Tracker(unroll(goal))
        self._stamps: list[float] = []
        self._last: World | None = None

    def update(self, world: World) -> None:
        """Takes one state."""
        items = self._tracker.goal.items
        self._tracker.take(lambda i: finding(world, items[i].proposition))
        self._stamps.append(world.state.stamp)
        self._last = world

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
                yield f"{p} never came true{reached}{self._where(p)}."
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
            late = [b for b in sorted(rule.before(i)) if since[b] is None or since[b] >= since[i]]
            names = " and ".join(str(self.goal.propositions[b]) for b in late)
            return f"{p} came true before {names}."
        if isinstance(rule, Terminal):
            return f"{p} came true but does not hold at the end{self._where(p)}."
        names = " and ".join(str(self.goal.propositions[n]) for n in rule.items if n < len(self.goal.propositions))
        return f"{names} must use {'the same thing' if rule.same else 'different things'}."

    def _where(self, p: Proposition) -> str:
        """`` (milk_0 is in fridge_0)`` for the objects concerned."""
        world = self._last
        if world is None:
            return ""
        subjects = [s for a in (p.arguments if p.predicate == "is_clustered" else p.arguments[:1])
                    for s in a if s in world.state.bodies][:4]
        places = ", ".join(f"{s} is {whereabouts(world, s)}" for s in subjects)
        return f" ({places})" if places else ""


def evaluate(goal: Goal, worlds: Iterable[World]) -> Verdict:
    """The verdict on a whole episode."""
    monitor = GoalMonitor(goal)
    for world in worlds:
        monitor.update(world)
    return monitor.verdict()
