"""A description taken apart: what the thing is, and which colours pixels of it may have."""

import numpy as np
import pytest

from dadu.perception.colors import NAMES, color_shares
from dadu.perception.learned.naming import Wanted


@pytest.mark.parametrize(("said", "words", "colors"), [
    ("a Red  mug", "mug", {"red"}),
    ("a red mug with a white handle", "mug with a white handle", {"red"}),
    ("navy blue cup", "cup", {"blue"}),
    ("the wooden spoon", "wooden spoon", set()),
    ("blue bowl", "bowl", {"blue", "teal"}),
    ("beige box", "box", set()),
    ("gray box", "box", {"grey"}),
    ("something of my grandmother's", "something of my grandmother's", set()),
    ("orange", "orange", set()),
])
def test_what_it_is_and_its_colour(said, words, colors):
    assert Wanted.read(said) == Wanted(words, frozenset(colors))


def test_a_colour_that_is_part_of_the_name_is_no_colour():
    names = ("juice carton", "orange juice")
    assert Wanted.read("orange juice", names) == Wanted("orange juice", frozenset())
    assert Wanted.read("white orange juice", names) == Wanted("orange juice", frozenset({"white"}))


def test_how_well_things_fit():
    shares = np.zeros((3, len(NAMES)))
    shares[0, NAMES.index("blue")] = shares[1, NAMES.index("red")] = 1
    shares[2, [NAMES.index("teal"), NAMES.index("grey")]] = 0.5
    blue, red, half = Wanted.read("blue mug").fits(shares)
    assert blue > 1.9 * half > 20 * red > 0
    assert Wanted.read("mug").fits(shares).tolist() == [1, 1, 1]


def test_shares_are_of_each_owner_and_grey_is_told_from_white_by_the_whole():
    rgb = np.array([(200, 30, 30)] * 3 + [(240, 240, 240), (100, 100, 100)] + [(100, 100, 100)], np.uint8)
    shares = color_shares(rgb, np.array([0, 0, 0, 0, 0, 1]), 3)
    assert shares[0, NAMES.index("red")] == 0.6 and shares[0, NAMES.index("white")] == 0.4
    assert shares[1, NAMES.index("grey")] == 1 and not shares[2].any()
