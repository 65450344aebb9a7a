"""What is put next to something is next to it, by the test that judges, however small errors of sight and hand are."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dadu.core.geometry import Pose2
from dadu.goals.predicates.table import PREDICATES
from dadu.goals.predicates.truth_view import TruthView
from dadu.manipulation.placing.free_spots import Beside, free_spots
from dadu.manipulation.placing.held import HeldExtent
from dadu.memory.settings import NearnessSettings
from dadu.robots.manipulator_settings import PlaceSettings
from dadu.skills.call import PLACED_NEXT_TO
from dadu.world.boxes import OrientedBox
from dadu.world.graph import Entity, Kind, Surface, WorldGraph
from dadu.world.state import ObjectState, TrueWorld, WorldState

ERROR = 0.05
"""[m] of where a thing is believed to be, and of where it is put down"""
TABLE = Surface("top", Pose2(0, 0, 0), 0.75, (0.9, 1.6), 2.0)
extents = st.floats(0.04, 0.4)


def test_nobody_is_content_with_more_than_the_judge():
    limit, nearness = PREDICATES["is_next_to"].tolerance, NearnessSettings()
    assert limit == PREDICATES["is_clustered"].tolerance
    assert nearness.distance + nearness.slack <= limit
    assert PLACED_NEXT_TO + ERROR <= limit and PlaceSettings().next_to + ERROR <= limit


@given(st.tuples(extents, extents, extents), st.floats(-3, 3), st.floats(0.02, 0.15), st.floats(-3, 3), st.booleans())
def test_where_something_is_put_next_to_a_thing_it_is(size, yaw, half, direction, loose):
    reference = OrientedBox.upright(0.1, 0.2, 0.75, yaw, size) if loose else OrientedBox.upright(0.6, 0.0, 0.0, yaw,
                                                                                                 (0.5, 1.9, 0.5))
    spots = free_spots(TABLE, HeldExtent(2 * half, 2 * half), 0.0, 0.1, np.zeros((0, 3)), Pose2(1, 0, np.pi), 0.0,
                       PlaceSettings(), Beside(reference, loose))
    error = ERROR * np.array([np.cos(direction), np.sin(direction)])
    for spot in spots[::40]:
        x, y = spot.position[:2] + error
        put = ObjectState("put", "mug", OrientedBox.upright(x, y, 0.752, 0.0, (2 * half, 2 * half, 0.1)))
        bed = Entity("bed", Kind.FURNITURE, "bed", (0.6, 0.0, 0.0), yaw, (0.5, 1.9, 0.5))
        bodies = {"put": put} | ({"beside": ObjectState("beside", "bowl", reference)} if loose else {})
        world = TrueWorld(WorldGraph([] if loose else [bed]), WorldState(0.0, Pose2(5, 5, 0), bodies, {}))
        assert PREDICATES["is_next_to"].answer(TruthView(world), "put", "beside" if loose else "bed")
