"""With the layout known and a few things in view from the start, what was not seen yet counts as well."""

import dataclasses

import pytest

from dadu.goals.goal import Description, Goal, Proposition, Term
from dadu.goals.progress import Progress
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.stacks import oracle as world
from dadu.stacks.oracle import OracleStack
from dadu.world.graph import Kind

CASES = {
    ("flat", "Gather all the books and put them on the coffee table."):
        {"book_0": "coffee_table_0", "book_1": "coffee_table_0", "book_2": "coffee_table_0"},
    ("flat", "Please find something for a child to play with and put it on the bed."): {"ball_0": "bed_0"},
    ("flat", "Look for a banana in the fridge, and if there is none, put a book on the coffee table instead."):
        {"book_1": "coffee_table_0"},
    ("flat", "Take the soda can from the fridge to the desk. If there is none in the fridge, take the ball there."):
        {"soda_can_0": "desk_0"},
    ("flat", "Bring me the soda can from the fridge. If there is none in it, bring me the ball."):
        {"soda_can_0": "robot"},
    ("flat", "Move the book from the desk to the other books."): {"book_2": "shelf_0"},
    ("apartment", "Put some snacks on the coffee table."):
        {"bread_0": "coffee_table_0", "apple_0": "coffee_table_0"},
    ("apartment", "My hands are sticky, put something to clean them on the bench."): {"sponge_0": "bench_0"},
    ("store", "Take a bottle of water to the entry table."): {"water_bottle_0": "entry_table"},
    ("store", "Move the box to the workbench."): {"box_0": "workbench_0"},
}


def moved(stack, instruction):
    def supports():
        return {id: thing.support.holder for id, thing in stack.world.things.items()}
    before = supports()
    report = stack.do(instruction)
    return report, {id: place for id, place in supports().items() if before[id] != place}


@pytest.mark.parametrize(("name", "instruction"), CASES)
def test_it_is_done_with_what_is_meant(name, instruction):
    report, where = moved(OracleStack(load_house(name), known="layout"), instruction)
    assert report.success, report.summary
    assert where == CASES[name, instruction]


def test_all_of_them_are_looked_for_unless_memory_was_told():
    seen = Term("the books", ("book_0",), Description("the books", "object", ("book",)))
    goal = Goal((Proposition("is_clean", seen, every=True),))
    assert Progress(goal, unseen=True).incomplete
    assert not Progress(goal).incomplete


def test_nothing_is_looked_for_only_to_do_with_it_what_this_robot_cannot():
    report, _ = moved(OracleStack(load_house("flat"), known="layout"), "Fill the mug with water.")
    assert report.outcome.detail == "gave_up" and not report.steps
    assert "no skill" in report.summary


def test_it_is_looked_for_where_the_robot_can_do_the_rest(monkeypatch):
    load = world.load_robot
    monkeypatch.setattr(world, "load_robot", lambda name: dataclasses.replace(
        load(name), capabilities=(*load(name).capabilities, "clean")))
    report, where = moved(OracleStack(load_house("flat"), known="layout"), "Wash the mug and put it on the desk.")
    assert report.success, report.summary
    assert where == {"mug_0": "desk_0"}


def test_of_those_seen_at_once_the_one_that_is_not_there_yet_is_meant():
    graph = build_graph(load_house("flat"), "all")
    book = Term("the book", (), Description("the book", Kind.OBJECT, ("book",)))
    progress = Progress(Goal((Proposition("is_on_top", book, Term("shelf", ("shelf_0",))),)), unseen=True)
    progress.update(graph)
    assert progress.proposition(0).subject.ids == ("book_2",) and not progress.achieved(graph)
