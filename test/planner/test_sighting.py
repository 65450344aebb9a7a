"""A search ends when what is looked for has been seen, and no sooner."""

from dataclasses import replace

import pytest
from symbolic_world import SymbolicWorld

from dadu.goals.goal import Description
from dadu.planner.loop.loop import ClosedLoop
from dadu.planner.policies.make import make_planner
from dadu.planner.report import TaskReport
from dadu.planner.search_target import SearchTarget
from dadu.planner.settings import LoopSettings
from dadu.planner.situation import Situation
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, Detail, SkillResult
from dadu.world.graph import Edge, Entity, Kind, Relation, WorldGraph

RED_APPLE = Description("the red apple", Kind.OBJECT, ("apple",), ("red",))


def apple(id, color="red", stamp=5.0, provenance="detection"):
    return Entity(id, Kind.OBJECT, "apple", attributes={"color": color}, stamp=stamp, provenance=provenance)


def test_what_was_known_before_is_not_what_is_found():
    before = WorldGraph([apple("apple_0")])
    sought = SearchTarget.from_description(RED_APPLE, "", before, 1, 0.0)
    assert sought.found(before) == ()
    after = before.copy()
    after.put(apple("apple_1", "green"))
    assert sought.found(after) == ()
    after.put(apple("apple_2"))
    assert sought.found(after) == ("apple_2",)


def test_whoever_asks_for_two_goes_on_after_the_first():
    graph = WorldGraph([])
    sought = SearchTarget.from_description(RED_APPLE, "", graph, 2, 0.0)
    graph.put(apple("apple_0"))
    assert sought.found(graph) == ()
    graph.put(apple("apple_1"))
    assert sought.found(graph) == ("apple_0", "apple_1")


def test_a_lost_thing_is_found_once_it_is_seen_after_it_was_lost():
    graph = WorldGraph([apple("apple_0", stamp=5.0)])
    sought = SearchTarget.from_description(None, "apple_0", graph, 1, since=8.0)
    assert sought.found(graph) == ()
    graph.change("apple_0", stamp=8.0)
    assert sought.found(graph) == ()
    graph.change("apple_0", stamp=8.5)
    assert sought.found(graph) == ("apple_0",)
    graph.change("apple_0", stamp=9.0, provenance="skill")  # a skill's outcome is no sighting
    assert sought.found(graph) == ()


def test_what_was_only_heard_of_is_not_found():
    graph = WorldGraph([])
    sought = SearchTarget.from_description(RED_APPLE, "", graph, 1, 0.0)
    graph.put(apple("apple_0", provenance="operator"))
    assert sought.found(graph) == ()


@pytest.fixture
def lost_lemon(known):
    """The lemon is on the sofa, memory knows rooms and furniture alone."""
    truth = known.copy()
    truth.set_support("lemon_0", Edge("lemon_0", Relation.ON, "sofa_0"))
    return truth


def search(truth, layout, settings=None):
    """The loop at its first exploration, and the world that it looks at."""
    world = SymbolicWorld(truth, layout.copy())
    loop = ClosedLoop("put the lemon on the desk", make_planner(), world, settings)
    turn = loop.turns()
    call = turn(None)
    while call.skill != "explore":
        call = turn(world.execute(call))
    return world, loop, turn, call


def see(world, id):
    world.clock += 1.0
    world.memory.put(replace(world.truth[id], stamp=world.clock, provenance="detection"))
    world.memory.set_support(id, world.truth.support(id))


def test_the_search_ends_when_the_thing_is_seen_and_the_plan_goes_on(lost_lemon, layout):
    world, loop, turn, call = search(lost_lemon, layout)
    see(world, "apple_0")
    assert loop.found() is None
    see(world, "lemon_0")
    ended = loop.found()
    assert (ended.code, ended.detail, ended.target) == (Code.SUCCEEDED, Detail.SEEN, call.arguments[0])
    assert turn(ended) == SkillCall("go_to", ("lemon_0",))
    assert loop.found() is None, "a drive to what is known looks for nothing"


