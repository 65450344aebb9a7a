"""What stands beside an order and changes nothing of it is passed over; what is to be waited for never is."""

import pytest

from dadu.language.frames.frame import MoveFrame, RemarkFrame
from dadu.language.parsing.parse import parse
from dadu.language.refusal import Refusal

ORDER = "put the mug on the shelf"


def said_beside(words):
    """The order's frame, and what else was said."""
    frames = parse(words).frames
    orders = [frame for frame in frames if isinstance(frame, MoveFrame)]
    assert [o.what[0].name for o in orders] == ["mug"] and orders[0].to == parse(ORDER).frames[0].to
    return [frame.text for frame in frames if isinstance(frame, RemarkFrame)]


@pytest.mark.parametrize("aside", [
    "although there is a kettle in the sink", "even though the plate is clean", "despite the room on the table",
    "in spite of the mess", "even with the radio on", "besides the usual", "for quick reach",
    "during a quiet evening"])
def test_a_concession_or_occasion_before_an_order_is_an_aside(aside):
    assert said_beside(f"{aside.capitalize()}, {ORDER}.") == [aside]


def test_several_asides_stand_before_one_order():
    assert "despite the mess" in said_beside(f"For quick reach, despite the mess, {ORDER}")


def test_a_remark_may_stand_behind_the_order():
    assert said_beside(f"{ORDER}. It looks up at once and nobody trips over it.") == [
        "it looks up at once and nobody trips over it"]


@pytest.mark.parametrize("condition", ["when the bell rings", "once the paint is dry", "after the guests arrive",
                                       "as long as the lights hum"])
def test_what_is_to_be_waited_for_is_not_passed_over(condition):
    with pytest.raises(Refusal):
        parse(f"{condition.capitalize()}, {ORDER}")
