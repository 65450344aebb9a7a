"""Several things to the table, where there is more than one: they end up together."""

from pathlib import Path

import pytest

from dadu.house.files import load_house
from dadu.stacks.offline import plan_offline

LODGE = load_house(Path(__file__).parent / "houses" / "lodge.house.yaml")


@pytest.mark.parametrize("instruction, count", [
    ("Move the vase, the clock and the hat to the bedroom table.", 3),
    ("Move the vase, the clock and the book to the bedroom table.", 2),  # the book is on one of them
    ("Move the hat, the clock and the mug to a table and place them side by side.", 2),  # so is the clock
    ("Take the vase, the candle and the mug to the bedroom and place them on the table next to each other.", 3),
    ("Take the apple, the vase and the book and put them on a table.", 2),  # each is on one already
    ("Put the clock and the hat on the table. Put the apple on it as well.", 2),
])
def test_things_for_one_place_go_to_one_place(instruction, count):
    planned = plan_offline(instruction, LODGE, "all")
    places = [arguments[1] for skill, *arguments in planned["plan"] if skill == "place"]
    assert planned["refused"] is None and len(places) == count and len(set(places)) == 1


def test_things_for_one_room_go_to_one_room():
    planned = plan_offline("Bring the mug, the candle and the clock to a bedroom.", LODGE, "all")
    room = {piece.name: piece.room for piece in LODGE.furniture}
    assert len({room[arguments[1]] for skill, *arguments in planned["plan"] if skill == "place"}) == 1


def test_several_places_are_several():
    assert plan_offline("Put the apple and the vase on tables.", LODGE, "all")["plan"] == [["done"]]
