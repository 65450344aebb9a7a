"""What a thing's size says of what it is."""

import numpy as np
import pytest

from dadu.house.catalogue import object_categories
from dadu.perception.learned.build import NEVER_SHOWN, SHOWN, Builds, extents
from dadu.perception.learned.crops import View

from .test_learned_detector import GREEN, RED, frame

CATEGORIES = ["apple", "basketball", "baseball", "cereal_box", "gizmo"]


def as_seen(category):
    """(1, 2) [m]: as it stands, from its broader side."""
    length, width, height = object_categories()[category].size
    return np.array([[height, max(length, width)]])


def test_height_and_width_are_those_of_whole_things():
    labels = np.zeros((120, 160), int)
    labels[40:60, 30:45], labels[45:60, 100:120], labels[100:120, 50:70] = 1, 2, 3
    picture = frame((RED, 60, 80, 30, 40, 1.4), (GREEN, 200, 90, 40, 30, np.nan), (RED, 100, 200, 40, 40, 1.0), scale=2)
    found = extents(View.from_frame(picture), labels)
    assert found[0] == pytest.approx([40 * 1.4 / 312, 30 * 1.4 / 312], rel=0.1)
    assert np.isnan(found[1:]).all(), "of the one no depth is known, the other is cut off"
    assert extents(View.from_frame(picture), np.zeros((120, 160), int)).shape == (0, 2)


def test_what_lies_half_near_and_half_far_has_no_size():
    """Its median depth is nobody's: that was a crash."""
    labels = np.zeros((120, 160), int)
    labels[40:60, 30:60] = 1
    halves = frame((RED, 60, 80, 30, 40, 1.0), (GREEN, 90, 80, 30, 40, 2.9), scale=2)
    assert np.isnan(extents(View.from_frame(halves), labels)).all()


@pytest.mark.parametrize("category", ["apple", "basketball", "cereal_box"])
def test_what_is_as_large_as_one_is_more_likely_to_be_one(category):
    odds = Builds(CATEGORIES, CATEGORIES).log_odds(np.zeros((1, 5)), as_seen(category))[0]
    assert CATEGORIES[odds.argmax()] == category
    assert odds.max() > odds[CATEGORIES.index("gizmo")] > odds[:4].min(), "nobody tells its size"
    shown = Builds([*CATEGORIES[:4], SHOWN], CATEGORIES).log_odds(np.zeros((1, 5)), as_seen(category))[0]
    assert shown[4] == shown.max(), "it was seen itself"


def test_a_size_that_is_not_known_says_nothing():
    odds = Builds(["apple", "basketball"], ["apple", "basketball"]).log_odds(np.zeros((1, 2)), np.full((1, 2), np.nan))
    assert odds[0, 0] == pytest.approx(odds[0, 1])


def test_what_was_never_shown_is_known_by_what_looks_alike():
    """To whom an orange says "baseball" it is rather one than a box of the same size."""
    categories = ["baseball", "cereal_box", "orange", "egg_box"]
    builds, nothing = Builds(categories, categories[:2]), np.full((1, 2), np.nan)
    odds = builds.log_odds(np.array([[9.0, 0.0, 0.0, 0.0]]), nothing)[0]
    assert odds[2] > odds[3] + 0.5
    assert builds.log_odds(np.array([[0.0, 9.0, 0.0, 0.0]]), nothing)[0, 2] < odds[2]
    assert np.isfinite(Builds(["gizmo"], []).log_odds(np.zeros((1, 1)), nothing)).all()
    assert Builds(["gizmo"], []).log_odds(np.zeros((1, 1)), nothing)[0, 0] == NEVER_SHOWN
