"""Things that go into a vessel that goes somewhere, and words of a place that say which part or piece is meant."""

from pathlib import Path

import pytest

from dadu.house.files import load_house
from dadu.language.parsing.parse import parse
from dadu.stacks.offline import plan_offline

LODGE = load_house(Path(__file__).parent / "houses" / "lodge.house.yaml")


def moves(instruction):
    """Names of what goes where, by frame."""
    return [([np.name for np in frame.what], [(p.preposition, [np.name for np in p.nouns]) for p in frame.to])
            for frame in parse(instruction).frames]


def goal(instruction, house=LODGE):
    """Names of predicates with the first of what they speak of; None where it is refused."""
    planned = plan_offline(instruction, house, "layout")
    if planned["goal"] is None:
        return None
    said = [next(iter(p.items())) for p in planned["goal"]["propositions"]]
    return [" ".join([predicate, *(a if isinstance(a, str) else a[0] for a in arguments)])
            for predicate, arguments in said]


@pytest.mark.parametrize("instruction", [
    "put a pen in a mug on the kitchen table", "put a pen into a mug on the kitchen table",
    "put away the pen into a mug on the kitchen table"])
def test_what_goes_into_a_vessel_goes_on_with_it(instruction):
    assert [p.split()[0] for p in goal(instruction)] == ["is_inside", "is_on_top"]
    assert goal(instruction)[1] == "is_on_top mug table_0"


def test_a_drink_in_a_can_is_one_thing():
    frame, = parse("put a drink in a blue can on the table").frames
    assert (frame.what[0].name, frame.what[0].attributes) == ("drink", ("blue", "can"))


@pytest.mark.parametrize("instruction, what", [
    ("put a clean and cold potato on the table", ("clean", "cold")),
    ("put a red, cold apple on the table", ("red", "cold")),
    ("place a chilled, sliced apple on the table", ("chilled", "sliced"))])
def test_adjectives_with_and_or_a_comma_between_them_are_of_one_thing(instruction, what):
    frame, = parse(instruction).frames
    assert len(frame.what) == 1 and frame.what[0].attributes == what


def test_a_comma_between_things_stays():
    assert moves("put the orange, apple and pear on the table") == [(["orange", "apple", "pear"], [("on", ["table"])])]


def test_what_is_of_a_thing_is_no_us():
    assert moves("put a soap on the toilet's tank")[0][1] == [("on", ["toilet tank"])]


def test_a_table_is_none_that_could_be_a_toy():
    assert goal("put the apple on the table by the stove") is not None


def test_what_can_hold_nothing_is_not_emptied():
    assert goal("empty the apple") is None
    assert goal("tidy up the forks")[0].split()[1] == "fork"


def test_cloths_to_wash_with_and_washing_a_cloth():
    assert moves("put two wash cloths on the table") == [(["wash cloth"], [("on", ["table"])])]
    frame, = parse("wash cloth").frames
    assert frame.frame == "change"
