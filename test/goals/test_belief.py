"""What memory is content with: piles, vessels, groups, what is not known."""

import pytest

from dadu.goals.belief import holds, known_not_to_be, known_to_be, satisfying, targets_of
from dadu.goals.goal import Description, Proposition, Term, Where
from dadu.goals.predicates.belief_view import BeliefView
from dadu.goals.predicates.table import PREDICATES
from dadu.world.graph import Articulation, Edge, Entity, Kind, Relation, WorldGraph


def thing(name, x=0.0, y=0.0, z=0.8, **fields):
    return Entity(name, Kind.OBJECT, name.rstrip("_0123456789"), (x, y, z), size=(0.08, 0.08, 0.1), **fields)


def piece(name, x=0.0, height=0.75, parts=()):
    return Entity(name, Kind.FURNITURE, name.rstrip("_0123456789"), (x, 0.0, 0.0), size=(1.0, 1.0, height), parts=parts)


def on(thing, holder, relation=Relation.ON):
    return Edge(thing, relation, holder)


def term(*ids, description=None):
    return Term("any", ids, description)


DOOR = Articulation("door", "hinge", (0, 0, 0), (0, 0, -1), (0, 0, 1), (0, 0, 1), (1, 0, 0), 1.6)
TABLE, FRIDGE = piece("table_0"), piece("fridge_0", 3.0, 1.8, (DOOR,))


def graph(*things, edges):
    return WorldGraph([TABLE, FRIDGE, *things], edges)


def test_what_is_on_the_tray_on_the_table_is_on_the_table():
    world = graph(thing("tray_0"), thing("cup_0", z=0.9), edges=[on("tray_0", "table_0"), on("cup_0", "tray_0")])
    there = Proposition("is_on_top", term("cup_0"), term("table_0", "tray_0"))
    assert holds(there, world) and targets_of(there, "cup_0", world) == ["table_0", "tray_0"]


def test_who_asks_for_the_apple_from_the_bowl_wants_it_out():
    world = graph(thing("bowl_0"), thing("apple_0"), edges=[
        on("bowl_0", "table_0"), on("apple_0", "bowl_0", Relation.IN)])
    from_bowl = Description("the apple", Kind.OBJECT, ("apple",), where=(Where(Relation.IN, ("bowl_0",)),))
    assert holds(Proposition("is_on_top", term("apple_0"), term("table_0")), world)
    assert not holds(Proposition("is_on_top", term("apple_0", description=from_bowl), term("table_0")), world)


def test_two_pairs_are_no_group_of_four():
    places = {"cup_0": 0.0, "cup_1": 0.2, "cup_2": 1.5, "cup_3": 1.7}
    world = graph(*(thing(name, x) for name, x in places.items()), edges=[on(name, "table_0") for name in places])
    together = Proposition("is_clustered", term(*places), number=4)
    assert not holds(together, world) and len(satisfying(together, world)) == 2


@pytest.mark.parametrize(("states", "predicate", "known", "held"), [
    ({}, "is_dirty", None, True), ({}, "is_clean", None, False), ({}, "is_empty", None, False),
    ({"is_clean": True}, "is_dirty", False, False), ({"is_dirty": False}, "is_clean", True, True),
    ({"is_hot": True}, "is_cold", False, False), ({"is_hot": False}, "is_cold", None, False)])
def test_what_is_not_known_does_not_hold_but_dirt_is_presumed(states, predicate, known, held):
    world = graph(thing("cup_0", states=states), edges=[on("cup_0", "table_0")])
    assert known_to_be(world, "cup_0", predicate) is (known is True)
    assert known_not_to_be(world, "cup_0", predicate) is (known is False)
    assert holds(Proposition(predicate, term("cup_0")), world) is held


def test_what_is_shut_in_the_fridge_is_cold_and_next_to_nothing_outside():
    milk, jar = thing("milk_0", 3.4), thing("jar_0", 3.6, provenance="detection")
    edges = [on("milk_0", "fridge_0", Relation.IN), on("jar_0", "table_0")]
    for share, cold in ((0.0, True), (1.0, False)):
        world = graph(milk, jar, edges=edges)
        world.change("fridge_0", parts=(Articulation(**{**vars(DOOR), "value": share * DOOR.range}),))
        assert known_to_be(world, "milk_0", "is_cold") is cold
        assert not holds(Proposition("is_next_to", term("milk_0"), term("jar_0")), world)


def test_whether_something_without_known_doors_is_open_is_not_known():
    world = graph(edges=[])
    assert not known_to_be(world, "table_0", "is_closed") and not known_not_to_be(world, "table_0", "is_closed")


@pytest.mark.parametrize(("value", "open", "closed"), [
    (0.0, False, True), (0.05, False, True), (0.09, False, None), (0.12, False, False), (0.58, False, False),
    (0.61, None, False), (0.65, True, False)])
def test_what_was_seen_at_the_edge_of_open_may_as_well_not_be(value, open, closed):
    """A cupboard at 0.998 rad, seen at 1.03, was told to be open already, which it is from 1.02 on."""
    world = graph(edges=[])
    world.change("fridge_0", parts=(Articulation(**{**vars(DOOR), "value": value * DOOR.range}),))
    answers = [PREDICATES[name].answer(BeliefView(world), "fridge_0") for name in ("is_open", "is_closed")]
    assert answers == [open, closed]
