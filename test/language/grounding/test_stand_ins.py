"""What stands in for what a house lacks, what does not help to tell things apart, and what happens on the way."""

import pytest
from frames_of import IT, a, by, from_, into, lines, on, the
from row_of_tables import VOCABULARY, goal_of, room, table

from dadu.goals.goal import Description
from dadu.goals.stand_in import stand_ins
from dadu.language.frames.frame import ChangeFrame, MoveFrame, SequenceFrame
from dadu.language.frames.noun import NounPhrase
from dadu.language.refusal import Refusal
from dadu.world.graph import Kind, Surface, WorldGraph


def test_people_take_a_pan_for_a_pot_and_no_apple():
    graph = room(("pan_0", "table_0"), ("apple_0", "table_0"))
    pot = Description("a pot", Kind.OBJECT, ("pot",))
    assert [e.id for e in stand_ins(pot, graph, VOCABULARY)] == ["pan_0"]
    assert stand_ins(Description("a pear", Kind.OBJECT, ("pear",)), graph, VOCABULARY) == []


def test_a_colour_that_nobody_knows_excludes_nothing():
    graph = room(("bowl_0", "table_0"))
    silver = Description("a silver bowl", Kind.OBJECT, ("bowl",), ("silver",))
    assert [e.id for e in stand_ins(silver, graph, VOCABULARY)] == ["bowl_0"]
    graph["bowl_0"].attributes["color"] = "red"
    assert stand_ins(silver, graph, VOCABULARY) == []


def test_a_counter_stands_in_for_a_table_and_that_is_told():
    graph = room(("mug_0", "bench_0"), furniture=("bench_0", "table_0"))
    goal = goal_of(graph, MoveFrame((the("mug"),), (on(the("counter")),)))
    assert lines(goal) == ["is_on_top mug_0 table_0"] and goal.substitutions == ("counter -> table_0",)


def test_where_nobody_knows_of_a_toaster_it_does_not_help():
    graph = room(("mug_0", "table_0"))
    goal = goal_of(graph, MoveFrame((the("mug", places=(by(the("toaster")),)),), (on(the("table_1")),)))
    assert lines(goal) == ["is_on_top mug_0 table_1"]
    assert any("toaster" in note for note in goal.notes)


def test_from_the_floor_does_not_help():
    graph = room(("mug_0", "table_0"))
    goal = goal_of(graph, MoveFrame((the("mug"),), (on(the("table_1")),), from_(the("floor"))))
    assert lines(goal) == ["is_on_top mug_0 table_1"] and any("floor" in note for note in goal.notes)


def with_fridge(*things):
    graph = room(*things)
    inside = Surface("inside", (6.0, 0.0, 0.0), 0.7, (0.6, 0.8), 0.5, inside=True)
    fridge = table("fridge_0", 6.0, "fridge")
    return WorldGraph([*graph, type(fridge)(**{**vars(fridge), "surfaces": (inside,)})], graph.edges)


def test_into_the_fridge_and_out_again_is_cooled():
    graph = with_fridge(("mug_0", "table_0"))
    goal = goal_of(graph, SequenceFrame(((MoveFrame((the("mug"),), (into(the("fridge")),)),),
                                         (MoveFrame((IT,), (on(the("table_1")),)),))))
    assert "is_cold mug_0" in lines(goal) and any("is_cold" in note for note in goal.notes)


def test_a_wet_cloth_is_rinsed_and_the_wet_cloth_is_wet_already():
    graph = room(("cloth_0", "table_0"))
    to = (on(the("table_1")),)
    assert "is_clean cloth_0" in lines(goal_of(graph, MoveFrame((a("cloth", "wet"),), to)))
    assert lines(goal_of(graph, MoveFrame((the("cloth", "wet"),), to))) == ["is_on_top cloth_0 table_1"]


def test_what_nobody_takes_for_it_is_refused():
    with pytest.raises(Refusal):
        goal_of(room(("apple_0", "table_0")), MoveFrame((the("pear"),), (on(the("table_1")),)))
    with pytest.raises(Refusal):
        goal_of(room(), ChangeFrame((the("pear"),), "clean"))


def test_a_place_that_the_house_lacks_is_not_what_tells_a_thing_apart():
    graph = room(("cup_0", "table_0"))
    shelf = on(the("shelf", places=(into(the("hall")),)))
    with pytest.raises(Refusal, match="shelf"):
        goal_of(graph, MoveFrame((the("cup"),), (shelf,)))


def test_what_is_offered_in_its_place_is_taken_where_there_is_none():
    pear = NounPhrase("pear", determiner="indefinite", text="a pear", alternatives=(a("apple"),))
    goal = goal_of(room(("apple_0", "table_0")), MoveFrame((pear,), (on(the("table_1")),)))
    assert lines(goal) == ["is_on_top apple_0 table_1"]


def test_cups_hold_small_things_and_eggs_soap_and_knives_can_be_washed():
    assert all(VOCABULARY.has_affordance(category, "place_in") for category in ("cup", "mug", "glass", "bowl"))
    assert all(VOCABULARY.has_affordance(category, "clean") for category in ("egg", "soap", "knife", "butter_knife"))
