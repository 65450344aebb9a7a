"""Follows a goal through the states of an episode and judges it: PARTNR's evaluation functions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dadu.eval.goal import Dependency, Goal, Link, Proposition
from dadu.eval.predicates import TESTS, whereabouts
from dadu.eval.state import World

Pair = tuple[str, str]
"""(subject, object) that satisfy a proposition; object empty where it takes one argument"""


@dataclass(frozen=True)
class Verdict:
    """What became of a goal."""

    success: bool
    percent_complete: float
    """share of the propositions that are satisfied within all constraints, 0 to 1"""
    satisfied: tuple[bool, ...]
    """by proposition"""
    since: tuple[float | None, ...]
    """when each first came true [s]"""
    explanation: str
    """why it failed, in sentences; empty after a success"""


@dataclass(frozen=True)
class _Sample:
    stamp: float
    pairs: tuple[frozenset[Pair], ...]
    """that stand in the proposition's relation, by proposition"""


class GoalMonitor:
    """Feed it every state in order, then ask for the verdict."""

    def __init__(self, goal: Goal) -> None:
        self.goal = goal
        self._history: list[_Sample] = []
        self._last: World | None = None

    def update(self, world: World) -> None:
        """Takes one state."""
        sample = _Sample(world.state.stamp, tuple(frozenset(_pairs(world, p)) for p in self.goal.propositions))
        self._last = world
        # Of equal samples two are kept: what counts only *after* something else first counts in the second.
        if [s.pairs for s in self._history[-2:]] != [sample.pairs] * 2:
            self._history.append(sample)

    def verdict(self) -> Verdict:
        """Of all states so far."""
        counted = self._counted([s.pairs for s in self._history])
        since = [self._first(counted, i) for i in range(len(self.goal.propositions))]
        faults = self._faults(counted, since)
        satisfied = tuple(not faults[i] for i in range(len(since)))
        return Verdict(
            success=all(satisfied), percent_complete=sum(satisfied) / len(satisfied), satisfied=satisfied,
            since=tuple(None if n is None else self._history[n].stamp for n in since),
            explanation=" ".join(sentence for i in range(len(since)) for sentence in faults[i]),
        )

    def _counted(self, history: Sequence[tuple[frozenset[Pair], ...]]) -> list[list[bool]]:
        """Whether each proposition is satisfied at each sample, dependencies considered."""
        ever = [False] * len(self.goal.propositions)
        counted: list[list[bool]] = []
        for pairs in history:
            now = [_enough(p, found) for p, found in zip(self.goal.propositions, pairs)]
            gated = [now[i] and all(_open_gate(d, ever, now) for d in self.goal.dependencies if i in d.propositions)
                     for i in range(len(now))]
            counted.append(gated)
            ever = [a or b for a, b in zip(ever, gated)]
        return counted

    def _first(self, counted: list[list[bool]], index: int) -> int | None:
        return next((n for n, now in enumerate(counted) if now[index]), None)

    def _faults(self, counted: list[list[bool]], since: list[int | None]) -> list[list[str]]:
        """Sentences on what is wrong with each proposition."""
        goal = self.goal
        faults: list[list[str]] = [[] for _ in since]
        for i, p in enumerate(goal.propositions):
            if since[i] is None:
                faults[i].append(f"{p} never came true{self._where(p)}.")
            elif i in goal.terminal() and not _enough(p, self._history[-1].pairs[i]):
                faults[i].append(f"{p} came true but does not hold at the end{self._where(p)}.")
        for c in goal.constraints:
            for a, b in c.temporal or ():
                if None not in (since[a], since[b]) and since[b] <= since[a]:
                    faults[b].append(f"{goal.propositions[b]} came true before {goal.propositions[a]}.")
            for link, same in ((c.same_arg, True), (c.different_arg, False)):
                if link is not None and all(since[i] is not None for i in link.propositions):
                    self._check_link(link, same, faults)
        return faults

    def _check_link(self, link: Link, same: bool, faults: list[list[str]]) -> None:
        """One value of the argument must satisfy all (same), or each its own (different)."""
        options = [self._values(i, link.arg) for i in link.propositions]
        fits = bool(set.intersection(*options)) if same else _distinct(options)
        if not fits:
            names = " and ".join(str(self.goal.propositions[i]) for i in link.propositions)
            faults[link.propositions[-1]].append(f"{names} must use {'the same' if same else 'different'} things.")

    def _values(self, index: int, arg: int) -> set[str]:
        """Values of an argument with which the proposition was satisfied: at the end where it must hold, else ever."""
        p = self.goal.propositions[index]
        samples = self._history[-1:] if index in self.goal.terminal() else self._history
        return {pair[arg] for s in samples for pair in s.pairs[index]
                if _enough(p, frozenset(q for q in s.pairs[index] if q[arg] == pair[arg]) if arg else s.pairs[index])}

    def _where(self, p: Proposition) -> str:
        """`` (milk_0 is in fridge_0)`` for the objects concerned."""
        world = self._last
        if world is None:
            return ""
        subjects = [s for s in p.arguments[0] if s in world.state.bodies][:4]
        places = ", ".join(f"{s} is {whereabouts(world, s)}" for s in subjects)
        return f" ({places})" if places else ""


def evaluate(goal: Goal, worlds: Iterable[World]) -> Verdict:
    """The verdict on a whole episode."""
    monitor = GoalMonitor(goal)
    for world in worlds:
        monitor.update(world)
    return monitor.verdict()


def _pairs(world: World, p: Proposition) -> Iterable[Pair]:
    test = TESTS[p.predicate]
    subjects = p.arguments[0]
    objects = p.arguments[1] if len(p.arguments) > 1 else subjects if p.predicate == "is_clustered" else ("",)
    return ((s, o) for s in subjects for o in objects if test(world, s, o))


def _enough(p: Proposition, pairs: frozenset[Pair]) -> bool:
    if p.predicate == "is_clustered":
        return {s for s, _ in pairs} == set(p.arguments[0])
    if p.same_target:
        return any(len({s for s, o in pairs if o == target}) >= p.number for target in {o for _, o in pairs})
    return len({s for s, _ in pairs}) >= p.number


def _open_gate(dependency: Dependency, ever: Sequence[bool], now: Sequence[bool]) -> bool:
    """Whether the heads are as the relation asks; `ever` knows the samples before this one."""
    heads = {
        "after_satisfied": [ever[i] for i in dependency.depends_on],
        "after_unsatisfied": [ever[i] and not now[i] for i in dependency.depends_on],
        "while_satisfied": [now[i] for i in dependency.depends_on],
        "before_satisfied": [not ever[i] for i in dependency.depends_on],
    }[dependency.relation]
    return all(heads) if dependency.mode == "all" else any(heads)


def _distinct(options: Sequence[set[str]]) -> bool:
    """Whether each may take a value of its own."""
    if not options:
        return True
    return any(_distinct([rest - {value} for rest in options[1:]]) for value in options[0])
