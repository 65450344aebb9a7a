"""What agents tell each other of the world: the newest sight holds, in whatever order it comes."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from dadu.team.knowledge import SharedWorld
from dadu.world.graph import ROBOT, Edge, Entity, Kind, Relation, WorldGraph

SIGHTS = st.lists(st.tuples(st.sampled_from(("robot", "robot_1")), st.sampled_from(("table", "shelf"))), min_size=1,
                  max_size=8)


def graph() -> WorldGraph:
    pieces = [Entity(name, Kind.FURNITURE, name) for name in ("table", "shelf")]
    return WorldGraph([*pieces, *(Entity(name, Kind.AGENT, name) for name in (ROBOT, "robot_1", "partner"))])


def see(world: WorldGraph, stamp: float, relation: Relation, holder: str) -> None:
    world.put(Entity("cup", Kind.OBJECT, "cup", provenance="detection", stamp=stamp))
    world.set_support("cup", Edge("cup", relation, holder))


@settings(max_examples=50, deadline=None)
@given(SIGHTS, st.booleans())
def test_all_end_with_the_newest_sight_whoever_publishes_first(sights, turned):
    graphs, shared = {"robot": graph(), "robot_1": graph()}, SharedWorld()
    for stamp, (who, place) in enumerate(sights, 1):
        see(graphs[who], float(stamp), Relation.ON, place)
    for name in sorted(graphs, reverse=turned):
        shared.publish(name, graphs[name], 100.0)
    for name, own in graphs.items():
        shared.take_in(name, own)
        assert own.support("cup") == Edge("cup", Relation.ON, sights[-1][1])
        assert own["cup"].stamp == len(sights)
    assert shared.newest["cup"].by == sights[-1][0]


def test_a_hand_is_its_owners_by_whatever_name():
    first, second, shared = graph(), graph(), SharedWorld()
    see(first, 1.0, Relation.HELD_BY, ROBOT)
    shared.publish("robot", first, 1.0)
    assert shared.take_in("robot_1", second)
    assert second.support("cup").object == "partner" and second.held() is None
    see(second, 2.0, Relation.HELD_BY, ROBOT)
    shared.publish("robot_1", second, 2.0)
    shared.take_in("robot", first)
    assert first.held("robot_1") is not None and first.held() is None


def test_what_is_gone_is_gone_for_all_until_it_is_seen_again():
    first, second, shared = graph(), graph(), SharedWorld()
    see(first, 1.0, Relation.ON, "table")
    shared.publish("robot", first, 1.0)
    shared.take_in("robot_1", second)
    first.remove("cup")
    shared.publish("robot", first, 3.0)
    assert shared.take_in("robot_1", second) and "cup" not in second
    see(second, 4.0, Relation.ON, "shelf")
    shared.publish("robot_1", second, 4.0)
    assert shared.take_in("robot", first) and first.support("cup").object == "shelf"
    assert not shared.take_in("robot", first)  # nothing is new any more
