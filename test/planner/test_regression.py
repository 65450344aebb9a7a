"""Goal regression reaches every goal that can be reached: random worlds, random goals, skills that fail at times."""

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from symbolic_world import SymbolicWorld, run
from tiers import examples

from dadu.goals.belief import holds
from dadu.goals.goal import Description, Goal, Proposition, Term
from dadu.goals.progress import Progress
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.planner.loop.loop import ClosedLoop
from dadu.planner.policies.policy import TaskPlanner, Turn
from dadu.planner.policies.symbolic import SymbolicPolicy
from dadu.planner.regression.lookahead import plan
from dadu.planner.report import replans
from dadu.planner.settings import LoopSettings
from dadu.planner.situation import Situation
from dadu.skills.call import SkillCall
from dadu.skills.effects import apply
from dadu.skills.outcome import Code, SkillResult
from dadu.world.graph import Edge, Kind, Relation


def places(graph):
    """Every (relation, furniture) where things can be."""
    return [(relation, e.id) for e in graph.of(Kind.FURNITURE) for relation, inside in
            ((Relation.ON, False), (Relation.IN, True)) if any(s.inside is inside for s in e.surfaces)]


def shuffled(graph, rng):
    """Objects anywhere, containers open or closed, at times something in the hand."""
    graph = graph.copy()
    for thing in graph.of(Kind.OBJECT):
        relation, id = rng.choice(places(graph))
        graph.set_support(thing.id, Edge(thing.id, relation, id))
    for piece in graph.of(Kind.FURNITURE):
        if piece.is_container and rng.random() < 0.4:
            graph = apply(graph, SkillCall("open", (piece.id,)))
    if rng.random() < 0.3:
        graph = apply(graph, SkillCall("pick", (rng.choice(graph.of(Kind.OBJECT)).id,)))
    return graph


def goal_for(graph, rng):
    """One to four different things to different places, perhaps a container to be closed, perhaps in order."""
    things = rng.sample([e.id for e in graph.of(Kind.OBJECT)], rng.randint(1, 4))
    propositions = []
    for id in things:
        relation, target = rng.choice(places(graph))
        description = Description(id, Kind.OBJECT, (), ids=(id,))
        predicate = "is_on_top" if relation is Relation.ON else "is_inside"
        propositions.append(Proposition(predicate, Term(id, (id,) if id in graph else (), description),
                                        Term(target, (target,))))
    if rng.random() < 0.5:
        container = rng.choice([e.id for e in graph.of(Kind.FURNITURE) if e.is_container])
        propositions.append(Proposition(rng.choice(["is_closed", "is_open"]), Term(container, (container,))))
    order = tuple((i, i + 1) for i in range(len(propositions) - 1)) if rng.random() < 0.3 else ()
    return Goal(tuple(propositions), order)


class Given:
    """An interpreter that knows the goal without any words."""

    name = "given"

    def __init__(self, goal):
        self.goal = goal

    def read(self, instruction, context):
        return self.goal


def pursue(goal, world, max_steps):
    planner = TaskPlanner(SymbolicPolicy(), Given(goal))
    return run(ClosedLoop("", planner, world, LoopSettings(max_steps=max_steps)), world)


@examples(25)
@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.15]))
def test_every_goal_is_reached_without_a_forbidden_step(known, seed, failing):
    rng = random.Random(seed)
    truth = shuffled(known, rng)
    failures = {}

    def fail(call, count):
        # At most twice in a row, so that no way is ruled out for good.
        if call.skill != "wait" and failures.get(call, 0) < 2 and rng.random() < failing:
            failures[call] = failures.get(call, 0) + 1
            return SkillResult(Code.EXECUTION_FAILED, "no luck")
    world = SymbolicWorld(truth, truth.copy(), fail)
    goal = goal_for(truth, rng)
    report = pursue(goal, world, 150)
    assert report.success, report.summary
    assert {s.result.code for s in report.steps} <= {Code.SUCCEEDED, Code.EXECUTION_FAILED}
    lasting = [p for i, p in enumerate(goal.propositions) if i not in goal.transient()]
    assert all(holds(p, world.truth) for p in lasting)


