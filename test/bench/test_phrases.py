"""Which phrases are asked about a picture, what is right, and how answers are counted."""

import numpy as np

from bench.phrases import Asked, Found, Tally, colored, purposes, said


def found(category, color):
    return Found(category, color, category, 0.5, color, np.zeros(2), np.zeros(12))


def test_a_phrase_is_asked_of_each_thing_that_it_tells_from_others():
    things = [found("mug", "red"), found("mug", "green"), found("ball", "red"), found("book", "purple"), found("", "")]
    asked = list(colored(things))
    assert [(a.text, a.sort, a.right.tolist().index(True), a.right.sum()) for a in asked] == [
        ("red mug", "another of its category", 0, 1), ("green mug", "another of its category", 1, 1),
        ("red ball", "something else of its colour", 2, 1), ("purple book", "neither", 3, 1)]


def test_it_is_not_asked_where_two_may_be_meant():
    assert not list(colored([found("mug", "blue"), found("mug", "navy")]))
    assert not list(colored([found("mug", "blue"), found("mug", "")]))
    assert not list(colored([found("mug", "blue")]))
    assert not list(colored([found("mug", "blue"), found("mug", "blue")])), "any would be right"


def test_colours_are_as_people_say_them():
    assert [said(color) for color in ("oak", "navy", "#a0b0c0", None)] == ["wooden", "navy", "", ""]


def test_a_purpose_is_met_by_all_that_is_good_for_it():
    things = [found("apple", "red"), found("hammer", "red"), found("sandwich", "brown")]
    asked = {a.category: (a.right.tolist(), use) for a, use in purposes(things, np.random.default_rng(0))}
    assert all(right[["apple", "hammer", "sandwich"].index(category)] for category, (right, _) in asked.items())
    assert all(not right[1] for category, (right, _) in asked.items() if category != "hammer")


def test_nothing_found_is_wrong():
    tally, asked = Tally(), Asked("red mug", "neither", "mug", np.array([True, False]))
    tally.add("way", asked, np.array([0.4, 0.2]))
    tally.add("way", asked, np.array([0.0, 0.0]))
    assert tally.table(["neither"], ["way"]).splitlines()[-1] == "| neither | 2 | 0.50 |"
