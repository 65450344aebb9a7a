"""The semantic map agrees with the graph it is drawn from, on any grid, and comes back from disk."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiers import examples

from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.house.rasterize import rasterize
from dadu.knowledge.embedding import LexicalEmbedder
from dadu.memory.long_term import draw_map
from dadu.memory.memory import Memory
from dadu.world.graph import Entity, Kind, WorldGraph
from dadu.world.occupancy import OccupancyMap

HOUSE = load_house("flat")
PRIOR = build_graph(HOUSE)
MAP = draw_map(PRIOR, rasterize(HOUSE))


@examples(50)
@given(st.floats(-2, 12), st.floats(-2, 12))
def test_every_point_is_in_the_room_that_the_graph_says(x, y):
    centre = MAP.occupancy.centres(MAP.occupancy.cells((x, y)))
    room = PRIOR.room_at(centre)
    expected = room.id if room is not None and MAP.occupancy.contains(MAP.occupancy.cells((x, y))) else ""
    assert MAP.at((x, y)).room == expected


def test_furniture_is_where_it_stands_and_as_large():
    for piece in PRIOR.of(Kind.FURNITURE):
        area = len(MAP.cells(piece.id)) * MAP.occupancy.resolution ** 2
        if MAP.at(piece.position[:2]).furniture == piece.id:
            assert area == pytest.approx(piece.size[0] * piece.size[1], rel=0.35, abs=0.05)
    assert MAP.at(PRIOR["fridge_0"].position[:2]) .furniture == "fridge_0"
    assert MAP.at(PRIOR["fridge_0"].position[:2]).room == "kitchen"


def test_without_a_map_of_obstacles_everything_still_has_a_place():
    blank = draw_map(PRIOR)
    for entity in (*PRIOR.of(Kind.ROOM), *PRIOR.of(Kind.FURNITURE)):
        assert len(blank.cells(entity.id))
    assert blank.at(PRIOR["bed_0"].position[:2]).furniture == "bed_0" and blank.at((99, 99)).room == ""
    assert len(blank.cells("")) == len(blank.cells("nowhere")) == 0
    assert draw_map(WorldGraph([Entity("x", Kind.ROOM, "hall")])).at((0, 0)).room == ""


def test_it_follows_the_graph_and_the_newest_map_and_is_kept(tmp_path):
    memory = Memory(PRIOR, tmp_path / "memory.sqlite", embedder=LexicalEmbedder)
    first = memory.map()
    assert memory.map() is first
    memory.graph.change("bed_0", position=(1.0, 1.0, 0.0))
    assert memory.map() is not first and memory.map().at((1.0, 1.0)).furniture == "bed_0"
    memory.chart(rasterize(HOUSE))
    assert memory.map().occupancy.grid.shape == MAP.occupancy.grid.shape
    memory.close()
    again = Memory(PRIOR, tmp_path / "memory.sqlite")
    np.testing.assert_array_equal(again.map().occupancy.grid, MAP.occupancy.grid)
    assert isinstance(again.map().occupancy, OccupancyMap) and again.map().occupancy.resolution == 0.05
    again.close()
