"""The cells of a map belong to the rooms and furniture that the graph has there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiers import examples

from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.house.rasterize import rasterize
from dadu.memory.rooms.cells import numbered
from dadu.world.graph import Entity, Kind

HOUSE = load_house("flat")
PRIOR = build_graph(HOUSE)
MAP = rasterize(HOUSE)
ROOMS, PIECES = PRIOR.of(Kind.ROOM), PRIOR.of(Kind.FURNITURE)
OF_ROOMS, OF_PIECES = numbered(ROOMS, MAP), numbered(PIECES, MAP)


@examples(50)
@given(st.floats(-2, 12), st.floats(-2, 12))
def test_every_cell_is_of_the_room_that_the_graph_says(x, y):
    cell = MAP.cells((x, y))
    if MAP.contains(cell):
        room = PRIOR.room_at(MAP.centres(cell))
        assert OF_ROOMS[tuple(cell)] == (0 if room is None else 1 + ROOMS.index(room))


def test_furniture_is_where_it_stands_and_as_large():
    seen = 0
    for number, piece in enumerate(PIECES, 1):
        if OF_PIECES[tuple(MAP.cells(piece.position[:2]))] == number:
            area = (OF_PIECES == number).sum() * MAP.resolution ** 2
            assert area == pytest.approx(piece.size[0] * piece.size[1], rel=0.35, abs=0.05)
            seen += 1
    assert seen > len(PIECES) / 2


def test_what_has_no_outline_or_lies_off_the_map_has_no_cells():
    assert not numbered([Entity("x", Kind.ROOM, "hall")], MAP).any()
    far = Entity("y", Kind.FURNITURE, "desk", position=(99.0, 99.0, 0.0), size=(1.0, 1.0, 1.0))
    assert not numbered([far], MAP).any() and numbered([], MAP).shape == MAP.shape
