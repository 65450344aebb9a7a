"""What instructions from outside were misread as: two where there is one, another one, what stands for what."""

import pytest
from frames_of import IT, TOGETHER, a, by, from_, into, lines, on, some, the, to
from row_of_tables import VOCABULARY, goal_of, room

from dadu.goals.goal import Goal
from dadu.goals.interpreter import AskBack
from dadu.goals.progress import Progress
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.language.frames.frame import ChangeFrame, LookFrame, MoveFrame
from dadu.language.frames.noun import PlacePhrase
from dadu.language.refusal import NotSeen, Refusal
from dadu.planner.regression.lookahead import plan
from dadu.planner.situation import Situation
from dadu.skills.table import SKILLS


def test_two_that_are_replaced_are_as_many_as_there_are():
    goal = goal_of(room(("cup_0", "table_0")), MoveFrame((some(2, "mug"),), (on(the("table_1")),)))
    assert lines(goal) == ["is_on_top cup_0 table_1"] and goal.substitutions == ("mug -> cup_0",)


def test_another_table_is_not_the_one_where_it_stands():
    frame = MoveFrame((the("apple"),), (on(the("table", determiner="other")),))
    assert lines(goal_of(room(("apple_0", "table_0")), frame)) == ["is_on_top apple_0 table_1"]


def test_what_another_table_is_depends_on_what_was_not_seen_yet():
    frame = MoveFrame((the("apple"),), (on(the("table", determiner="other")),))
    with pytest.raises(NotSeen) as unseen:
        goal_of(room(), frame, complete=False)
    assert unseen.value.wanted.categories == ("apple",)
    with pytest.raises(Refusal, match="no other place"):
        goal_of(room(("apple_0", "table_0"), furniture=("table_0",)), frame)


def test_the_table_with_the_toys_is_a_place_and_the_toys_stay():
    graph = room(("strawberry_0", "table_0"), ("toy_duck_0", "table_1"))
    toys = the("toy", plural=True)
    frame = MoveFrame((a("strawberry"),), (on(the("table", places=(PlacePhrase("with", (toys,)),))),))
    assert lines(goal_of(graph, frame)) == ["is_on_top strawberry_0 table_1"]


def test_success_is_not_told_where_a_replacement_made_it_true_from_the_start():
    graph = room(("apple_0", "dining_table_0"), furniture=("dining_table_0",))
    asked = goal_of(graph, MoveFrame((the("apple"),), (on(the("desk")),)))
    assert isinstance(asked, AskBack) and "desk -> dining_table_0" in asked.message


def test_looking_by_a_lit_lamp_means_the_thing_and_the_lamp():
    graph = room(("keychain_0", "table_0"), ("desk_lamp_0", "table_1"))
    frame = LookFrame("find", the("keychain"), using=a("lamp", "illuminated"))
    assert lines(goal_of(graph, frame)) == ["is_held keychain_0", "is_powered_on desk_lamp_0"]


def test_warm_up_to_put_means_both():
    graph = build_graph(load_house("small_flat"), "all")
    goal = goal_of(graph, ChangeFrame((the("potato"),), "hot"), MoveFrame((IT,), (into(the("fridge")),)))
    assert lines(goal) == ["is_hot potato_0", "is_inside potato_0 fridge_0"] and goal.order == ((0, 1),)


def test_a_mug_in_view_will_do_for_a_cup_before_containers_are_opened():
    goal = goal_of(room(("mug_0", "table_0")), MoveFrame((a("cup"),), (on(the("table")),)), complete=False)
    description = goal.propositions[0].subject.description
    assert goal.propositions[0].subject.ids == () and "cup" in description.categories
    assert "mug" in description.general and "mug" not in description.categories
    progress = Progress(goal, unseen=True)
    assert progress.widen(goal.propositions[0].subject.key, room(("mug_0", "table_0")))
    assert progress.goal.propositions[0].subject.ids == ("mug_0",)


def test_a_cupboard_is_a_cabinet_where_there_is_no_other():
    graph = room(("apple_0", "table_0"), furniture=("table_0", "cabinet_0"))
    assert lines(goal_of(graph, MoveFrame((the("apple"),), (on(the("cupboard")),)))) == ["is_on_top apple_0 cabinet_0"]


def test_things_that_a_word_is_not_known_of_are_moved_and_that_is_noted():
    goal = goal_of(room(("apple_0", "table_0")), MoveFrame((the("apple", "fancy"),), (to(the("hall")),)))
    assert isinstance(goal, Goal) and any("fancy" in note for note in goal.notes)


def test_what_stands_by_furniture_says_which_piece_is_meant():
    graph = room(("apple_0", "table_0"), furniture=("table_0", "table_1", "fridge_0"))
    frame = MoveFrame((the("apple"),), (on(the("table")), by(the("fridge"))))
    assert lines(goal_of(graph, frame))[0].startswith("is_on_top apple_0 table_")
    assert len(lines(goal_of(graph, frame))) == 1


def test_a_plate_that_is_not_there_yet_goes_along_with_what_is_put_on_it():
    graph = room(("apple_0", "table_0"), ("plate_0", "table_0"))
    frame = MoveFrame((the("apple"),), (on(a("plate", places=(on(the("table_1")),))),))
    assert lines(goal_of(graph, frame)) == ["is_on_top apple_0 plate_0", "is_on_top plate_0 table_1"]


def test_several_taken_from_somewhere_are_put_where_they_belong():
    graph = build_graph(load_house("apartment"), "all")
    goal = goal_of(graph, MoveFrame((the("cushion"), the("blanket")), (), from_(the("sofa"))))
    assert [p.predicate for p in goal.propositions] == ["is_on_top", "is_on_top"]
    assert not any("sofa_0" in p.place.ids for p in goal.propositions)


def test_next_to_each_other_in_another_room_is_not_beside_it_in_the_old_one():
    graph = build_graph(load_house("small_flat"), "all")
    frame = MoveFrame((the("candle"), the("remote")), (to(the("bedroom")), TOGETHER))
    goal = goal_of(graph, frame)
    steps = plan(Progress(goal), graph, Situation(), VOCABULARY, capabilities=tuple(SKILLS))
    placed = [step.call.arguments for step in steps if step.call.skill == "place"]
    assert steps[-1].call.skill == "done" and len(placed) == 2
    assert all(graph.room_of(arguments[1]).id == "bedroom" for arguments in placed)
