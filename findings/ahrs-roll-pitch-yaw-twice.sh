#!/bin/sh
# ahrs 0.4.0, scipy 1.17.1, numpy 2.4.6, Python 3.11.
#
# Quaternion and DCM (the rotation matrix) of one package both take and give roll, pitch and yaw. Quaternion means what ROS means: Rz(yaw) Ry(pitch) Rx(roll), and reads back what it was given. DCM(rpy=...) takes the
# three numbers in the other order, DCM.to_rpy() reads neither order back but the angles of the inverse, and DCM.log is the logarithm of the inverse as well, while DCM.to_axisangle() of the same object is
# right. The example in the documentation of Quaternion.from_angles shows both classes giving one rotation; with the angles of that example they are 33 degrees apart. Angles about one axis alone hide half of it.
#
# Guess before: both are the same rotation, to_rpy inverts rpy, log agrees with the axis and angle. Seen for roll, pitch, yaw = 0.3, -0.5, 0.9:
#   Quaternion(rpy) against Rz(0.9) Ry(-0.5) Rx(0.3)          0 degrees off, reads back 0.3 -0.5 0.9
#   DCM(rpy) against it                                       35 degrees off; it is Rz(0.3) Ry(-0.5) Rx(0.9)
#   DCM(rpy).to_rpy()                                         -0.993 0.053 -0.574
#   Rx(0.3): DCM.to_rpy(), DCM.to_axisangle(), DCM.log about x  -0.3, 0.3, -0.3
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 scipy==1.17.1 ahrs==0.4.0
v/bin/python - <<'PY'
import numpy as np
from ahrs import DCM, Quaternion
from scipy.spatial.transform import Rotation


def apart(first, second):
    return np.degrees((Rotation.from_matrix(np.asarray(first)).inv() * Rotation.from_matrix(np.asarray(second))).magnitude())


angles = np.array([0.3, -0.5, 0.9])
ros, reverse = (Rotation.from_euler("ZYX", order).as_matrix() for order in (angles[::-1], angles))
quaternion, matrix = Quaternion(rpy=angles), DCM(rpy=angles)
print(f"Quaternion: {apart(quaternion.to_DCM(), ros):.1f} degrees off, reads back {quaternion.to_angles().round(3)}")
print(f"DCM: {apart(matrix, ros):.1f} degrees off, {apart(matrix, reverse):.1f} from the reverse order, reads back {matrix.to_rpy().round(3)}")
assert apart(quaternion.to_DCM(), ros) < 1e-6 and np.allclose(quaternion.to_angles(), angles)
assert apart(matrix, ros) > 30 and apart(matrix, reverse) < 1e-6
assert np.allclose(DCM(np.asarray(matrix)).to_rpy(), Rotation.from_matrix(reverse.T).as_euler("ZYX")[::-1])
example = np.radians([10.0, 20.0, 30.0])
print(f"the example of the documentation: {apart(Quaternion(rpy=example).to_DCM(), DCM(rpy=example)):.1f} degrees apart")
assert apart(Quaternion(rpy=example).to_DCM(), DCM(rpy=example)) > 20
turn = DCM(Rotation.from_euler("x", 0.3).as_matrix())
axis, angle = turn.to_axisangle()
print("Rx(0.3):", turn.to_rpy()[0].round(3), (axis * angle)[0].round(3), turn.log[2, 1].round(3))
assert np.isclose(turn.to_rpy()[0], -0.3) and np.isclose((axis * angle)[0], 0.3) and np.isclose(turn.log[2, 1], -0.3)
PY