@examples(25)
@given(st.integers(0, 10**6))
def test_unseen_things_are_found(known, layout, seed):
    rng = random.Random(seed)
    truth = shuffled(known, rng)
    held = truth.held()
    if held is not None:
        truth = apply(truth, SkillCall("place", ("on", "bed_0")))
    memory = layout.copy()
    for piece in truth.of(Kind.FURNITURE):
        memory.put(piece)
    world = SymbolicWorld(truth, memory)
    goal = goal_for(truth, rng).map_terms(
        lambda t: t if t.description is None else Term(t.key, (), t.description))
    report = pursue(goal, world, 200)
    assert report.success, report.summary


@examples(25)
@given(st.integers(0, 10**6))
def test_the_plan_shown_is_the_plan_carried_out(known, seed):
    rng = random.Random(seed)
    truth = shuffled(known, rng)
    goal = goal_for(truth, rng)
    expected = plan(Progress(goal), truth, Situation(), default_vocabulary())
    world = SymbolicWorld(truth, truth.copy())
    report = pursue(goal, world, 150)
    planned = [s for s in report.steps if s.decision.policy != "making_sure"]
    assert [c.call for c in expected[:-1]] == [s.call for s in planned]
    assert expected[-1].call.skill == "done" and replans(planned) == 0


def test_a_step_costs_little(known):
    rng = random.Random(1)
    truth = shuffled(known, rng)
    progress = Progress(goal_for(truth, rng))
    turns = 0
    start = time.process_time()
    while time.process_time() - start < 0.2:
        SymbolicPolicy().choose(_turn(progress, truth))
        turns += 1
    assert turns > 5


def test_what_was_held_before_the_task_goes_elsewhere_where_it_does_not_fit(known):
    def full(call, count):
        if call.skill == "place" and call.arguments[1] == "coffee_table_0":
            return SkillResult(Code.EXECUTION_FAILED, "there is no free space on coffee_table_0", "no_space")
    holding = apply(apply(known, SkillCall("pick", ("ball_0",))), SkillCall("go_to", ("coffee_table_0",)))
    world = SymbolicWorld(holding.copy(), holding.copy(), full)
    goal = Goal((Proposition("is_on_top", Term("ball", ("ball_0",)),
                             Term("table", ("coffee_table_0", "dining_table_0"))),))
    report = pursue(goal, world, 20)
    assert report.success and world.truth.support("ball_0").object == "dining_table_0"


@pytest.mark.parametrize("substitutions, code", [((), Code.SUCCEEDED), (("coffee table -> table_0",), Code.UNCERTAIN)])
def test_who_has_done_nothing_is_not_certain_where_something_else_was_taken(known, substitutions, code):
    place = known.support("mug_0").object
    goal = Goal((Proposition("is_on_top", Term("mug", ("mug_0",)), Term("place", (place,))),),
                substitutions=substitutions)
    report = pursue(goal, SymbolicWorld(known.copy(), known.copy()), 5)
    assert report.outcome.code is code and not report.steps


def _turn(progress, graph):
    return Turn("", graph, progress, Situation(), ())


def test_what_a_thing_is_to_stand_beside_may_have_been_lost(known):
    """It is looked for, as anything else that memory has dropped."""
    thing, other = known.of(Kind.OBJECT)[:2]
    goal = Goal((Proposition("is_next_to", Term(thing.id, (thing.id,)), Term(other.id, (other.id,))),))
    memory = known.copy()
    memory.remove(other.id)
    step = SymbolicPolicy().choose(_turn(Progress(goal), memory))
    assert step.call.skill in ("explore", "go_to", "open") and not step.hopeless
