"""What a proposition of a suite yields in one world: whether it holds, and with which things."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from dadu.goals.groups import groups
from dadu.goals.predicates.table import PREDICATES
from dadu.goals.predicates.view import WorldView
from dadu.goals.suite_goal import SuiteProposition
from dadu.goals.tracker import NOT, Finding


def finding(view: WorldView, p: SuiteProposition) -> Finding:
    """As `counted`, in a world."""
    predicate = PREDICATES[p.predicate]
    if predicate.lists:
        return _together(view, p)
    return counted(p, lambda subject, target: bool(predicate.answer(view, subject, target)))


def counted(p: SuiteProposition, holds: Callable[[str, str], bool]) -> Finding:
    """What comes of a proposition where `holds` says of two things whether they stand so; of a predicate of one thing
    the second is empty. Candidates are tried in the order in which they are written; the one that makes the number full
    is the value. What is not known does not hold.

    Unlike PARTNR's wrappers, which count pairs, `number` counts things: one book that touches two tables is one book.
    """
    targets = p.arguments[1] if p.definition.arity > 1 else ("",)
    order = [(s, t) for t in targets for s in p.arguments[0]] if p.same_target else product(p.arguments[0], targets)
    found: dict[str, set[str]] = {}
    for subject, target in order:
        if not holds(subject, target):
            continue
        fellows = found.setdefault(target if p.same_target else "", set())
        fellows.add(subject)
        if len(fellows) >= p.numbers[0]:
            return Finding(True, (frozenset([subject]), frozenset([target])))
    return NOT


def _together(view: WorldView, p: SuiteProposition) -> Finding:
    """A group of things, each next to another of the group, that holds enough of every list."""
    names = list(dict.fromkeys(name for argument in p.arguments for name in argument))
    for group in groups(view, PREDICATES[p.predicate], names):
        if all(len(group & set(argument)) >= n for argument, n in zip(p.arguments, p.numbers)):
            return Finding(True, tuple(frozenset(group & set(argument)) for argument in p.arguments))
    return NOT
