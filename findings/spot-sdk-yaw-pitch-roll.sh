#!/bin/sh
# bosdyn-client 5.2.0 (Spot's SDK), scipy 1.17.1, numpy 2.4.6, Python 3.11. No robot is needed.
#
# Spot's SDK has two ways from a rotation to its angles, and a pose whose pitch is steep, as that of a hand that reaches down, is wrong in both:
#  - quat_to_eulerZYX holds the pitch in radians against 0.9999, as one would its sine: above 57.3 degrees every pose is said to point straight up or down, with roll 0 and a yaw that may lie beyond half a turn.
#  - Quat.to_roll() and to_pitch() are those of yaw, pitch, roll; to_yaw() is not, but the turn about z that comes nearest to the rotation. The three together are another rotation as soon as roll and pitch are both
#    there. (SE2Pose and pose_to_xyz_yaw go by to_yaw().)
#
# Guess before: yaw, pitch and roll as ROS has them from both. Seen, degrees:
#   yaw, pitch, roll         quat_to_eulerZYX        to_yaw, to_pitch, to_roll
#   30, 50, 10               30    50   10           25.3   50   10
#   30, 57, 10               30    57   10           24.6   57   10
#   30, 58, 10               24.4  90   0            24.4   58   10
#   170, 70, -80             230.9 90   0           -129.1  70  -80
#   -60, 5, 90              -60    5    90          -65     5    90
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 scipy==1.17.1 bosdyn-client==5.2.0
v/bin/python - <<'PY'
import numpy as np
from bosdyn.client.math_helpers import Quat, quat_to_eulerZYX
from scipy.spatial.transform import Rotation

for yaw, pitch, roll in ((30, 50, 10), (30, 57, 10), (30, 58, 10), (170, 70, -80), (-60, 5, 90)):
    rotation = Rotation.from_euler("ZYX", (yaw, pitch, roll), degrees=True)
    x, y, z, w = rotation.as_quat()
    quaternion = Quat(w, x, y, z)
    euler = np.degrees(quat_to_eulerZYX(quaternion))
    single = np.degrees((quaternion.to_yaw(), quaternion.to_pitch(), quaternion.to_roll()))
    print(f"{yaw:4} {pitch:3} {roll:4}  quat_to_eulerZYX {euler.round(1)}  to_yaw, to_pitch, to_roll {single.round(1)}")
    nearest = np.degrees(2 * np.arctan2(z, w))
    assert np.allclose(euler, (yaw, pitch, roll) if pitch < 57.3 else (nearest, 90, 0), atol=1e-4)
    assert np.allclose(single[1:], (pitch, roll)) and np.isclose((single[0] - nearest + 180) % 360, 180) and abs(single[0] - yaw) > 4
    if pitch > 57.3:
        assert (rotation.inv() * Rotation.from_euler("ZYX", euler, degrees=True)).magnitude() > np.radians(10)
PY
