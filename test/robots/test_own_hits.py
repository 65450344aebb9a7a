"""What a laser sees of the robot itself tells nothing of the room."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dadu.core.geometry import Pose2
from dadu.core.robot import LaserScan
from dadu.robots.own_hits import mask_own_hits

FOOTPRINT = ((-0.27, -0.17), (0.07, -0.17), (0.07, 0.17), (-0.27, 0.17))
RAYS = 360
ORIGIN = Pose2(0.0, 0.0, 0.0)


def scan(ranges, laser=ORIGIN):
    return LaserScan(1.0, np.asarray(ranges, np.float32), -np.pi, 2 * np.pi / RAYS, 10.0, laser.matrix())


def test_a_scan_of_a_room_stays_as_it_is():
    seen = scan(np.full(RAYS, 2.0))
    assert mask_own_hits(seen, FOOTPRINT) is seen and not seen.covered


def test_a_box_before_the_laser_covers_it():
    ranges = np.full(RAYS, np.inf)
    ranges[::2] = 0.06
    cleared = mask_own_hits(scan(ranges), FOOTPRINT)
    assert cleared.own == pytest.approx(0.5) and cleared.covered
    assert not np.isfinite(cleared.ranges).any() and np.isinf(cleared.ranges[1::2]).all()


def test_a_mast_hides_a_part_and_covers_nothing():
    ranges = np.full(RAYS, 3.0)
    ranges[:30] = 0.1
    cleared = mask_own_hits(scan(ranges), FOOTPRINT)
    assert np.isnan(cleared.ranges[:30]).all() and (cleared.ranges[30:] == 3.0).all() and not cleared.covered


def test_nothing_within_range_is_not_something_in_the_way():
    assert not mask_own_hits(scan(np.full(RAYS, np.inf)), FOOTPRINT).covered


@given(st.floats(-0.2, 0.0), st.floats(-0.1, 0.1), st.floats(-3, 3), st.integers(0, 2**31))
def test_a_ray_is_left_out_if_it_ends_on_the_robot_wherever_the_laser_is(x, y, yaw, seed):
    ranges = np.random.default_rng(seed).uniform(0.01, 1.0, RAYS)
    angles = -np.pi + 2 * np.pi / RAYS * np.arange(RAYS) + yaw
    ends = np.column_stack([x + ranges * np.cos(angles), y + ranges * np.sin(angles)])
    on_it = (ends[:, 0] > -0.27) & (ends[:, 0] < 0.07) & (np.abs(ends[:, 1]) < 0.17)
    sure = (np.abs(ends[:, 0] - 0.07) > 1e-4) & (np.abs(ends[:, 0] + 0.27) > 1e-4) & (np.abs(
        np.abs(ends[:, 1]) - 0.17) > 1e-4)
    left_out = np.isnan(mask_own_hits(scan(ranges, Pose2(x, y, yaw)), FOOTPRINT).ranges)
    assert (left_out == on_it)[sure].all()
