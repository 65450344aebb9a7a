"""PARTNR's evaluation functions over a sequence of states, given what each proposition yields in each state.

Independent of what a state is: a simulator's, a recorded one, or a table of a test.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from dadu.goals.rules import Equality, Rule, Temporal, Terminal, Unrolled
from dadu.goals.suite_goal import Dependency


@dataclass(frozen=True)
class Finding:
    """What became of a proposition in one state."""

    holds: bool
    values: tuple[frozenset[str], ...] = ()
    """by argument, the things with which it holds"""


NOT = Finding(False)


@dataclass
class _Track:
    """What is remembered of one proposition."""

    now: bool = False
    ever: bool = False
    fell: bool = False
    """it held in some state and did not in the next"""
    since: int | None = None
    """number of the state in which it first held"""
    values: tuple[frozenset[str], ...] = field(default=())
    """of that state"""

    def take(self, finding: Finding, number: int) -> None:
        self.fell = self.fell or self.now and not finding.holds
        self.now, self.ever = finding.holds, self.ever or finding.holds
        if finding.holds and self.since is None:
            self.since, self.values = number, finding.values


class Tracker:
    """Takes the states in order, then tells what holds."""

    def __init__(self, goal: Unrolled) -> None:
        self.goal = goal
        self.count = 0
        """states taken"""
        self._tracks = [_Track() for _ in goal.items]

    def take(self, evaluate: Callable[[int], Finding]) -> None:
        """One state. `evaluate(item)` is asked only for propositions whose dependencies, judged by the states before
        this one, are met; the others do not hold."""
        met = [all(self._met(d) for d in self.goal.dependencies if i in d.propositions)
               for i in range(len(self._tracks))]
        findings = [evaluate(i) if asked else NOT for i, asked in enumerate(met)]
        for track, finding in zip(self._tracks, findings):
            track.take(finding, self.count)
        self.count += 1

    @property
    def since(self) -> list[int | None]:
        """By unrolled proposition: the state in which it first held."""
        return [t.since for t in self._tracks]

    @property
    def now(self) -> list[bool]:
        """By unrolled proposition: whether it holds in the last state."""
        return [t.now for t in self._tracks]

    def broken(self) -> list[tuple[Rule, int]]:
        """Rules with the propositions that they rule out."""
        return [(rule, i) for rule in self.goal.rules for i in self._ruled_out(rule)]

    def satisfied(self) -> list[bool]:
        """By unrolled proposition: it held once and no rule is broken for it."""
        out = {i for _, i in self.broken()}
        return [t.ever and i not in out for i, t in enumerate(self._tracks)]

    def percent_complete(self) -> float:
        """Share of the unrolled propositions that are satisfied, 0 to 1; success is 1."""
        satisfied = self.satisfied()
        return sum(satisfied) / len(satisfied)

    def _met(self, dependency: Dependency) -> bool:
        heads = [self._tracks[i] for i in dependency.depends_on]
        met = {
            "while_satisfied": [t.now for t in heads],
            "after_satisfied": [t.ever for t in heads],
            "after_unsatisfied": [t.fell for t in heads],
            "before_satisfied": [not t.ever for t in heads],
        }[dependency.relation]
        return all(met) if dependency.mode == "all" else any(met)

    def _ruled_out(self, rule: Rule) -> list[int]:
        if isinstance(rule, Temporal):
            return [i for i, before in rule.order if not self._later(i, before)]
        if isinstance(rule, Terminal):
            return [i for i in rule.items if self._tracks[i].ever and not self._tracks[i].now]
        return self._untied(rule)

    def _later(self, item: int, before: frozenset[int]) -> bool:
        """True if it came true after all of `before` had; nothing need come before the first ones."""
        if not before:
            return True
        since, heads = self._tracks[item].since, [self._tracks[i].since for i in before]
        return since is not None and all(head is not None and since > head for head in heads)

    def _untied(self, rule: Equality) -> list[int]:
        """The first to come true sets the value; those after it must share it, or differ from all before them."""
        order = sorted(((since, i, arg) for i, arg in zip(rule.items, rule.args)
                        if (since := self._tracks[i].since) is not None), key=lambda entry: entry[0])
        values = [self._tracks[i].values[arg] for _, i, arg in order]
        if rule.same:
            return [i for (_, i, _), value in zip(order[1:], values[1:]) if not value & values[0]]
        return [i for n, (_, i, _) in enumerate(order) if any(values[n] & other for other in values[:n])]
