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
    "during a quiet evening", "because the desk is crowded", "as you sort the laundry",
    "when tidying the bedroom", "while doing housework", "when finished cooking", "after a long shift",
    "after sprucing up the bathroom", "to prepare for tomorrow"])
def test_a_concession_or_occasion_before_an_order_is_an_aside(aside):
    assert said_beside(f"{aside.capitalize()}, {ORDER}.") == [aside]


def test_several_asides_stand_before_one_order():
    assert "despite the mess" in said_beside(f"For quick reach, despite the mess, {ORDER}")


def test_a_remark_may_stand_behind_the_order():
    assert said_beside(f"{ORDER}. It looks up at once and nobody trips over it.") == [
        "it looks up at once and nobody trips over it"]


@pytest.mark.parametrize("comment", ["it is a fine spot to keep it handy", "this saves time and keeps the desk free",
                                     "it is perfect for when the next guest comes"])
def test_what_is_said_of_the_deed_asks_for_nothing_more(comment):
    assert said_beside(f"When tidying up, {ORDER}. {comment.capitalize()}.") == ["when tidying up", comment]


@pytest.mark.parametrize("words", [f"{ORDER}, ready for the morning", "putting the mug on the shelf saves you time"])
def test_what_comes_of_it_is_an_aside(words):
    assert len(said_beside(words)) == 1


@pytest.mark.parametrize("words", [f"{ORDER}, ironing it first", f"After ironing the shirt, {ORDER}",
                                   f"When washing the plate by hand and so on, {ORDER}"])
def test_a_deed_that_is_asked_for_is_not_passed_over(words):
    with pytest.raises(Refusal):
        said_beside(words)


@pytest.mark.parametrize("condition", ["when the bell rings", "once the paint is dry", "after the guests arrive",
                                       "as long as the lights hum", "when you hear the bell", "as the guests arrive"])
def test_what_is_to_be_waited_for_is_not_passed_over(condition):
    with pytest.raises(Refusal):
        parse(f"{condition.capitalize()}, {ORDER}")
