#!/bin/sh
# filterpy 2.0.0, scipy 1.17.1, numpy 2.4.6, Python 3.11.
#
# Two filters for tracking, as they come:
#  - kinematic_kf makes a constant velocity filter in as many dimensions as wanted; by its docstring it measures one position in each. In two dimensions and more, H measures the sum of the positions: one row 1 0 1 0, and with
#    dim_z=2, so that x and y fit, the same row twice. No error comes of it: whoever stands at 3, 1 is tracked to 1, 1, and at 3, -1 to 0.5, 0.5. In one dimension it is right.
#  - CubatureKalmanFilter should be the Kalman filter where the system is linear, as the package's unscented, extended and square root filters are. Its points are not drawn again after the process noise is added, so that noise
#    counts one step late: the first measurement after a step with much noise is all but ignored, and the variance that it gives is that before the measurement.
#
# Guess before: for the filters, all agree on a linear system. For kinematic_kf none was written down; by its docstring H has one position in each row. Seen:
#   kinematic_kf(2, 1), H                                     1 0 1 0
#   kinematic_kf(2, 1, dim_z=2), H                            1 0 1 0, 1 0 1 0; 200 times told 3, 1: at 1.0, 1.0; told 3, -1: at 0.5, 0.5
#   a position that stays, noise of process and measurement 1:   first estimate from 0 (variance 0.01) when told 1   variance after many steps
#     Kalman, extended, unscented, square root                   0.502                                              0.618
#     Cubature                                                   0.0099                                             1.618
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 scipy==1.17.1 && v/bin/pip install -q --no-deps filterpy==2.0.0
v/bin/python - <<'PY'
import numpy as np
from filterpy.common import kinematic_kf
from filterpy.kalman import CubatureKalmanFilter, ExtendedKalmanFilter, KalmanFilter, MerweScaledSigmaPoints, SquareRootKalmanFilter, UnscentedKalmanFilter

ROW = [1, 0, 1, 0]
assert kinematic_kf(1, 1, dt=0.1).H.tolist() == [[1, 0]]
assert kinematic_kf(2, 1, dt=0.1).H.tolist() == [ROW], "H has one position in each row now"
for place, ends in (((3, 1), (1, 1)), ((3, -1), (0.5, 0.5))):
    tracker = kinematic_kf(2, 1, dt=0.1, dim_z=2)
    assert tracker.H.tolist() == [ROW, ROW]
    for _ in range(200):
        tracker.predict()
        tracker.update(np.array(place, float).reshape(2, 1))
    seen = tracker.x.ravel()[[0, 2]]
    print("told", place, "tracked to", seen.round(3))
    assert np.allclose(seen, ends, atol=0.02)

one = np.eye(1)
filters = {"Kalman": KalmanFilter(1, 1), "extended": ExtendedKalmanFilter(1, 1), "square root": SquareRootKalmanFilter(1, 1),
           "unscented": UnscentedKalmanFilter(1, 1, 1.0, lambda x: x, lambda x, dt: x, MerweScaledSigmaPoints(1, 0.5, 2, 2)), "cubature": CubatureKalmanFilter(1, 1, 1.0, lambda x: x, lambda x, dt: x)}
for name, kalman in filters.items():
    kalman.x, kalman.P, kalman.Q, kalman.R, kalman.F, kalman.H = (np.zeros(1) if name == "unscented" else np.zeros((1, 1))), 0.01 * one, one.copy(), one.copy(), one, one
    estimates = []
    for z in [1.0] * 50:
        kalman.predict()
        z = np.array([z]) if name == "unscented" else np.array([[z]])
        kalman.update(z, lambda x: one, lambda x: x) if name == "extended" else kalman.update(z)
        estimates.append(float(np.ravel(kalman.x)[0]))
    variance = float(np.ravel(kalman.P)[0])
    print(name, "first estimate", round(estimates[0], 4), "variance at last", round(variance, 3))
    expected = (0.01 / 1.01, (5**0.5 + 1) / 2) if name == "cubature" else (1.01 / 2.01, (5**0.5 - 1) / 2)
    assert np.allclose((estimates[0], variance), expected, atol=1e-3)
PY
