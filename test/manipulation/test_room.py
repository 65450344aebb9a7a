"""What stands in the arm's way beside what the camera sees."""

import numpy as np

from dadu.core.geometry import Pose2
from dadu.core.robot import LaserScan, Observation
from dadu.manipulation.room import NEAR, WALL, walls
from dadu.world.graph import Entity, Kind, WorldGraph


def seen_by_laser(*distances):
    """At 0, 90, 180... degrees from straight ahead; None: nothing."""
    ranges = np.array([np.inf if d is None else d for d in distances], np.float32)
    return Observation(1.0, Pose2(2.0, 1.0, np.pi / 2), scan=LaserScan(1.0, ranges, 0.0, np.pi / 2, 10.0, np.eye(4)))


def test_a_wall_behind_the_hand_is_as_high_as_the_arm_reaches():
    points = walls(seen_by_laser(None, 0.5), WorldGraph([]))
    np.testing.assert_allclose(points[:, :2], np.tile((1.5, 1.0), (len(WALL), 1)), atol=1e-6)
    np.testing.assert_allclose(points[:, 2], WALL)


def test_furniture_is_as_high_as_it_is_known_to_be():
    table = Entity("table_0", Kind.FURNITURE, "table", (1.2, 1.0, 0.0), size=(0.5, 1.0, 0.7))
    assert not len(walls(seen_by_laser(None, 0.5), WorldGraph([table])))
    assert len(walls(seen_by_laser(None, 0.5, 0.6), WorldGraph([table]))) == len(WALL)


def test_what_is_far_off_is_in_nobodys_way():
    assert not len(walls(seen_by_laser(NEAR + 0.1, None), WorldGraph([])))
    assert not len(walls(Observation(1.0, Pose2(0.0, 0.0, 0.0)), WorldGraph([])))
