import numpy as np
import pytest

from dadu.core.errors import NotUsable
from dadu.core.geometry import Pose2, quaternion
from dadu.core.transforms import TransformError, TransformTree


def put(tree, parent, child, pose: Pose2, stamp):
    T = pose.matrix()
    tree.set(parent, child, T[:3, 3], quaternion(T[:3, :3]), stamp)


@pytest.fixture
def tree():
    tree = TransformTree()
    put(tree, "map", "odom", Pose2(1, 0, 0.5), 0.0)
    put(tree, "map", "odom", Pose2(1, 0, 0.5), 2.0)
    put(tree, "odom", "base_link", Pose2(0, 0, 0), 0.0)
    put(tree, "odom", "base_link", Pose2(1, 0, 0.2), 1.0)
    tree.set_static("base_link", "laser", (0, 0, 0.2), (0, 0, 0, 1))
    return tree


def test_chains_and_interpolates(tree):
    expected = Pose2(1, 0, 0.5) * Pose2(0.5, 0, 0.1)
    assert np.allclose(tree.lookup("map", "laser", 0.5), expected.matrix(0.2), atol=1e-6)


def test_is_its_own_inverse(tree):
    there, back = tree.lookup("laser", "map", 0.7), tree.lookup("map", "laser", 0.7)
    assert np.allclose(there @ back, np.eye(4), atol=1e-9)


def test_newest_without_a_stamp_and_just_beyond(tree):
    newest = Pose2(1, 0, 0.5) * Pose2(1, 0, 0.2)
    assert np.allclose(tree.lookup("map", "base_link"), newest.matrix())
    assert np.allclose(tree.lookup("map", "base_link", 1.1), newest.matrix())


def test_refuses_what_it_does_not_cover(tree):
    with pytest.raises(TransformError, match="known from 0.000 s to 1.000 s"):
        tree.lookup("map", "base_link", 1.9)
    with pytest.raises(TransformError, match="known frames: base_link, laser, map, odom"):
        tree.lookup("map", "camera")


def test_time_going_back_starts_over(tree):
    put(tree, "odom", "base_link", Pose2(3, 0, 0), 100.0)
    put(tree, "odom", "base_link", Pose2(4, 0, 0), 1.0)
    assert tree.lookup("odom", "base_link", 1.0)[0, 3] == 4


def test_of_two_parents_in_turn_one_counts_and_it_is_said_for_as_long_as_both_go_on(tree):
    for i in range(20):
        put(tree, "map", "base_link", Pose2(5, 0, 0), 2.0 + i)
        with pytest.raises(NotUsable, match="'base_link' is put into 'map' and 'odom' in turn"):
            put(tree, "odom", "base_link", Pose2(1, 0, 0), 2.0 + i)
        assert tree.lookup("map", "base_link", 2.0 + i)[0, 3] == 5
    put(tree, "odom", "base_link", Pose2(1, 0, 0), 40.0)
    assert tree.parent("base_link") == "odom", "the other has gone silent"


def test_a_frame_that_two_fix_or_that_is_fixed_and_moves_is_said_and_the_newest_counts(tree):
    tree.set_static("base_link", "laser", (0, 0, 0.3), (0, 0, 0, 1))  # as from a calibration
    with pytest.raises(NotUsable, match="'laser' was fixed in 'base_link', and now is in 'odom'"):
        tree.set_static("odom", "laser", (0, 0, 0.3), (0, 0, 0, 1))
    assert tree.parent("laser") == "odom"
    with pytest.raises(NotUsable, match="'laser' was fixed, and now moves in 'base_link'"):
        put(tree, "base_link", "laser", Pose2(3, 0, 0), 1.0)
    put(tree, "base_link", "laser", Pose2(4, 0, 0), 1.1)
    assert tree.lookup("base_link", "laser")[0, 3] == 4
    with pytest.raises(NotUsable, match="two places at 1.100"):
        put(tree, "base_link", "laser", Pose2(4, 0, 0.5), 1.1)


def test_how_new_it_is_whichever_hangs_in_the_other(tree):
    assert tree.newest("map", "base_link") == tree.newest("base_link", "map") == 2.0
    assert tree.newest("odom", "laser") == 1.0 and tree.newest("base_link", "laser") is None
    other = TransformTree()
    put(other, "body", "odom", Pose2(1, 0, 0), 5.0)
    other.set_static("body", "base_link", (0, 0, 0), (0, 0, 0, 1))
    assert other.newest("odom", "base_link") == 5.0
    with pytest.raises(TransformError, match="not connected"):
        other.newest("map", "base_link")
