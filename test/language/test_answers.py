"""Questions end with an answer by what was seen, sets are what is found there, and what is believed is no order."""

import pytest
from understood import interpret

from dadu.goals.progress import Progress
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.language.parsing.parse import parse
from dadu.language.refusal import Refusal
from dadu.stacks.oracle import OracleStack

FLAT = build_graph(load_house("flat"), "all")


@pytest.mark.parametrize(("asked", "answer"), [
    ("How many apples are on the fruit table?", ": 2"),
    ("What is on the fruit table?", ": apple_0, apple_1, lemon_0"),
    ("Which drinks are in the fridge?", ": juice_0, milk_0, soda_can_0"),
    ("Where is the alarm clock?", "alarm_clock_0 on nightstand_0, in bedroom"),
    ("Check whether the fridge is closed.", "closed: yes"),
    ("Tell me whether there is a lemon on the dining table.", ": no")])
def test_the_last_words_answer(asked, answer):
    report = OracleStack(load_house("flat")).do(asked)
    assert answer in report.summary and "found out" in report.summary
    assert all(step.call.skill in ("go_to", "explore", "open", "close") for step in report.steps)


def test_how_many_are_counted_as_they_are_in_the_end():
    progress = Progress(interpret("How many apples are on the fruit table?", FLAT, complete=True))
    progress.update(FLAT)
    progress.answers[0] = False  # nothing is left to look at
    assert ": 2" in progress.report(FLAT)


def test_whatever_is_open_is_found_by_looking():
    stack = OracleStack(load_house("flat"))
    stack.disturb("open", "fridge_0")
    report = stack.do("Close whatever is open.")
    assert report.success and ["close", "fridge_0"] in [[s.call.skill, *s.call.arguments] for s in report.steps]


@pytest.mark.parametrize(("said", "plainly"), [
    ("whatever you find on the coffee table, bring it to the desk", "move everything on the coffee table to the desk"),
    ("put whichever book is not green on the sofa", "put the book that is not green on the sofa"),
    ("the vase should be on the shelf, bring it to the desk", "the vase is on the shelf, bring it to the desk"),
    ("put the vase on the desk and tell me when you are done", "put the vase on the desk")])
def test_it_means_the_same(said, plainly):
    first, second = ([(p.predicate, p.subject.ids, p.place.ids, p.needed)
                      for p in interpret(words, FLAT, complete=True).propositions] for words in (said, plainly))
    assert first == second != []


def test_but_only_is_no_exception():
    with pytest.raises(Refusal):
        parse("put the apples on the desk, but only the red one")
