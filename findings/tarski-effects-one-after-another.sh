#!/bin/sh
# tarski 0.9.1, unified-planning 1.3.0, networkx 3.6.1, numpy 2.4.6, Python 3.11.
#
# By PDDL all effects of an action look at the state before it, and what is both deleted and added is there afterwards. tarski's progress(), on which its search and its validity of plans rest, applies them one after
# another to the state that is being changed: deletes first, then adds and quantified effects as the file has them, and each condition is evaluated when its turn comes. A switch that toggles can then never turn off;
# a chain of conditions runs through in one step; and "at no place any more, at this one now" forgets the place if the quantified part stands last. Plans are found that
# are none, and the order of lines in the file decides. unified-planning's simulator has all of it right.
#
# Guess before: both by the book. Seen:
#                                                          tarski                  unified-planning
#   lamp on, pressed (when on: off; when off: on)          on                      off
#   clean it; when clean: done                             done                    not done
#   at b; for all places: not at it (in either order)      at b first: nowhere     at b
#                                                          at b last: at b
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 networkx==3.6.1 tarski==0.9.1 unified-planning==1.3.0
v/bin/python - <<'PY'
from tarski.io import PDDLReader as TarskiReader
from tarski.search.operations import progress
from tarski.syntax.transform.action_grounding import ground_schema_into_plain_operator_from_grounding as ground
from unified_planning.io import PDDLReader
from unified_planning.shortcuts import SequentialSimulator, get_environment

get_environment().credits_stream = None
DOMAIN = """(define (domain home) (:requirements :adl :typing) (:types place lamp) (:predicates (at ?p - place) (on ?l - lamp) (clean) (done))
 (:action act :parameters (?l - lamp ?to - place) :precondition (and) :effect (and {})))"""
PROBLEM = """(define (problem one) (:domain home) (:objects l - lamp a b - place) (:init (at a) (on l)) (:goal (and (done))))"""


def after(effects):
    """What is true in both libraries after one action with these effects."""
    with open("domain.pddl", "w") as domain, open("problem.pddl", "w") as problem:
        domain.write(DOMAIN.format(effects))
        problem.write(PROBLEM)
    reader = TarskiReader(raise_on_error=True)
    reader.parse_domain("domain.pddl")
    one = reader.parse_instance("problem.pddl")
    state = progress(one.init, ground(one.get_action("act"), ["l", "b"]))
    tarski = {str(atom).replace("()", "") for atom in state.as_atoms()}
    other = PDDLReader().parse_problem("domain.pddl", "problem.pddl")
    with SequentialSimulator(other) as simulator:
        state = simulator.apply(simulator.get_initial_state(), other.action("act"), (other.object("l"), other.object("b")))
        values = {str(fluent): state.get_value(fluent) for fluent in other.initial_values}
    unified = {name for name, value in values.items() if value.is_true()}
    print(effects, "\n  tarski          ", sorted(tarski), "\n  unified-planning", sorted(unified))
    return tarski, unified


toggle = ("(when (on ?l) (not (on ?l)))", "(when (not (on ?l)) (on ?l))")
for first, second in (toggle, toggle[::-1]):
    there, expected = after(f"{first} {second}")
    assert "on(l)" in there and "on(l)" not in expected
there, expected = after("(clean) (when (clean) (done))")
assert "done" in there and "done" not in expected
there, expected = after("(when (clean) (done)) (clean)")
assert "done" not in there and "done" not in expected
leave, arrive = "(forall (?p - place) (not (at ?p)))", "(at ?to)"
there, expected = after(f"{leave} {arrive}")
assert "at(b)" in there and "at(b)" in expected and "at(a)" not in there
there, expected = after(f"{arrive} {leave}")
assert "at(b)" not in there and "at(b)" in expected
PY
