"""Poses from outside."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dadu.core.geometry import Pose2, quaternion
from dadu.core.received_pose import PoseNotYet, PoseRefused, received_pose
from dadu.core.transforms import TransformTree

METRES = st.floats(-50, 50)
ANGLES = st.floats(-3.1, 3.1)
POSES = st.builds(Pose2, METRES, METRES, ANGLES)
HERE = Pose2(0.0, 0.0, 0.0)
LEVEL = (0.0, 0.0, 0.0, 1.0)


def tree(map_odom=HERE, odom_base=HERE, stamp=10.0):
    made = TransformTree()
    for parent, child, pose in (("map", "odom", map_odom), ("odom", "base_link", odom_base)):
        made.set(parent, child, (pose.x, pose.y, 0.0), quaternion(pose.matrix()[:3, :3]), stamp)
    return made


@given(POSES, POSES, POSES)
def test_a_pose_in_the_base_is_where_the_base_sees_it(map_odom, odom_base, pose):
    q = quaternion(pose.matrix()[:3, :3])
    found = received_pose(tree(map_odom, odom_base), "map", "base_link", (pose.x, pose.y, 0.0), q)
    np.testing.assert_allclose(found.matrix(), (map_odom * odom_base * pose).matrix(), atol=1e-6)


def test_a_pose_in_map_needs_no_transform():
    assert received_pose(TransformTree(), "map", "map", (1.0, 2.0, 0.0), LEVEL) == Pose2(1.0, 2.0, 0.0)


@pytest.mark.parametrize("frame, position, orientation, stamp", [
    ("mars", (1.0, 2.0, 0.0), LEVEL, None),
    ("", (1.0, 2.0, 0.0), LEVEL, None),
    ("map", (math.nan, 2.0, 0.0), LEVEL, None),
    ("map", (math.inf, 2.0, 0.0), LEVEL, None),
    ("map", (1.0, 2.0, 0.0), (0.0, 0.0, 0.0, math.nan), None),
    ("map", (1.0, 2.0, 0.0), (0.0, 0.0, 0.0, 0.0), None),
    ("map", (1.0, 2.0, 0.0), (0.0, 0.0, 0.0, 2.0), None),
    ("base_link", (1.0, 2.0, 0.0), LEVEL, 99.0),
])
def test_what_cannot_be_used_is_refused(frame, position, orientation, stamp):
    with pytest.raises(PoseRefused):
        received_pose(tree(), "map", frame, position, orientation, stamp)


@pytest.mark.parametrize(("stamp", "refusal"), [(10.1, None), (10.5, PoseNotYet), (9.0, PoseRefused)])
def test_a_stamp_after_the_newest_transforms_may_yet_be_of_use(stamp, refusal):
    def received():
        return received_pose(tree(), "map", "base_link", (1.0, 0.0, 0.0), LEVEL, stamp)

    if refusal is None:
        assert received().x == 1.0
    else:
        with pytest.raises(refusal) as caught:
            received()
        assert type(caught.value) is refusal, "what is past does not come again"