def test_a_sighting_has_to_last(lost_lemon, layout):
    world, loop, _, _ = search(lost_lemon, layout)
    see(world, "lemon_0")
    assert loop.found(0.4) is None
    world.memory.remove("lemon_0")
    world.clock += 1.0
    assert loop.found(0.4) is None
    see(world, "lemon_0")
    assert loop.found(0.4) is None, "seen anew"
    world.clock += 0.5
    assert loop.found(0.4) is not None


def test_a_room_that_was_not_seen_to_the_end_may_hold_other_things():
    situation, explore = Situation(), SkillCall("explore", ("kitchen",))
    situation.take(explore, "", SkillResult(Code.SUCCEEDED, "", Detail.SEEN, "kitchen"))
    assert "kitchen" not in situation.looked
    situation.take(explore, "", SkillResult(Code.SUCCEEDED, "", target="kitchen"))
    assert "kitchen" in situation.looked


def test_the_same_search_again_runs_to_its_end(lost_lemon, layout):
    world, loop, turn, call = search(lost_lemon, layout)
    see(world, "lemon_0")
    ended = loop.found()
    world.memory.remove("lemon_0")  # it was none
    assert turn(ended) == call
    see(world, "lemon_0")
    assert loop.found() is None


def test_without_feedback_a_search_is_not_cut_short(lost_lemon, layout):
    world, loop, _, _ = search(lost_lemon, layout, LoopSettings(feedback=False))
    see(world, "lemon_0")
    assert loop.found() is None


def test_who_wants_the_biggest_sees_them_all(known, layout):
    world = SymbolicWorld(known, layout.copy())
    loop = ClosedLoop("put the biggest bowl on the desk", make_planner(), world)
    turn = loop.turns()
    call = turn(None)
    assert not isinstance(call, TaskReport) and call.skill in ("explore", "go_to")
    for thing in known.of(Kind.OBJECT):
        see(world, thing.id)
    assert loop.found() is None


@pytest.fixture
def unknown_home(known, layout):
    """Nothing is known but the house; the loop looks around, since neither of the two pieces was seen."""
    memory = WorldGraph(e for e in layout if e.kind not in (Kind.ROOM, Kind.FURNITURE))
    world = SymbolicWorld(known, memory)
    loop = ClosedLoop("move the lemon from the dining table to the sofa", make_planner(), world)
    turn = loop.turns()
    return world, loop, turn, turn(None)


def test_looking_around_ends_when_all_the_furniture_that_the_words_name_is_seen(unknown_home):
    world, loop, turn, call = unknown_home
    assert call == SkillCall("explore", ("unknown",))
    see(world, "sofa_0")
    assert loop.found() is None
    see(world, "dining_table_0")
    ended = loop.found()
    assert (ended.code, ended.detail, ended.target) == (Code.SUCCEEDED, Detail.SEEN, "unknown")
    assert turn(ended) == SkillCall("go_to", ("dining_table_0",))


def test_looking_around_for_the_thing_ends_too_where_looking_around_for_its_place_did(unknown_home):
    world, loop, turn, _ = unknown_home
    see(world, "sofa_0")
    see(world, "dining_table_0")
    call = turn(loop.found())
    while call != SkillCall("explore", ("unknown",)):
        call = turn(SkillResult(Code.SUCCEEDED, "arrived"))
    see(world, "lemon_0")
    assert loop.found() is not None


def test_looking_around_again_for_furniture_that_was_none_runs_to_its_end(unknown_home):
    world, loop, turn, call = unknown_home
    see(world, "sofa_0")
    see(world, "dining_table_0")
    ended = loop.found()
    world.memory.remove("sofa_0")
    world.memory.remove("dining_table_0")
    assert turn(ended) == call
    see(world, "sofa_0")
    see(world, "dining_table_0")
    assert loop.found() is None
