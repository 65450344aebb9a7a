"""What a proposition yields in one state: whether it holds, and with which things."""

from __future__ import annotations

from itertools import product

from dadu.goals.suite_goal import CLUSTER, Proposition
from dadu.goals.tracker import NOT, Finding
from dadu.goals.true_predicates import TESTS
from dadu.world.state import World


def finding(world: World, p: Proposition) -> Finding:
    """Candidates are tried in the order in which they are written; the one that makes the number full is the value.

    Unlike PARTNR's wrappers, which count pairs, `number` counts things: one book that touches two tables is one book.
    """
    if p.predicate == CLUSTER:
        return _cluster(world, p)
    test = TESTS[p.predicate]
    targets = p.arguments[1] if len(p.arguments) > 1 else ("",)
    if p.same_target:
        order = ((s, t) for t in targets for s in p.arguments[0])
    else:
        order = product(p.arguments[0], targets)
    counted: dict[str, set[str]] = {}
    for subject, target in order:
        if not test(world, subject, target):
            continue
        fellows = counted.setdefault(target if p.same_target else "", set())
        fellows.add(subject)
        if len(fellows) >= p.numbers[0]:
            return Finding(True, (frozenset([subject]), frozenset([target])))
    return NOT


def _cluster(world: World, p: Proposition) -> Finding:
    """A group of things, each next to another of the group, that holds enough of every list."""
    names = list(dict.fromkeys(name for argument in p.arguments for name in argument))
    test = TESTS[CLUSTER]
    near = {a: {b for b in names if a != b and (test(world, a, b) or test(world, b, a))} for a in names}
    for group in sorted(_groups(near), key=len, reverse=True):
        if all(len(group & set(argument)) >= n for argument, n in zip(p.arguments, p.numbers)):
            return Finding(True, tuple(frozenset(group & set(argument)) for argument in p.arguments))
    return NOT


def _groups(near: dict[str, set[str]]) -> list[set[str]]:
    """Connected components."""
    found: list[set[str]] = []
    for name in near:
        if any(name in group for group in found):
            continue
        group, queue = {name}, [name]
        while queue:
            new = near[queue.pop()] - group
            group |= new
            queue += new
        found.append(group)
    return found
