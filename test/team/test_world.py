"""Memories of a team: what one sees all know, under one id, and a hand knows best what it holds."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dadu.core.errors import NotUsable
from dadu.memory.memory import Memory
from dadu.memory.settings import MemorySettings
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult
from dadu.team.world import NUMBERS, SharedSights, TeamWorld
from dadu.world.graph import ROBOT, Edge, Entity, Kind, Relation, WorldGraph

TEAM = ("robot_0", "robot_1")


class Agent:
    """A memory that sees what it is told to, and its word with the other."""

    def __init__(self, name):
        self.name = name
        room = Entity("hall", Kind.ROOM, "hall", polygon=((0, 0), (9, 0), (9, 9), (0, 9)))
        tables = [Entity(f"table_{i}", Kind.FURNITURE, "table", (2.0 + 3 * i, 2.0, 0.0), size=(1.0, 1.0, 0.7))
                  for i in (0, 1)]
        self.memory = Memory(WorldGraph([room, *tables, Entity(ROBOT, Kind.AGENT, ROBOT, (1.0, 1.0, 0.0))]), None,
                             MemorySettings(first_number=TEAM.index(name) * NUMBERS))
        self.world = TeamWorld(name, TEAM)

    def see(self, id, stamp, table, x=0.0):
        def put(graph):
            graph.put(Entity(id, Kind.OBJECT, "mug", (2.0 + 3 * table + x, 2.0, 0.75), size=(0.1, 0.1, 0.1),
                             provenance="detection", stamp=stamp))
            graph.set_support(id, Edge(id, Relation.ON, f"table_{table}"))
        self.memory.hear(put, {}, stamp)

    def where(self):
        """By id of a mug what has it."""
        graph = self.memory.graph
        return {e.id: getattr(graph.support(e.id), "object", None) for e in graph.of(Kind.OBJECT)}


@pytest.fixture
def both():
    return [Agent(name) for name in TEAM]


def meet(both, now, turns=3):
    for _ in range(turns):
        for one, other in (both, both[::-1]):
            other.world.hear(one.world.exchange(one.memory, now), now)
    return both[0].where(), both[1].where()


def test_what_one_has_seen_both_know_and_where_each_is(both):
    both[0].see("mug_0", 1.0, 0)
    both[1].see("mug_100", 2.0, 1)
    first, second = meet(both, 3.0)
    assert first == second == {"mug_0": "table_0", "mug_100": "table_1"}
    assert both[0].memory.graph["robot_1"].kind is Kind.AGENT and both[0].memory.revision > 2


def test_what_both_have_found_has_one_name(both):
    both[0].see("mug_0", 1.0, 0)
    both[1].see("mug_100", 2.0, 0, x=0.05)
    both[1].see("mug_101", 2.0, 0, x=0.45)
    first, second = meet(both, 3.0)
    assert first == second == {"mug_0": "table_0", "mug_101": "table_0"}


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.sampled_from((0, 1)), st.sampled_from((0, 1))), min_size=1, max_size=6), st.booleans())
def test_the_newest_sight_holds(sights, apart):
    both = [Agent(name) for name in TEAM]
    both[0].see("mug_0", 0.5, 0)
    meet(both, 0.6)
    for stamp, (who, table) in enumerate(sights, 1):
        both[who].see("mug_0", float(stamp), table)
        if not apart:
            meet(both, stamp + 0.1, 1)
    first, second = meet(both, len(sights) + 1.0)
    assert first == second == {"mug_0": f"table_{sights[-1][1]}"}


def test_who_holds_a_thing_is_not_contradicted_and_tells_where_it_went(both):
    both[0].see("mug_0", 1.0, 0)
    meet(both, 1.5)
    both[0].memory.learn(SkillCall("pick", ("mug_0",)), SkillResult(Code.SUCCEEDED, "held", target="mug_0"), 2.0)
    assert meet(both, 2.5) == ({"mug_0": ROBOT}, {"mug_0": "robot_0"})
    both[1].see("mug_0", 3.0, 0)  # the other was wrong
    assert meet(both, 3.5) == ({"mug_0": ROBOT}, {"mug_0": "robot_0"})
    both[0].memory.learn(SkillCall("place", ("on", "table_1")),
                         SkillResult(Code.SUCCEEDED, "there", target="mug_0"), 3.4)
    assert meet(both, 4.0) == ({"mug_0": "table_1"}, {"mug_0": "table_1"})


def test_what_one_misses_is_lost_for_both(both):
    both[0].see("mug_0", 1.0, 0)
    meet(both, 1.5)
    both[1].memory.hear(lambda graph: graph.remove("mug_0"), {}, 2.0)
    assert meet(both, 2.5) == ({}, {}) and "mug_0" in both[0].memory.lost
    both[0].see("mug_0", 3.0, 1)
    assert meet(both, 3.5) == ({"mug_0": "table_1"}, {"mug_0": "table_1"})


def test_after_a_new_start_of_time_what_is_seen_counts(both):
    both[0].see("mug_0", 100.0, 0)
    meet(both, 101.0)
    assert meet(both, 2.0) == ({"mug_0": "table_0"}, {"mug_0": "table_0"})
    both[1].see("mug_0", 3.0, 1)
    first, second = meet(both, 4.0)
    assert first == second == {"mug_0": "table_1"}


@pytest.mark.parametrize("wrong", [
    SharedSights("stranger", WorldGraph(), {}), SharedSights("robot_1", WorldGraph(), {"mug_0": 1e6}),
    SharedSights("robot_1", WorldGraph([Entity("mug_0", Kind.OBJECT, "mug", stamp=1e6)]), {}),
    SharedSights("robot_1", WorldGraph([Entity("mug_0", Kind.OBJECT, "mug", provenance="hearsay")]), {}),
    SharedSights("robot_1", WorldGraph([Entity(ROBOT, Kind.OBJECT, "mug")]), {})])
def test_what_cannot_be_is_refused(both, wrong):
    with pytest.raises(NotUsable):
        both[0].world.hear(wrong, 10.0)


def test_rooms_and_furniture_stay_what_they_are_and_nothing_stands_on_itself(both):
    graph = WorldGraph([Entity("hall", Kind.OBJECT, "mug", stamp=5.0), Entity("table_9", Kind.FURNITURE, "table"),
                        Entity("mug_0", Kind.OBJECT, "mug", provenance="detection", stamp=5.0)],
                       [Edge("mug_0", Relation.ON, "mug_1")])
    both[0].see("mug_1", 1.0, 0)
    both[0].see("mug_0", 1.0, 0, x=0.5)
    both[0].memory.hear(lambda own: own.set_support("mug_1", Edge("mug_1", Relation.ON, "mug_0")), {}, 2.0)
    both[0].world.hear(SharedSights("robot_1", graph, {}), 6.0)
    both[0].world.exchange(both[0].memory, 6.0)
    own = both[0].memory.graph
    assert own["hall"].kind is Kind.ROOM and "table_9" not in own
    assert own.support("mug_0") == Edge("mug_0", Relation.ON, "table_0")
    assert replace(own["mug_0"], confidence=1.0).stamp == 5.0
