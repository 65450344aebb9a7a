"""Boxes from the visible side of synthetic things."""

import numpy as np
import pytest

from dadu.manipulation.grasp.shape import fit_box

EYE = np.array([0.0, 0.7, 1.3])
RNG = np.random.default_rng(1)


def box_surface(size, yaw, bottom, count=4000) -> np.ndarray:
    """Points on a box's faces that EYE sees."""
    half = np.array(size) / 2
    points, normals = [], []
    for axis in range(3):
        for side in (-1, 1):
            p = RNG.uniform(-1, 1, (count // 6, 3)) * half
            p[:, axis] = side * half[axis]
            points.append(p)
            normals.append(np.tile(side * np.eye(3)[axis], (len(p), 1)))
    return visible(np.concatenate(points), np.concatenate(normals), yaw, bottom + half[2])


def cylinder_surface(radius, height, bottom, count=4000) -> np.ndarray:
    angle, z = RNG.uniform(0, 2 * np.pi, count), RNG.uniform(-height / 2, height / 2, count)
    side = np.column_stack([radius * np.cos(angle), radius * np.sin(angle), z])
    flat = np.column_stack([np.cos(angle), np.sin(angle), np.zeros(count)])
    r = radius * np.sqrt(RNG.uniform(0, 1, count // 2))
    top = np.column_stack([r * np.cos(angle[:len(r)]), r * np.sin(angle[:len(r)]), np.full(len(r), height / 2)])
    up = np.tile([0.0, 0.0, 1.0], (len(r), 1))
    return visible(np.concatenate([side, top]), np.concatenate([flat, up]), 0.0, bottom + height / 2)


def visible(points, normals, yaw, centre_z) -> np.ndarray:
    c, s = np.cos(yaw), np.sin(yaw)
    R = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    points, normals = points @ R.T + (0.0, 0.0, centre_z), normals @ R.T
    return points[np.einsum("ij,ij->i", EYE - points, normals) > 0]


@pytest.mark.parametrize("yaw", [0.0, 0.3, 0.7, 1.2])
def test_a_box_is_found_with_its_turn(yaw):
    box = fit_box(box_surface((0.16, 0.06, 0.24), yaw, 0.75), EYE, 0.75)
    assert not box.round
    np.testing.assert_allclose(sorted(box.size), (0.06, 0.16), atol=0.006)
    np.testing.assert_allclose(box.centre, 0.0, atol=0.005)
    assert box.height == pytest.approx(0.24, abs=0.005)
    longest = box.yaw if box.size[0] > box.size[1] else box.yaw + np.pi / 2
    assert abs(np.sin(longest - yaw)) < 0.05


def test_a_can_is_round():
    box = fit_box(cylinder_surface(0.033, 0.12, 0.75), EYE, 0.75)
    assert box.round and not box.hollow
    np.testing.assert_allclose(box.size, 0.066, atol=0.005)


def test_a_bowl_is_hollow():
    points = cylinder_surface(0.075, 0.07, 0.75)
    inner = np.linalg.norm(points[:, :2], axis=1) < 0.065
    points[inner, 2] = np.minimum(points[inner, 2], 0.77)
    assert fit_box(points, EYE, 0.75).hollow


def test_what_is_seen_from_the_front_only_is_as_deep_as_wide():
    eye = np.array([0.0, 0.8, 1.2])
    points = np.column_stack([RNG.uniform(-0.035, 0.035, 500), np.full(500, 0.035), RNG.uniform(1.2, 1.4, 500)])
    box = fit_box(points + RNG.normal(0, 0.001, points.shape), eye, 1.2)
    np.testing.assert_allclose(box.size, 0.07, atol=0.01)
    np.testing.assert_allclose(box.centre, (0.0, 0.0), atol=0.01)


def test_contains_and_width():
    box = fit_box(box_surface((0.1, 0.06, 0.1), 0.0, 0.5), EYE, 0.5)
    assert box.width(0.0) == pytest.approx(0.1, abs=0.005)
    assert box.width(np.pi / 2) == pytest.approx(0.06, abs=0.005)
    assert box.contains(np.array([[0.04, 0.02, 0.55], [0.06, 0.0, 0.55]])).tolist() == [True, False]
