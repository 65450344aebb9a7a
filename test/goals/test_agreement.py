"""What the robot believes agrees with the truth: every predicate, judged over both, in random worlds."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st
from random_worlds import half_known_worlds, known_worlds
from tiers import examples

from dadu.goals.belief import holds
from dadu.goals.findings import finding
from dadu.goals.goal import Proposition, Term
from dadu.goals.predicates.belief_view import BeliefView
from dadu.goals.predicates.predicate import Family
from dadu.goals.predicates.table import PREDICATES
from dadu.goals.predicates.truth_view import TruthView
from dadu.goals.suite_goal import SuiteGoal, parse_goal
from dadu.world.graph import Kind


def questions(world):
    """Every predicate with all that it could be asked of."""
    names = sorted(world.names)
    for predicate in PREDICATES.values():
        for arguments in product(names, repeat=2 if predicate.lists else predicate.arity):
            yield predicate, arguments


@examples(15)  # of each some thousand questions
@given(known_worlds())
def test_who_knows_everything_believes_what_is_true(known):
    world, graph = known
    belief, truth = BeliefView(graph), TruthView(world)
    for predicate, arguments in questions(world):
        believed, true = predicate.answer(belief, *arguments), predicate.answer(truth, *arguments)
        if predicate.family is Family.PART and not truth.parts(arguments[0]):
            assert believed in (None, False) and true is False  # there may be a door that nobody knows of
        else:
            assert believed is true, (predicate.name, arguments)


@examples(15)
@given(half_known_worlds())
def test_who_knows_little_believes_nothing_that_is_false(known):
    world, graph = known
    belief, truth = BeliefView(graph), TruthView(world)
    for predicate, arguments in questions(world):
        believed, true = predicate.answer(belief, *arguments), predicate.answer(truth, *arguments)
        assert believed in (None, true), (predicate.name, arguments)
        assert true is not None


@examples(30)
@given(half_known_worlds(), st.data())
def test_opposites_are_never_both_true(known, data):
    world, graph = known
    things = [e.id for e in graph if e.kind in (Kind.OBJECT, Kind.FURNITURE)]
    for id in things:  # whatever nonsense is said of them
        said = data.draw(st.dictionaries(st.sampled_from(sorted(PREDICATES)), st.booleans()))
        graph.change(id, states=said)
        body = world.state.bodies.get(id)
        if body is not None:
            body.states.clear()
            body.states.update(said)
    for view in (BeliefView(graph), TruthView(world)):
        for predicate in (p for p in PREDICATES.values() if p.opposite):
            for id in things:
                both = predicate.answer(view, id), PREDICATES[predicate.opposite].answer(view, id)
                assert both != (True, True), (predicate.name, id)


@examples(30)
@given(known_worlds(), st.data())
def test_a_goal_of_the_planner_holds_when_the_same_goal_of_a_suite_does(known, data):
    """Numbers, the same target, clusters: counted alike."""
    world, graph = known
    objects = sorted(world.state.bodies)
    predicate = data.draw(st.sampled_from([p for p in PREDICATES.values() if not p.presumed]))
    subjects = data.draw(st.lists(st.sampled_from(objects), min_size=1, max_size=5, unique=True))
    targets = data.draw(st.lists(st.sampled_from(sorted(e.id for e in graph)), min_size=1, max_size=3, unique=True))
    number = data.draw(st.integers(1, len(subjects)))
    same = predicate.arity > 1 and data.draw(st.booleans())
    if predicate.lists and number == 1:
        return  # one thing hangs together with itself; nobody asks for that
    arguments = [subjects, targets][:predicate.arity]
    goal = parse_goal({"propositions": [{predicate.name: arguments, "number": number, "same_target": same}]}, "test")
    assert isinstance(goal, SuiteGoal)
    judged = finding(TruthView(world), goal.propositions[0]).holds
    target = Term("target", tuple(targets)) if predicate.arity > 1 else None
    p = Proposition(predicate.name, Term("subject", tuple(subjects)), target, number, same_target=same)
    believed = holds(p, graph)
    assert believed is judged
