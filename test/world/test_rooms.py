"""Which room a point is in."""

import numpy as np

from dadu.world.graph import Entity, Kind, WorldGraph, points_in_polygon

OUTLINE = ((0.0, 0.0), (4.0, 0.0), (4.0, 1.5), (2.5, 3.0), (1.0, 1.0), (0.0, 4.0))


def test_one_point_at_a_time_is_the_same_as_many():
    room = WorldGraph([Entity("den", Kind.ROOM, "den", polygon=OUTLINE)])
    rng = np.random.default_rng(0)
    points = np.vstack([rng.uniform(-1, 5, (400, 2)), OUTLINE, rng.integers(-1, 6, (100, 2)) / 2])
    assert [room.room_at(p) is not None for p in points] == points_in_polygon(OUTLINE, points).tolist()
    assert room.room_at((0.5, 0.5)).id == "den" and room.room_at((2.0, 2.9)) is None


def test_what_has_no_outline_holds_nothing():
    assert WorldGraph([Entity("den", Kind.ROOM, "den")]).room_at((0.0, 0.0)) is None
