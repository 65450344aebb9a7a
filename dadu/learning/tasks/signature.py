"""When two goals are the same goal, however they are written."""

from __future__ import annotations

import re

from dadu.goals.suite_goal import SuiteGoal, SuiteProposition, ancestors

Key = tuple[object, ...]


def signature(goal: SuiteGoal) -> str:
    """The same for goals that the same states fulfil in the same order: whether all of several things are meant or each
    of them, and in whatever order propositions and neighbours are written."""
    keys = [_keys(p) for p in goal.propositions]
    edges = {pair for c in goal.constraints for pair in c.temporal or ()}
    edges |= {(a, b) for d in goal.dependencies if d.relation == "after_satisfied" for a in d.depends_on
              for b in d.propositions}
    order = {(a, b) for later, before in ancestors(edges).items() for i in before for a in keys[i] for b in keys[later]}
    ties = {(sort, tuple(sorted(k for i in link.propositions for k in keys[i]))) for c in goal.constraints
            for sort, link in (("same", c.same_arg), ("different", c.different_arg)) if link is not None}
    ties |= {("same", tuple(sorted(k))) for p, k in zip(goal.propositions, keys)
             if p.same_target and len(p.arguments[1]) > 1}
    other = sorted(str(d) for d in goal.dependencies if d.relation != "after_satisfied")
    return repr((sorted({k for of_one in keys for k in of_one}), sorted(order), sorted(ties), other))


def kinds_of(text: str) -> str:
    """A signature with kinds of things in place of things: the same task in another home."""
    return re.sub(r"_\d+\b", "", text)


def _keys(p: SuiteProposition) -> list[str]:
    """One for each thing, where all of them are meant."""
    subjects, rest = sorted(set(p.arguments[0])), [sorted(set(a)) for a in p.arguments[1:]]
    if p.definition.lists:
        return [repr((p.predicate, sorted(map(sorted, p.arguments)), p.numbers))]
    if p.predicate == "is_next_to" and len(subjects) == 1 == len(rest[0]):
        return [repr((p.predicate, sorted((subjects[0], rest[0][0])), 1))]
    if p.numbers[0] == len(subjects):
        return [repr((p.predicate, [[one], *rest], 1)) for one in subjects]
    return [repr((p.predicate, [subjects, *rest], p.numbers[0]))]
