"""Plans of goal regression against those of a PDDL planner: both reach the goal, and regression takes few steps more.

Needs the optional extra ``pddl`` (unified-planning and pyperplan, GPL-3).
"""

import random

import pytest

from dadu.goals.progress import Progress
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.planner.regression.lookahead import plan
from dadu.planner.situation import Situation
from dadu.world.graph import Kind, Relation

from .test_regression import goal_for, shuffled

pytestmark = pytest.mark.needs("pddl")


def problem(graph, goal):
    """The same world and goal as a classical planning problem: things, places with or without doors, one hand."""
    from unified_planning.shortcuts import BoolType, Fluent, InstantaneousAction, Object, Problem, UserType

    thing, place = UserType("thing"), UserType("place")
    near, opened, shut, doored = (Fluent(n, BoolType(), at=place) for n in ("near", "opened", "shut", "doored"))
    on, inside = (Fluent(n, BoolType(), what=thing, at=place) for n in ("on", "inside"))
    held, empty = Fluent("held", BoolType(), what=thing), Fluent("empty", BoolType())
    task = Problem("household")
    for fluent in (near, opened, shut, doored, on, inside, held, empty):
        task.add_fluent(fluent, default_initial_value=False)

    def action(name, conditions, effects, **parameters):
        act = InstantaneousAction(name, **parameters)
        arguments = {p: act.parameter(p) for p in parameters}
        for condition in conditions(**arguments):
            act.add_precondition(condition)
        for fluent, value in effects(**arguments):
            act.add_effect(fluent, value)
        task.add_action(act)
    task.add_action(_drive(near, place))
    action("open", lambda at: [near(at), doored(at), empty()], lambda at: [(opened(at), True), (shut(at), False)],
           at=place)
    action("close", lambda at: [near(at), doored(at), empty()], lambda at: [(opened(at), False), (shut(at), True)],
           at=place)
    action("pick_on", lambda what, at: [near(at), on(what, at), empty()],
           lambda what, at: [(on(what, at), False), (held(what), True), (empty(), False)], what=thing, at=place)
    action("pick_in", lambda what, at: [near(at), inside(what, at), opened(at), empty()],
           lambda what, at: [(inside(what, at), False), (held(what), True), (empty(), False)], what=thing, at=place)
    action("place_on", lambda what, at: [near(at), held(what)],
           lambda what, at: [(held(what), False), (on(what, at), True), (empty(), True)], what=thing, at=place)
    action("place_in", lambda what, at: [near(at), held(what), opened(at)],
           lambda what, at: [(held(what), False), (inside(what, at), True), (empty(), True)], what=thing, at=place)

    objects = {e.id: Object(e.id, thing if e.kind is Kind.OBJECT else place) for e in graph
               if e.kind in (Kind.OBJECT, Kind.FURNITURE)}
    objects["start"] = Object("start", place)
    task.add_objects(objects.values())
    _begin(task, graph, objects, near, opened, shut, doored, on, inside, held, empty)
    for p in goal.propositions:
        subject = objects[p.subject.ids[0]]
        if p.predicate in ("is_on_top", "is_inside"):
            fluent = on if p.predicate == "is_on_top" else inside
            task.add_goal(fluent(subject, objects[p.object.ids[0]]))
        else:
            task.add_goal((opened if p.predicate == "is_open" else shut)(subject))
    return task


def _drive(near, place):
    from unified_planning.shortcuts import InstantaneousAction

    act = InstantaneousAction("go_to", start=place, end=place)
    act.add_precondition(near(act.parameter("start")))
    act.add_effect(near(act.parameter("start")), False)
    act.add_effect(near(act.parameter("end")), True)
    return act


def _begin(task, graph, objects, near, opened, shut, doored, on, inside, held, empty):
    task.set_initial_value(near(objects["start"]), True)
    task.set_initial_value(empty(), graph.held() is None)
    for piece in graph.of(Kind.FURNITURE):
        task.set_initial_value(doored(objects[piece.id]), piece.is_container)
        task.set_initial_value(opened(objects[piece.id]), not piece.closed)
        task.set_initial_value(shut(objects[piece.id]), piece.closed)
    for entity in graph.of(Kind.OBJECT):
        edge = graph.support(entity.id)
        if edge.relation is Relation.HELD_BY:
            task.set_initial_value(held(objects[entity.id]), True)
        else:
            fluent = on if edge.relation is Relation.ON else inside
            task.set_initial_value(fluent(objects[entity.id], objects[edge.object]), True)


@pytest.mark.parametrize("seed", range(4))
def test_regression_plans_as_well_as_a_pddl_planner(known, seed):
    from unified_planning.shortcuts import OneshotPlanner, get_environment

    get_environment().credits_stream = None
    rng = random.Random(seed)
    truth = shuffled(known, rng)
    goal = goal_for(truth, rng)
    goal = type(goal)(goal.propositions)  # PDDL knows no order
    with OneshotPlanner(name="pyperplan") as planner:
        found = planner.solve(problem(truth, goal))
    ours = plan(Progress(goal), truth, Situation(), default_vocabulary())
    assert ours[-1].call.skill == "done"
    theirs = len(found.plan.actions)
    # A go_to of ours stands before each skill, also where the robot is there already.
    skills = sum(c.call.skill not in ("go_to", "done") for c in ours)
    reference = sum(a.action.name != "go_to" for a in found.plan.actions)
    assert reference <= theirs and skills <= 1.5 * reference + 2
