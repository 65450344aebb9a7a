"""What kinds of things were met where: counted once, by what was seen, not by what was told or done; kept on disk."""

from dataclasses import replace

import pytest

from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.memory.memory import Memory
from dadu.memory.semantic_map import AGAIN, SemanticMap
from dadu.memory.settings import MemorySettings
from dadu.world.graph import Edge, Entity, Kind, Relation

LAYOUT = build_graph(load_house("flat"), "layout")


def meet(graph, place, id="mug_0", stamp=1.0, **fields):
    """A thing is seen on a piece of furniture, in the hand, or on the floor of a room."""
    where = graph[place]
    graph.put(Entity(id, Kind.OBJECT, id.rstrip("_0123456789"), where.position,
                     **{"provenance": "detection", "stamp": stamp, **fields}))
    held = Relation.HELD_BY if where.kind is Kind.AGENT else Relation.ON
    graph.set_support(id, None if where.kind is Kind.ROOM else Edge(id, held, place))


@pytest.fixture
def graph():
    return LAYOUT.copy()


def seen(graph):
    return {e.id: e.seen_here for e in graph if e.seen_here}


def after(graph, *moments):
    """The semantic map after each of `moments`, (place, what else) of a mug, was taken in."""
    map = SemanticMap(graph)
    for place, fields in moments:
        meet(graph, place, **fields)
        map.update(graph)
    return seen(graph)


def test_what_is_seen_is_counted_where_it_is_once(graph):
    assert after(graph, ("desk_0", {}), ("desk_0", {"stamp": 2.0})) == {"desk_0": {"mug": 1.0}}


def test_on_the_floor_it_is_the_room_that_counts(graph):
    assert after(graph, ("kitchen", {})) == {"kitchen": {"mug": 1.0}}


def test_what_is_there_for_long_or_another_day_counts_again(graph):
    later = after(graph, ("desk_0", {}), ("desk_0", {"stamp": 2.0 + AGAIN}))
    assert later["desk_0"]["mug"] == pytest.approx(1.95)
    assert after(graph, ("desk_0", {"stamp": 100.0}), ("desk_0", {"stamp": 3.0}))["desk_0"]["mug"] > 2.5


@pytest.mark.parametrize("provenance", ["prior", "operator", "skill"])
def test_what_nobody_saw_does_not_count(graph, provenance):
    assert after(graph, ("desk_0", {"provenance": provenance})) == {}


def test_what_the_robot_put_there_does_not_count_but_where_it_is_put_back_does(graph):
    moments = [("desk_0", {}), ("robot", {"stamp": 2.0}), ("sofa_0", {"stamp": 3.0, "provenance": "skill"}),
               ("sofa_0", {"stamp": 4.0})]
    assert after(graph, *moments) == {"desk_0": {"mug": 1.0}}
    assert set(after(graph.copy(), *moments, ("counter_0", {"stamp": 9.0}))) == {"desk_0", "counter_0"}


def test_the_newest_weigh_most_and_the_oldest_are_forgotten(graph):
    map = SemanticMap(graph)
    for i in range(100):
        meet(graph, "desk_0" if i < 2 else "sofa_0", id=f"mug_{i}", stamp=float(i))
        map.update(graph)
    assert set(seen(graph)) == {"sofa_0"} and 15 < graph["sofa_0"].seen_here["mug"] < 20


def test_a_doubtful_thing_counts_for_less(graph):
    assert after(graph, ("desk_0", {"confidence": 0.4})) == {"desk_0": {"mug": 0.4}}


def saw(memory, place, stamp):
    """Takes in that a mug is seen."""
    graph = memory.graph.copy()
    meet(graph, place, stamp=stamp)
    memory.graph.set_support("mug_0", graph.support("mug_0"))
    memory.correct([graph["mug_0"]], stamp)


def test_it_outlives_the_process_and_goes_on_from_there(tmp_path):
    path = tmp_path / "memory.sqlite"
    first = Memory(LAYOUT, path)
    saw(first, "desk_0", 5.0)
    first.close()
    second = Memory(LAYOUT, path)
    assert second.graph["desk_0"].seen_here == {"mug": 1.0}
    saw(second, "desk_0", 6.0)
    assert second.graph["desk_0"].seen_here == {"mug": 1.0}, "started again in the middle of a task: the same sighting"
    second.close()
    third = Memory(LAYOUT, path)
    saw(third, "desk_0", 1.0)
    assert third.graph["desk_0"].seen_here["mug"] == pytest.approx(1.95), "another task"
    third.close()


def test_a_file_from_before_it_was_kept_is_read(tmp_path):
    import sqlite3

    path = tmp_path / "memory.sqlite"
    memory = Memory(LAYOUT, path)
    memory.close()
    with sqlite3.connect(path) as db:
        db.execute("UPDATE entity SET data = json_remove(data, '$.seen_here')")
    memory = Memory(LAYOUT, path)
    assert memory.restored and not memory.notice and memory.graph["desk_0"].seen_here == {}
    memory.close()


def test_without_memory_there_is_none():
    memory = Memory(LAYOUT, settings=MemorySettings(memory=False))
    saw(memory, "desk_0", 5.0)
    assert seen(memory.graph) == {}


def test_what_is_there_at_first_was_counted(graph):
    meet(graph, "desk_0")
    graph.put(replace(graph["desk_0"], seen_here={"mug": 1.0}))
    SemanticMap(graph).update(graph)
    assert seen(graph) == {"desk_0": {"mug": 1.0}}
