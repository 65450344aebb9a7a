"""From what a network says of each pixel to things: parted by depth, cut by middles."""

import numpy as np
import pytest

from dadu.perception.learned.cutter import evidence
from dadu.perception.learned.instances import InstanceSettings, _parted, furniture, objects
from dadu.perception.learned.weights import KNOWN

SETTINGS = InstanceSettings()


def said(*things, shape=(40, 60)):
    """Geometry (6, h, w) of things that are rows, columns and their middle (row, column)."""
    geometry = np.zeros((6, *shape), np.float32)
    geometry[0] = 1
    for rows, columns, (row, column) in things:
        geometry[0, rows, columns], geometry[2, rows, columns], geometry[3, row, column] = 0, 0.9, 0.8
        y, x = np.mgrid[rows, columns]
        geometry[4, rows, columns], geometry[5, rows, columns] = column - x, row - y
    return geometry


def test_what_touches_is_cut_where_there_are_several_middles():
    geometry = said((np.s_[10:20], np.s_[10:20], (15, 15)), (np.s_[10:20], np.s_[20:30], (15, 25)))
    labels = objects(geometry, np.full((40, 60), 1.5), SETTINGS)
    assert sorted(np.bincount(labels.ravel())[1:]) == [100, 100]


def test_parts_of_different_depth_stay_apart():
    geometry, depth = said((np.s_[10:20], np.s_[10:20], (15, 15)), (np.s_[10:20], np.s_[20:30], (15, 25))), 1.5
    depth = np.where(np.arange(60) < 20, 1.5, 1.8) * np.ones((40, 1))
    geometry[3, 15, 25] = 0.1  # the network is not sure of its middle
    assert sorted(np.bincount(objects(geometry, depth, SETTINGS).ravel())[1:]) == [100, 100]


def test_nothing_there_is_nothing_found():
    empty, nothing = said(), np.zeros((40, 60), int)
    assert not objects(empty, np.zeros((40, 60)), SETTINGS).any()
    assert evidence(nothing, empty[2], empty[3], empty[4:6], np.zeros((40, 60))).shape == (0, len(KNOWN))


def test_what_is_known_of_a_mask():
    geometry = said((np.s_[0:10], np.s_[10:20], (5, 15)))
    parts = (geometry[2] > 0.5).astype(int)
    depth = np.where(np.arange(60) < 15, 0, 2.0) * np.ones((40, 1))  # half of it gives no reading
    (row,) = evidence(parts, geometry[2], geometry[3], geometry[4:6], depth)
    known = dict(zip(KNOWN, row))
    assert known["pixels"] == pytest.approx(np.log(100)) and known["probability"] == pytest.approx(np.log(9), abs=1e-4)
    assert known["border"] == pytest.approx(0.1) and known["distance"] == pytest.approx(np.log(2))
    assert known["middle"] == pytest.approx(np.log(4), abs=1e-4)
    astray = geometry[4:6] + np.random.default_rng(0).normal(0, 5, (2, 40, 60))
    (worse,) = evidence(parts, geometry[2], geometry[3], astray, np.full((40, 60), 2.0))
    assert worse[KNOWN.index("agreement")] < known["agreement"] - 1


def test_parts_are_those_of_a_graph_of_neighbours():
    rng = np.random.default_rng(0)
    mask, kind = rng.random((30, 41)) < 0.7, rng.integers(0, 2, (30, 41))
    depth = rng.choice([0.0, 1.0, 1.5], (30, 41), p=[0.1, 0.8, 0.1])
    for kinds in (None, kind):
        expected, number, waiting = np.zeros(mask.shape, int), 0, []
        for start in np.argwhere(mask):
            if expected[tuple(start)]:
                continue
            number += 1
            waiting.append(tuple(start))
            while waiting:
                here = waiting.pop()
                if expected[here]:
                    continue
                expected[here] = number
                for step in ((0, 1), (0, -1), (1, 0), (-1, 0)):
                    there = here[0] + step[0], here[1] + step[1]
                    if not (0 <= there[0] < 30 and 0 <= there[1] < 41 and mask[there]):
                        continue
                    jumps = depth[here] > 0 and depth[there] > 0 and depth[here] != depth[there]
                    if not jumps and (kinds is None or kinds[here] == kinds[there]):
                        waiting.append(there)
        np.testing.assert_array_equal(_parted(mask, depth, (0.025, 0.015), kinds), expected)


def test_furniture_is_numbered_category_by_category():
    geometry, category = np.zeros((6, 40, 60), np.float32), np.zeros((40, 60), int)
    geometry[1, :, :50] = 0.9
    category[:, 20:30] = 1  # between two pieces of category 0
    labels = furniture(geometry, category, np.full((40, 60), 1.5), SETTINGS)
    assert [labels[5, column] for column in (5, 25, 45, 55)] == [1, 3, 2, 0]
