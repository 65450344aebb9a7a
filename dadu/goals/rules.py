"""A goal made ready for counting: propositions with a number unrolled, constraints as rules over their indices.

Source: PARTNR, section A.2. "Three books on the shelf" counts as three propositions (one book, two books, three books),
so that two books on it are two thirds of it; dependencies and constraints apply to each of the three.
"""

from __future__ import annotations

from dataclasses import dataclass

from dadu.goals.suite_goal import Dependency, SuiteGoal, SuiteProposition, ancestors


@dataclass(frozen=True)
class UnrolledProposition:
    """One unrolled proposition."""

    origin: int
    """index in the goal"""
    proposition: SuiteProposition
    """with its own `number`"""


@dataclass(frozen=True)
class Temporal:
    """Each of these comes true later than everything that it is paired with."""

    order: tuple[tuple[int, frozenset[int]], ...]

    def before(self, item: int) -> frozenset[int]:
        """What comes before `item`; empty where it is not bound."""
        return dict(self.order).get(item, frozenset())


@dataclass(frozen=True)
class Equality:
    """These come true with the same thing in an argument, or each with another one."""

    items: tuple[int, ...]
    args: tuple[int, ...]
    same: bool


@dataclass(frozen=True)
class Terminal:
    """These hold at the end."""

    items: tuple[int, ...]


Rule = Temporal | Equality | Terminal


@dataclass(frozen=True)
class Unrolled:
    """The goal's own propositions first, in order, then what unrolling adds."""

    items: tuple[UnrolledProposition, ...]
    dependencies: tuple[Dependency, ...]
    rules: tuple[Rule, ...]


def unroll(goal: SuiteGoal) -> Unrolled:
    """`goal` ready for counting."""
    items = [UnrolledProposition(i, p) for i, p in enumerate(goal.propositions)]
    dependencies, rules = list(goal.dependencies), _rules(goal)
    for origin, p in enumerate(goal.propositions):
        if p.definition.lists or not isinstance(p.number, int):
            continue
        for number in range(1, p.number):
            new = len(items)
            items.append(UnrolledProposition(origin, p.model_copy(update={"number": number})))
            dependencies = [_gated_too(d, origin, new) for d in dependencies]
            rules = [*(_extended(rule, origin, new) for rule in rules),
                     *(_replaced(rule, origin, new) for rule in rules if isinstance(rule, Equality)
                       and _differs(rule, origin))]
    return Unrolled(tuple(items), tuple(dependencies), tuple(rules))


def _rules(goal: SuiteGoal) -> list[Rule]:
    found: list[Rule] = []
    for c in goal.constraints:
        if c.temporal is not None:
            found.append(Temporal(tuple(ancestors(c.temporal).items())))
        if c.same_arg is not None:
            found.append(Equality(c.same_arg.propositions, c.same_arg.args, True))
        if c.different_arg is not None:
            found.append(Equality(c.different_arg.propositions, c.different_arg.args, False))
        if c.terminal is not None:
            found.append(Terminal(c.terminal))
    return found


def _gated_too(dependency: Dependency, origin: int, new: int) -> Dependency:
    if origin not in dependency.propositions:
        return dependency
    return dependency.model_copy(update={"propositions": (*dependency.propositions, new)})


def _extended(rule: Rule, origin: int, new: int) -> Rule:
    """The rule, which also binds `new` where it binds its origin."""
    if isinstance(rule, Temporal):
        return Temporal((*rule.order, *((new, before) for item, before in rule.order if item == origin)))
    if origin not in rule.items or _differs(rule, origin):
        return rule
    if isinstance(rule, Terminal):
        return Terminal((*rule.items, new))
    return Equality((*rule.items, new), (*rule.args, rule.args[rule.items.index(origin)]), rule.same)


def _differs(rule: Rule, origin: int) -> bool:
    return isinstance(rule, Equality) and not rule.same and origin in rule.items


def _replaced(rule: Equality, origin: int, new: int) -> Equality:
    """Two books need not be on different shelves because they are to be on others than the vase: `new` takes the
    place of its origin in a rule of its own."""
    at = rule.items.index(origin)
    others = [(item, arg) for item, arg in zip(rule.items, rule.args) if item != origin]
    return Equality((new, *(item for item, _ in others)), (rule.args[at], *(arg for _, arg in others)), False)
