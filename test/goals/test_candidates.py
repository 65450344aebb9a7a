"""Which things are meant: the dark one is the darkest that was seen, and how light a thing is is no word."""

import pytest

from dadu.goals.candidates import candidates
from dadu.goals.goal import Description
from dadu.world.graph import LIGHTNESS, Entity, Kind, WorldGraph


def mug(id, color, light):
    return Entity(id, Kind.OBJECT, "mug", attributes={"color": color, **({LIGHTNESS: light} if light else {})})


def meant(superlative, *mugs, attributes=("red",)):
    description = Description("mug", Kind.OBJECT, ("mug",), attributes, superlative=superlative)
    return [e.id for e in candidates(description, WorldGraph(mugs))]


RED = mug("mug_0", "red", "0.41"), mug("mug_1", "red", "0.22"), mug("mug_2", "blue", "0.05"), mug("mug_3", "red", "")


@pytest.mark.parametrize(("said", "id"), [("dark", "mug_1"), ("lighter", "mug_0")])
def test_the_dark_red_one_is_the_darkest_of_the_red_ones(said, id):
    assert meant(said, *RED) == [id]
    assert meant(said, RED[1]) == ["mug_1"], "where there is one, it is that one"


def test_where_nobody_has_seen_how_light_they_are_any_may_be_meant():
    unseen = mug("mug_0", "red", ""), mug("mug_1", "red", "")
    assert meant("dark", *unseen) == ["mug_0", "mug_1"]
    assert meant("dark", mug("mug_0", "red", "0.30"), mug("mug_1", "red", "0.30")) == ["mug_0", "mug_1"]


def test_how_light_a_thing_is_is_no_word_that_it_is_called_by():
    assert RED[0].values == {"red"}
    assert meant("", *RED, attributes=("0.41",)) == []
