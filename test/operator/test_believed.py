"""Where a recorded robot took itself to be, and how far off that was."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dadu.core.geometry import Pose2
from dadu.operator.run.pose_error import BelievedPath, PoseErrors

poses = st.builds(Pose2, st.floats(-5, 5), st.floats(-5, 5), st.floats(-3, 3))


def path(*odometry, corrections=((0.0, 1.0, 2.0, math.pi / 2),)):
    return BelievedPath(np.array(odometry, float).reshape(-1, 4), np.array(corrections, float))


def test_odometry_is_interpolated_and_corrected():
    drive = path((0.0, 0.0, 0.0, 3.1), (0.1, 0.2, 0.0, -3.1))
    assert drive.at(0.05)[:2] == pytest.approx((1.0, 2.1))
    assert abs(drive.at(0.05).yaw) == pytest.approx(math.pi / 2), "over the jump of the angle, not back all the way"


@pytest.mark.parametrize("stamp", [-0.1, 0.5, 3.0])
def test_what_is_not_recorded_is_not_known(stamp):
    """Before the start, in a gap of the odometry, long after the last correction."""
    drive = path((0.0, 0, 0, 0), (0.1, 0, 0, 0), (1.0, 0, 0, 0), *((2.9 + 0.1 * n, 0, 0, 0) for n in range(3)))
    assert drive.at(stamp) is None and BelievedPath.unknown().at(stamp) is None


@given(poses, poses, poses)
def test_without_a_map_frames_are_laid_over_each_other_at_the_start(off, start, later):
    given_map, own_map = PoseErrors(mapped=True), PoseErrors(mapped=False)
    for errors in (given_map, own_map):
        errors.add(off.inverse() * start, start)
        errors.add(off.inverse() * later, later)
    assert own_map.result().max == pytest.approx(0.0, abs=1e-3)
    assert given_map.result().max >= 0.0 and PoseErrors(mapped=True).result() is None


def test_mean_and_greatest():
    errors = PoseErrors(mapped=True)
    errors.add(Pose2(0.0, 0.0, 3.1), Pose2(0.0, 0.03, -3.1))
    errors.add(Pose2(1.0, 0.0, 0.0), Pose2(1.0, 0.01, 0.0))
    found = errors.result()
    assert (found.mean, found.max) == pytest.approx((0.02, 0.03))
    assert found.max_yaw == pytest.approx(2 * math.pi - 6.2, abs=1e-4)
