"""A thing that is where the words say, under another name of which nobody is certain."""

from dataclasses import replace

import pytest
from symbolic_world import SymbolicWorld, run

from dadu.goals.stand_in import doubted
from dadu.planner.loop.loop import ClosedLoop
from dadu.planner.policies.make import make_planner
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, Detail, SkillResult
from dadu.world.graph import Edge, Kind, Relation


def picked(known, layout, confidence, at="dining_table_0", said="dining_table_0"):
    """What is picked for a lemon from the dining table, or `said`, where there is no lemon and an apple of which nobody
    is so certain."""
    truth = known.copy()
    for thing in truth.of(Kind.OBJECT):
        truth.remove(thing.id) if thing.id != "apple_0" else None
    truth.put(replace(truth["apple_0"], provenance="detection", confidence=confidence, stamp=1.0))
    truth.set_support("apple_0", Edge("apple_0", Relation.ON, at))
    world = SymbolicWorld(truth, layout.copy())
    place = truth[said].category.replace("_", " ")
    turn = ClosedLoop(f"move the lemon from the {place} to the sofa", make_planner(), world).turns()
    call = turn(None)
    while isinstance(call, SkillCall):
        call = turn(world.execute(call))
    return [c.arguments[0] for c in world.calls if c.skill == "pick"], call, world.calls


def test_it_is_taken_once_its_place_was_looked_at(known, layout):
    things, report, calls = picked(known, layout, confidence=0.75)
    assert things == ["apple_0"]
    assert report.outcome.code is Code.UNCERTAIN
    assert "apple_0 was taken for it by where it was" in report.outcome.message
    assert calls[0] == SkillCall("go_to", ("dining_table_0",)) and not [c for c in calls if c.skill == "explore"]


def test_where_it_may_be_inside_that_is_looked_at_first(known, layout):
    things, report, calls = picked(known, layout, 0.5, "nightstand_0", "nightstand_0")
    assert things == ["apple_0"] and report.outcome.code is Code.UNCERTAIN
    assert [c.skill for c in calls[:2]] == ["go_to", "open"]


@pytest.mark.parametrize(("confidence", "at"), [(0.9, "dining_table_0"), (0.5, "desk_0")])
def test_what_is_certainly_something_else_or_elsewhere_is_left_alone(known, layout, confidence, at):
    things, report, _ = picked(known, layout, confidence, at)
    assert things == [] and not report.success


def test_what_some_views_have_called_so_comes_first(known):
    graph = known.copy()
    for id, confidence, may_be in (("apple_0", 0.9, {"lemon": 0.1}), ("cup_0", 0.5, {}), ("milk_0", 0.95, {})):
        graph.put(replace(graph[id], provenance="detection", confidence=confidence, may_be=may_be))
        graph.set_support(id, Edge(id, Relation.ON, "dining_table_0"))
    assert [e.id for e in doubted(["dining_table_0"], graph, ["lemon"])] == ["apple_0", "cup_0"]


def test_of_those_there_the_one_of_its_size_comes_first_and_none_of_quite_another(known):
    graph = known.copy()
    for id, size in (("apple_0", (0.1, 0.1, 0.1)), ("cup_0", (0.19, 0.18, 0.04)), ("milk_0", (0.02, 0.02, 0.3))):
        graph.put(replace(graph[id], provenance="detection", confidence=0.5, size=size))
        graph.set_support(id, Edge(id, Relation.ON, "dining_table_0"))
    assert [e.id for e in doubted(["dining_table_0"], graph, ["dish"])] == ["cup_0", "apple_0"]


@pytest.mark.parametrize(("confidence", "size"), [(0.6, (0.12, 0.09, 0.1)), (0.9, (0.1, 0.1, 0.3))])
def test_before_what_a_more_general_word_may_mean_is_taken_its_place_is_looked_at(known, layout, confidence, size):
    truth = known.copy()
    for thing in truth.of(Kind.OBJECT):
        truth.remove(thing.id) if thing.id not in ("mug_0", "apple_0") else None
    for id, sure, extents in (("mug_0", confidence, size), ("apple_0", 0.6, (0.19, 0.18, 0.045))):
        truth.put(replace(truth[id], provenance="detection", confidence=sure, stamp=1.0, size=extents))
        truth.set_support(id, Edge(id, Relation.ON, "dining_table_0"))
    seen = layout.copy()
    for id in ("mug_0", "apple_0"):
        seen.put(truth[id])
        seen.set_support(id, truth.support(id))
    world = SymbolicWorld(truth, seen)
    report = run(ClosedLoop("move the dish from the dining table to the sofa", make_planner(), world), world)
    assert world.calls[0] == SkillCall("go_to", ("dining_table_0",))
    assert [c.arguments[0] for c in world.calls if c.skill == "pick"] == ["apple_0"]
    assert report.outcome.code is Code.UNCERTAIN


