import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dadu.core.geometry import Pose2, apply, inverse, quaternion, rotation, transform, wrap

angles = st.floats(-10, 10)
poses = st.builds(Pose2, st.floats(-5, 5), st.floats(-5, 5), st.floats(-math.pi, math.pi))
quaternions = st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda q: np.linalg.norm(q) > 0.1)


@given(angles)
def test_wrap_keeps_direction_and_range(angle):
    assert -math.pi < wrap(angle) <= math.pi
    assert math.isclose(math.cos(wrap(angle)), math.cos(angle), abs_tol=1e-9)
    assert math.isclose(math.sin(wrap(angle)), math.sin(angle), abs_tol=1e-9)


@given(poses, poses)
def test_planar_and_spatial_composition_agree(a, b):
    assert np.allclose((a * b).matrix(), a.matrix() @ b.matrix(), atol=1e-9)
    assert np.allclose((a * a.inverse())[:2], 0, atol=1e-9)
    assert np.allclose(a.apply(np.array([b[:2]])), [(a * b)[:2]], atol=1e-9)


@given(quaternions)
def test_quaternion_round_trip(q):
    R = rotation(q)
    assert np.allclose(R @ R.T, np.eye(3), atol=1e-9)
    assert np.allclose(rotation(quaternion(R)), R, atol=1e-9)


@given(quaternions, st.tuples(*[st.floats(-5, 5)] * 3))
def test_inverse_undoes_apply(q, p):
    T = transform(rotation(q), p)
    points = np.array([[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]])
    assert np.allclose(apply(inverse(T), apply(T, points)), points, atol=1e-9)
