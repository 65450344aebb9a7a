"""What stands in for what a house lacks, what does not help to tell things apart, and what happens on the way."""

import pytest
from frames_of import IT, a, by, from_, into, lines, on, the
from row_of_tables import VOCABULARY, goal_of, room, table

from dadu.goals.goal import Description
from dadu.goals.progress import Progress
from dadu.goals.stand_in import stand_ins
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.knowledge.nouns import ground
from dadu.language.frames.frame import ChangeFrame, MoveFrame, SequenceFrame
from dadu.language.frames.noun import NounPhrase, PlacePhrase
from dadu.language.refusal import Refusal
from dadu.planner.regression.regression import Regression
from dadu.planner.situation import Situation
from dadu.skills.table import SKILLS
from dadu.world.graph import Edge, Kind, Relation, Surface, WorldGraph


def test_people_take_a_pan_for_a_pot_and_no_apple():
    graph = room(("pan_0", "table_0"), ("apple_0", "table_0"))
    pot = Description("a pot", Kind.OBJECT, ("pot",))
    assert [e.id for e in stand_ins(pot, graph, VOCABULARY)] == ["pan_0"]
    assert stand_ins(Description("a pear", Kind.OBJECT, ("pear",)), graph, VOCABULARY) == []


def test_a_hand_towel_in_the_bathroom_is_no_bath_towel_whether_or_not_one_may_be_found():
    graph = build_graph(load_house("small_flat"), "all")
    graph.remove("bath_towel_0")
    assert graph.room_of("hand_towel_0").id == "bathroom"
    frame = MoveFrame((the("towel", "bath"),), (on(the("sofa")),))
    subject = goal_of(graph, frame, complete=False).propositions[0].subject
    assert subject.ids == () and subject.description.categories == ("bath_towel",)  # it is looked for
    with pytest.raises(Refusal, match="bath towel"):
        goal_of(graph, frame)
    assert goal_of(graph, MoveFrame((the("towel"),), (on(the("sofa")),))).propositions[0].subject.ids == (
        "hand_towel_0",)


def test_what_shares_only_the_noun_of_a_name_never_stands_in_for_it():
    graph = room(("hand_towel_0", "table_0"), ("cloth_0", "table_0"))
    bath = Description("a bath towel", Kind.OBJECT, ("bath_towel",))
    assert [e.id for e in stand_ins(bath, graph, VOCABULARY)] == ["cloth_0"]
    assert [m.id for m in ground("bath towel", graph, vocabulary=VOCABULARY)] == []


def test_a_colour_that_nobody_knows_excludes_nothing():
    graph = room(("bowl_0", "table_0"))
    silver = Description("a silver bowl", Kind.OBJECT, ("bowl",), ("silver",))
    assert [e.id for e in stand_ins(silver, graph, VOCABULARY)] == ["bowl_0"]
    graph.change("bowl_0", attributes={"color": "red"})
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


def test_beside_furniture_on_other_furniture_says_which_piece():
    graph = room(("mug_0", "table_0"), furniture=("table_0", "sink_0", "counter_0"))
    frame = MoveFrame((the("mug"),), (by(the("sink", places=(on(the("counter")),))),))
    assert lines(goal_of(graph, frame)) == ["is_on_top mug_0 counter_0"]


def test_a_part_of_the_toilet_is_the_toilet_and_no_water_bottle():
    graph = room(("mug_0", "table_0"), ("water_bottle_0", "table_0"), furniture=("table_0", "toilet_0"))
    for name in ("toilet water tank", "toilet tank lid"):
        assert lines(goal_of(graph, MoveFrame((the("mug"),), (on(the(name)),)))) == ["is_on_top mug_0 toilet_0"]


def test_a_cabinet_that_is_called_safe_is_meant_where_there_is_no_other():
    def goal(*furniture):
        graph = room(("mug_0", "table_0"), furniture=("table_0", *furniture))
        graph.put(table("safe_0", 8.0, "cabinet"))
        return lines(goal_of(graph, MoveFrame((the("mug"),), (on(a("cabinet")),))))
    assert goal("cabinet_0") == ["is_on_top mug_0 cabinet_0"] and goal() == ["is_on_top mug_0 safe_0"]


def test_a_pan_that_nobody_has_seen_does_not_tell_the_only_table_apart():
    graph = room(("mug_0", "table_0"), furniture=("table_0", "fridge_0"))
    with_pan = PlacePhrase("with", (a("pan"),))
    with pytest.raises(Refusal, match="two sentences"):
        goal_of(graph, MoveFrame((the("mug"),), (on(the("fridge", places=(with_pan,))),)), complete=False)


def test_of_what_is_said_in_the_plural_one_more_is_looked_for_where_such_things_belong():
    graph = build_graph(load_house("small_flat"), "all")
    first, *others = [e.id for e in graph.of(Kind.OBJECT) if e.category == "apple"]
    for id in others:
        graph.remove(id)
    graph.set_support(first, Edge(first, Relation.ON, "coffee_table_0", "top"))
    frame = MoveFrame((NounPhrase("apple", plural=True, determiner="indefinite", text="apples"),),
                      (on(the("coffee table")),))
    situation = Situation(looked={room.id: 1 for room in graph.of(Kind.ROOM)})
    planner = Regression(Progress(goal_of(graph, frame, complete=False)), graph, situation, VOCABULARY, SKILLS)
    step = planner.next()
    assert step is not None and step.call.arguments == ("fridge_0",) and "more of" in step.reason
