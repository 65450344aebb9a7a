"""Scans of lasers mounted in any way end where the walls are, in three dimensions."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dadu.core.errors import NotUsable
from dadu.core.geometry import Pose2, transform
from dadu.incoming.laser import laser_scan
from dadu.navigation.obstacles import rays

HALF = np.array([2.0, 1.5])
"""[m] from the laser to the walls of its room, along x and y of base_link; the robot does not stand in the middle"""
OFFSET = np.array([0.3, 0.4])


def turned(roll=0.0, pitch=0.0, yaw=0.0):
    (cr, sr), (cp, sp), (cy, sy) = ((math.cos(a), math.sin(a)) for a in (roll, pitch, yaw))
    about_x = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    about_y = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    return np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]]) @ about_y @ about_x


def room(T, angles, height=0.2):
    """Ranges to the walls and the floor, by the laser's place in base_link."""
    ranges = []
    for angle in angles:
        d = T[:3, :3] @ (math.cos(angle), math.sin(angle), 0.0)
        walls = [((math.copysign(HALF[i], d[i]) + OFFSET[i]) - T[i, 3]) / d[i] for i in (0, 1) if abs(d[i]) > 1e-9]
        floor = [-T[2, 3] / d[2]] if d[2] < -1e-9 else []
        ranges.append(min([*walls, *floor]))
    return ranges


def message(ranges, angles, **fields):
    return SimpleNamespace(ranges=ranges, angle_min=angles[0], angle_increment=angles[1] - angles[0], range_min=0.05,
                           range_max=10.0, angle_max=angles[-1], **fields)


MOUNTS = {"level": {}, "turned": {"yaw": 2.0}, "upside down": {"roll": math.pi}, "upside down, turned":
          {"roll": math.pi, "yaw": -0.7}, "pitched down": {"pitch": 0.1}, "rolled": {"roll": 0.08, "yaw": 0.3}}


@pytest.mark.parametrize("mount", MOUNTS)
@pytest.mark.parametrize("clockwise", [False, True])
def test_rays_end_at_the_walls(mount, clockwise):
    T = transform(turned(**MOUNTS[mount]), (0.1, -0.05, 0.2))
    angles = np.linspace(-3.0, 3.0, 181)[:: -1 if clockwise else 1]
    scan = laser_scan(message(room(T, angles), angles), 1.0, T)
    all_of = np.arange(len(angles))
    ends = scan.ends(all_of[~scan.on_floor(all_of)])
    off = np.abs(np.abs(ends - OFFSET) - HALF).min(axis=1)
    assert len(ends) > 60 and off.max() < 0.02, mount
    base = Pose2(3.0, 1.0, 0.5)
    _, hits, passed = rays(scan, base, 5.0, 0.05)
    assert np.allclose(np.sort(base.apply(ends)[:, 0]), np.sort(hits[:, 0]), atol=1e-5)
    assert (np.abs(base.inverse().apply(passed) - OFFSET) < HALF + 0.01).all()


def test_what_a_range_means():
    angles = np.linspace(0, 1.5, 7)
    ranges = [1.0, 0.01, 11.0, math.inf, -math.inf, math.nan, 0.0]
    kept = laser_scan(message(ranges, angles), 1.0, np.eye(4)).ranges
    assert np.array_equal(kept, np.float32([1, np.nan, np.inf, np.inf, np.nan, np.nan, np.nan]), equal_nan=True)


@given(st.floats(0.5, 400.0, width=32))
def test_no_wall_stands_where_the_laser_measures_no_farther(farthest):
    """Drivers that know no infinity say their `range_max` where nothing came back."""
    scan = message([np.float32(farthest), 0.3], [0.0, 0.1])
    scan.range_max = farthest
    assert np.array_equal(laser_scan(scan, 1.0, np.eye(4)).ranges, np.float32([np.inf, 0.3]))


@pytest.mark.parametrize("amiss", [
    {"ranges": []}, {"angle_increment": 0.0}, {"angle_increment": math.nan}, {"angle_min": math.inf},
    {"angle_increment": 1.0}, {"angle_min": -180.0}, {"range_max": 0.0}, {"range_max": math.nan}, {"range_min": 12.0},
    {"range_min": -1.0}, {"range_min": math.nan}, {"angle_max": 3.0}, {"angle_max": math.nan},
    {"ranges": [1500.0] * 90, "range_max": 12000.0}])
def test_lasers_that_are_none(amiss):
    scan = message([1.0] * 90, np.linspace(0, 1.5, 90))
    vars(scan).update(amiss)
    with pytest.raises(NotUsable):
        laser_scan(scan, 1.0, np.eye(4))
