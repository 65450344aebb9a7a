"""What stands where a thing was last seen is found by depth, where the detector sees nothing that is called so."""

from dataclasses import replace

import numpy as np
import pytest

from dadu.core.geometry import Pose2
from dadu.manipulation.grasp.by_shape import standing, whole
from dadu.world.detection import Detection, DetectionFrame
from dadu.world.graph import Entity, Kind, Surface, WorldGraph

HEIGHT = 0.6
EYE = np.array([0.0, -0.5, 1.3])
TABLE = Entity("table_0", Kind.FURNITURE, "table", (0.0, 0.0, 0.0), size=(0.8, 0.8, HEIGHT),
               surfaces=(Surface("top", Pose2(0.0, 0.0, 0.0), HEIGHT, (0.8, 0.8), 2.0),))
GLASSES = Entity("spectacles_0", Kind.OBJECT, "spectacles", (0.05, 0.1, HEIGHT + 0.02), size=(0.14, 0.12, 0.04))


def picture(*things, detections=()):
    """What a camera that looks down from `EYE` sees of a table with boxes (middle x, y, size x, y, height) on it."""
    down = np.arctan2(EYE[2] - HEIGHT, -EYE[1])
    z = np.array([0.0, np.cos(down), -np.sin(down)])
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = np.column_stack([(1.0, 0.0, 0.0), np.cross(z, (1.0, 0.0, 0.0)), z]), EYE
    K = np.array([[500.0, 0.0, 320.0], [0.0, 500.0, 240.0], [0.0, 0.0, 1.0]])
    v, u = np.indices((60, 80)) * 8 + 4
    rays = np.stack([(u - 320.0) / 500.0, (v - 240.0) / 500.0, np.ones(u.shape)], axis=-1) @ T[:3, :3].T
    depth = (HEIGHT - EYE[2]) / rays[..., 2]
    for x, y, wide, deep, tall in things:
        above = (HEIGHT + tall - EYE[2]) / rays[..., 2]
        hit = EYE[:2] + above[..., None] * rays[..., :2]
        depth = np.where((np.abs(hit - (x, y)) < (wide / 2, deep / 2)).all(axis=-1), above, depth)
    return DetectionFrame(0.0, T, K, 640, 480, depth.astype(np.float32), tuple(detections))


def found(*things, detections=(), others=()):
    return standing(picture(*things, detections=detections), WorldGraph([TABLE, GLASSES, *others]), GLASSES)


def seen(label, x, y, score):
    dx, dy = np.meshgrid(np.arange(-0.07, 0.071, 0.01), np.arange(-0.06, 0.061, 0.01))
    points = np.column_stack([x + dx.ravel(), y + dy.ravel(), np.full(dx.size, HEIGHT + 0.03)]).astype(np.float32)
    return Detection(label, score, (0, 0, 9, 9), 80, points, np.array((x, y, HEIGHT + 0.02)), np.full(3, 0.1))


def test_what_stands_at_its_place_is_it():
    points = found((0.07, 0.1, 0.14, 0.12, 0.03), (-0.2, 0.1, 0.1, 0.1, 0.1))
    assert points.mean(axis=0) == pytest.approx((0.07, 0.1, HEIGHT + 0.03), abs=0.01)
    assert np.ptp(points[:, :2], axis=0) == pytest.approx((0.14, 0.12), abs=0.02)


@pytest.mark.parametrize("thing", [
    (0.2, 0.1, 0.14, 0.12, 0.03), (0.05, 0.1, 0.3, 0.12, 0.03), (0.05, 0.1, 0.04, 0.03, 0.03),
    (0.05, 0.1, 0.14, 0.12, 0.2), (0.05, 0.1, 0.14, 0.12, 0.005)],
    ids=["elsewhere", "longer", "smaller", "taller", "as_flat_as_paper"])
def test_not_what_is_elsewhere_or_of_another_size(thing):
    assert found(thing) is None and found() is None


def test_what_is_certainly_something_else_is_not_taken_for_it():
    there = (0.05, 0.1, 0.14, 0.12, 0.03)
    assert found(there, detections=[seen("book", 0.05, 0.1, 0.9)]) is None
    assert found(there, detections=[seen("book", 0.05, 0.1, 0.3)]) is not None
    assert found(there, detections=[seen("book", 0.3, 0.1, 0.9)]) is not None


def test_nor_is_another_thing_that_is_known_to_be_nearer():
    there, book = (0.11, 0.1, 0.14, 0.12, 0.03), replace(GLASSES, id="book_0", position=(0.12, 0.1, HEIGHT + 0.02))
    assert found(there) is not None and found(there, others=[book]) is None


def test_where_no_surface_is_known_nothing_stands():
    assert standing(picture((0.05, 0.1, 0.14, 0.12, 0.03)), WorldGraph([GLASSES]), GLASSES) is None


def cap(score):
    """A detection of a part of what stands there, 14 by 12 cm: the corner."""
    points = seen("pepper_shaker", 0.0, 0.0, score).points[::4] * (0.2, 0.2, 1.0)
    return replace(seen("pepper_shaker", 0.0, 0.06, score), points=(points + (0.0, 0.06, 0.0)).astype(np.float32))


@pytest.mark.parametrize(("score", "expected"), [(0.2, (0.14, 0.12)), (0.9, (0.028, 0.024))])
def test_what_is_seen_of_it_may_be_a_part(score, expected):
    """A tube's cap; of what is certain the mask counts."""
    part = cap(score)
    frame = picture((0.05, 0.1, 0.14, 0.12, 0.03), (0.35, 0.1, 0.1, 0.1, 0.03), detections=[part])
    assert np.ptp(whole(frame, WorldGraph([TABLE]), part)[:, :2], axis=0) == pytest.approx(expected, abs=0.02)


def test_what_is_certainly_another_thing_is_no_part_of_it():
    part, beside = cap(0.2), seen("book", 0.05, 0.1, 0.9)
    frame = picture((0.05, 0.1, 0.14, 0.12, 0.03), detections=[part, beside])
    assert np.ptp(whole(frame, WorldGraph([TABLE]), part)[:, :2], axis=0).max() < 0.05


def test_what_is_too_long_for_one_thing_is_left_as_it_was_seen():
    part = cap(0.2)
    frame = picture((0.05, 0.1, 0.6, 0.12, 0.03), detections=[part])
    assert whole(frame, WorldGraph([TABLE]), part) is part.points
