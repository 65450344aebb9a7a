#!/bin/sh
# bddl 3.6.0, numpy 2.4.6, Python 3.11.
#
# BEHAVIOR's goals pair things by `forpairs` (every shoe next to a sock) and `fornpairs`. What the package evaluates, and what it lists as the ways to reach the goal (`flattened_condition_options`, which
# planners and progress scores use) differ: the options pair one to one; evaluation asks only that so many of the first have some partner and so many of the second. Three against three where two of the
# first share their only partner is a success that none of the options describes. And `forn` is exact: with one more than asked the goal is lost, while its options still say that N suffice.
#
# Guess before: evaluation matches one to one; `forn` means at least. Seen for a matrix of 3 x 3 that has no matching (rows: 1, 1, 2 and 3): forpairs True, no option whole; forn 2 with three true: False,
# an option whole.
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 bddl==3.6.0
v/bin/python - <<'PY'
from bddl.backend_abc import BDDLBackend
from bddl.condition_evaluation import compile_state, evaluate_state
from bddl.logic_base import AtomicFormula, BinaryAtomicFormula, UnaryAtomicFormula

NEXT = {("a1", "b1"), ("a2", "b1"), ("a3", "b2"), ("a3", "b3")}


class NextTo(BinaryAtomicFormula):
    STATE_NAME = "nextto"

    def _sample(self, *_, **__):
        raise NotImplementedError

    def _evaluate(self, first, second, **_):
        return (first, second) in NEXT


class Open(UnaryAtomicFormula):
    STATE_NAME = "open"

    def _sample(self, *_, **__):
        raise NotImplementedError

    def _evaluate(self, entity, **_):
        return True


class Backend(BDDLBackend):
    def get_predicate_class(self, name):
        return {"nextto": NextTo, "open": Open}[name]


things = {"a": ["a1", "a2", "a3"], "b": ["b1", "b2", "b3"]}
scope = {name: name for names in things.values() for name in names}


def judged(goal):
    """Success, and how many of the options hold whole."""
    condition = compile_state([goal], Backend(), scope=scope, object_map=things)[0]
    true = {f"nextto {first} {second}" for first, second in NEXT} | {f"open {name}" for name in scope}
    options = condition.flattened_condition_options
    return evaluate_state([condition])[0], sum(all(" ".join(atom) in true for atom in option) for option in options)


pairs = judged(["forpairs", ["?a", "-", "a"], ["?b", "-", "b"], ["nextto", "?a", "?b"]])
some = judged(["forn", ["2"], ["?a", "-", "a"], ["open", "?a"]])
print("forpairs", pairs, "forn", some)
assert pairs == (True, 0)
assert some[0] is False and some[1] > 0
PY
