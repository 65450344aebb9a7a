"""Words that say which place or how many are meant are never dropped: in their place there is a refusal."""

from pathlib import Path

import pytest

from dadu.house.files import load_house
from dadu.stacks.offline import plan_offline

LODGE = load_house(Path(__file__).parent / "houses" / "lodge.house.yaml")
LIVING_ROOM, KITCHEN = "table_2|table_3", "table_0"


def goal(instruction):
    """Its propositions where only rooms and furniture are known; None where it is refused."""
    planned = plan_offline(instruction, LODGE, "layout")
    if planned["goal"] is None:
        return None
    said = [next(iter(p.items())) for p in planned["goal"]["propositions"]]
    return [" ".join([predicate, *("|".join(a) if isinstance(a, list) else a for a in arguments)])
            for predicate, arguments in said]


@pytest.mark.parametrize("instruction, wanted", [
    ("Take the mug from the counter in the kitchen to the table in the living room.",
     [f"is_on_top mug {LIVING_ROOM}"]),
    ("Put the mug on the table in bedroom 1.", ["is_on_top mug table_5"]),
    ("Put the mug on the the kitchen table.", [f"is_on_top mug {KITCHEN}"]),
    ("Lay the book on the bed and the doll next to it on the chair.",
     ["is_on_top book bed_0|bed_1", "is_on_top doll chair_0", "is_next_to doll book"]),
    ("Put the mug next to the vase and the book on the kitchen table.",
     [*(f"is_on_top {thing} {KITCHEN}" for thing in ("vase", "book", "mug")), "is_next_to mug vase",
      "is_next_to mug book"]),
])
def test_where_it_goes_is_kept(instruction, wanted):
    assert goal(instruction) == wanted


@pytest.mark.parametrize("instruction", [
    "Put the mug on the bedroom counter.",  # there is none: not just anywhere in the bedroom
    "Move the vase to inside the bedroom cabinet.",
    "Put the plate on the table with an apple on it.",  # on the plate, or is it said of the table?
])
def test_a_place_that_is_not_known_is_not_left_out(instruction):
    assert goal(instruction) is None


@pytest.mark.parametrize("instruction, together", [
    ("First put the mug, then the book, and finally the doll on the kitchen table. Place them side by side.",
     ["is_next_to book mug", "is_next_to doll book"]),
    ("Put the mug and then the book on the kitchen table, next to each other.", ["is_next_to book mug"]),
])
def test_them_are_all_that_were_named_one_by_one(instruction, together):
    things = [f"is_on_top {thing} {KITCHEN}" for thing in ("mug", "book", "doll")[:len(together) + 1]]
    assert goal(instruction) == things + together


@pytest.mark.parametrize("instruction", [
    "Move the mug and the book to the kitchen table. Then move these items to the sofa.",
    "Put the mug next to the book. Then move both to the sofa.",
])
def test_what_stands_for_several_is_those_that_were_spoken_of(instruction):
    assert goal(instruction)[-2:] == ["is_on_top mug sofa_0|sofa_1", "is_on_top book sofa_0|sofa_1"]


def test_what_is_said_behind_with_is_in_it():
    plate = "plate|plant_saucer|saucer"
    assert goal("Put a plate with a fork and an apple on the kitchen table.") == [
        f"is_on_top fork {plate}", f"is_on_top apple {plate}", f"is_on_top {plate} {KITCHEN}"]