@pytest.mark.parametrize(("confidence", "code"), [(0.9, Code.SUCCEEDED), (0.6, Code.UNCERTAIN)])
@pytest.mark.parametrize("seen_before", [True, False])
def test_what_is_called_so_by_a_more_general_word_may_be_something_else(known, layout, confidence, code, seen_before):
    truth = known.copy()
    for thing in truth.of(Kind.OBJECT):
        truth.remove(thing.id) if thing.id != "mug_0" else None
    truth.put(replace(truth["mug_0"], provenance="detection", confidence=confidence, stamp=1.0))
    world = SymbolicWorld(truth, truth.copy() if seen_before else layout.copy())
    report = run(ClosedLoop("put the dish on the sofa", make_planner(), world), world)
    assert report.outcome.code is code
    assert ("mug_0 was taken for it, and may be something else" in report.outcome.message) == (code is Code.UNCERTAIN)


@pytest.mark.parametrize(("skill", "failure"), [
    ("go_to", SkillResult(Code.TOO_FAR, "there is no free place to stand")),
    ("pick", SkillResult(Code.UNKNOWN_TARGET, "not seen there", Detail.NOT_THERE))])
def test_what_cannot_be_had_was_perhaps_another_one_of_those_there(known, layout, skill, failure):
    truth = known.copy()
    for id, confidence in (("apple_0", 0.5), ("cup_0", 0.6)):
        truth.put(replace(truth[id], provenance="detection", confidence=confidence, stamp=1.0))
        truth.set_support(id, Edge(id, Relation.ON, "dining_table_0"))
    for thing in truth.of(Kind.OBJECT):
        truth.remove(thing.id) if thing.id not in ("apple_0", "cup_0") else None
    world = SymbolicWorld(truth, layout.copy(),
                          lambda call, count: failure if call == SkillCall(skill, ("apple_0",)) else None)
    report = run(ClosedLoop("move the lemon from the dining table to the sofa", make_planner(), world), world)
    assert [c.arguments[0] for c in world.calls if c.skill == "pick"][-1] == "cup_0"
    assert report.outcome.code is Code.UNCERTAIN and "cup_0 was taken for it by where it was" in report.outcome.message
    assert "apple_0 was taken for it" not in report.outcome.message


@pytest.mark.parametrize(("provenance", "code"), [("prior", Code.SUCCEEDED), ("detection", Code.UNCERTAIN)])
@pytest.mark.parametrize(("said", "stands_there"), [("loveseat", "sofa"), ("stool", "ottoman")])
def test_a_piece_in_the_place_of_one_that_eyes_did_not_find_is_no_certain_success(known, provenance, code, said,
                                                                                  stands_there):
    graph = known.copy()
    for piece in graph.of(Kind.FURNITURE):
        graph.put(replace(piece, provenance=provenance))
    graph.change("sofa_0", category=stands_there)
    world = SymbolicWorld(graph, graph.copy())
    report = run(ClosedLoop(f"put the apple on the {said}", make_planner(), world), world)
    assert report.outcome.code is code and "taken instead" in report.outcome.message


@pytest.mark.parametrize("said", ["couch", "table", "kitchen counter"])
def test_a_piece_that_is_called_so_too_is_one(known, said):
    graph = known.copy()
    for piece in graph.of(Kind.FURNITURE):
        graph.put(replace(piece, provenance="detection"))
    world = SymbolicWorld(graph, graph.copy())
    assert run(ClosedLoop(f"put the apple on the {said}", make_planner(), world), world).outcome.code is Code.SUCCEEDED


@pytest.mark.parametrize(("share", "code"), [(0.3, Code.UNCERTAIN), (0.1, Code.EXECUTION_FAILED)])
def test_what_turns_out_to_look_like_something_else_is_doubted_or_no_longer_meant(known, share, code):
    truth = known.copy()
    truth.change("lemon_0", provenance="detection", confidence=0.9, stamp=1.0)
    world = SymbolicWorld(truth, truth.copy())
    turn = ClosedLoop("put the lemon on the sofa", make_planner(), world).turns()
    call = turn(None)
    while isinstance(call, SkillCall):
        result = world.execute(call)
        if call == SkillCall("pick", ("lemon_0",)):  # from nearby
            for graph in (world.truth, world.memory):
                graph.change("lemon_0", category="orange", confidence=0.7, may_be={"lemon": share})
        call = turn(result)
    assert call.outcome.code is code
    assert ("lemon_0 looks more like orange by now" in call.outcome.message) == (code is Code.UNCERTAIN)
