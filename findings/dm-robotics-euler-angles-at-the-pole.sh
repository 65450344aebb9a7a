#!/bin/sh
# dm_robotics-transformations 0.10.0, absl-py 2.5.1, scipy 1.17.1, numpy 2.4.6, Python 3.11.
#
# rmat_to_euler and quat_to_euler give angles in twelve orders. Away from the poles all are right. At a pole, where two of three axes fall together, many triples stand for the same rotation and any would do; in nine orders the one that is given stands
# for another rotation, off by up to half a turn. One of them is ZYX, the yaw, pitch and roll of ROS, at a pitch of -90 degrees: a camera or a gripper that looks straight up, and whatever is within a twentieth of a degree of it. XZY and YZX have
# such a pole as well, XYX, YZY and ZXZ where the middle angle is 0, XZX, YXY and ZYZ where it is 0 or 180 degrees. A line in the log says that there is a pole, also at those where the answer is right.
#   integrate_quat, which turns by an angular velocity times the time step, turns by 2 atan(angle / 2): by 0.927 rad for 1 rad, never by more than half a turn.
#
# Guess before: some triple that stands for the same rotation; integrate_quat turns by the angle. Seen (of 200 random pairs of the other two angles, the largest error in degrees; 180 stands for 168 to 180):
#   middle angle    -90, or 0   -89.95, or 0.05   -89.4   +90, or 180   +89.95
#   XYZ YXZ ZXY            0        0.05 or less       0             0    0.05 or less
#   XZY ZYX              180         180               0             0    0.05 or less
#   YZX                    0        0.05 or less       0           180     180
#   XYX YZY ZXZ          180           0               0             0       0
#   XZX YXY ZYZ          180           0               0           180       0
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 scipy==1.17.1 absl-py==2.5.1 dm_robotics-transformations==0.10.0
v/bin/python - 2>/dev/null <<'PY'
import numpy as np
from dm_robotics.transformations import transformations
from scipy.spatial.transform import Rotation

generator = np.random.default_rng(0)


def worst(order, middle):
    """The largest error in degrees, by matrix and by quaternion, of rotations with that middle angle (degrees)."""
    errors = []
    for first, last in generator.uniform(-np.pi, np.pi, (200, 2)):
        rotation = Rotation.from_euler(order, (first, np.radians(middle), last))
        for angles in (transformations.rmat_to_euler(rotation.as_matrix(), ordering=order),
                       transformations.quat_to_euler(rotation.as_quat(scalar_first=True), ordering=order)):
            errors.append(np.degrees((Rotation.from_euler(order, angles).inv() * rotation).magnitude()))
    return max(errors)


wrong = {"XZY": (-90,), "ZYX": (-90,), "YZX": (90,), "XYX": (0,), "YZY": (0,), "ZXZ": (0,), "XZX": (0, 180), "YXY": (0, 180), "ZYZ": (0, 180)}
for order in ("XYZ", "YXZ", "ZXY", "XZY", "ZYX", "YZX", "XYX", "YZY", "ZXZ", "XZX", "YXY", "ZYZ"):
    proper = order[0] == order[2]
    for pole, inwards in (((0, 1), (180, -1)) if proper else ((-90, 1), (90, -1))):
        at, near, off = (worst(order, pole + inwards * away) for away in (0, 0.05, 0.6))
        print(f"{order} at {pole}: {at:.3g}, 0.05 degrees away {near:.3g}, 0.6 degrees away {off:.3g}")
        if pole in wrong.get(order, ()):
            assert at > 150 and (near < 1e-3 if proper else near > 150)
        else:
            assert at < 1e-3 and near < 0.06
        assert off < 1e-3

for angle, turned in ((0.1, 0.0999), (1.0, 0.9273), (2.0, 1.5708)):
    w, _, _, z = transformations.integrate_quat(np.array([1.0, 0, 0, 0]), np.array([0, 0, angle]))
    print("integrate_quat", angle, "turns by", round(2 * np.arctan2(z, w), 4))
    assert abs(2 * np.arctan2(z, w) - turned) < 1e-4
print("as stated")
PY
