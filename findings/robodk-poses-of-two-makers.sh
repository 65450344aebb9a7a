#!/bin/sh
# robodk 6.0.2 (its robomath), scipy 1.17.1, numpy 2.4.6, Python 3.11. Neither RoboDK nor a robot is needed.
#
# robomath has a pair of functions for each robot maker: X_2_Pose reads a position and angles as that controller shows them, Pose_2_X gives them. Two of them are traps among nine that are right:
#  - Staubli_2_Pose turns the angles of the list that it is given from degrees into radians, in place. The pose is right, the caller's target is not any more: read once more it is nearly unturned, and stored or sent it is off by a factor of 57.
#  - Nachi_2_Pose takes the angles as Rx, Ry, Rz and Pose_2_Nachi gives them as Rz, Ry, Rx: there and back swaps the first and the last, though both speak of one "Nachi XYZRPW target".
#
# Guess before: pairs that are inverse to each other, in the convention of each maker. Seen (10 20 30 and 20 -30 50 degrees):
#   Staubli_2_Pose, first and second call        turned by 56.4 and 1.07 degrees; after the first the list ends in 0.349 -0.524 0.873
#   Pose_2_Nachi(Nachi_2_Pose)                   50 -30 20
#   largest error of there and back, of 50 random poses
#     Adept, Comau, Fanuc, KUKA, Motoman, Staubli, Techman, UR, TxyzRxyz    below 1e-6
#     Nachi                                                                 1.9
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 scipy==1.17.1 && v/bin/pip install -q --no-deps robodk==6.0.2
v/bin/python - <<'PY'
import numpy as np
from robodk import robomath
from scipy.spatial.transform import Rotation

generator = np.random.default_rng(0)


def matrix(pose):
    return np.array([[pose[i, j] for j in range(4)] for i in range(4)])


for maker in ("Adept", "Comau", "Fanuc", "KUKA", "Motoman", "Staubli", "Techman", "UR", "TxyzRxyz", "Nachi"):
    worst = 0.0
    for rotation in Rotation.random(50, rng=generator):
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = rotation.as_matrix(), generator.uniform(-500, 500, 3)
        back = getattr(robomath, f"{maker}_2_Pose")(getattr(robomath, f"Pose_2_{maker}")(robomath.Mat(pose.tolist())))
        worst = max(worst, float(np.abs(matrix(back) - pose).max()))
    print(maker, "there and back", f"{worst:.2g}")
    assert (worst > 1) == (maker == "Nachi")

target = [10, 20, 30, 20, -30, 50]
turns = [np.degrees(Rotation.from_matrix(matrix(robomath.Staubli_2_Pose(target))[:3, :3]).magnitude()) for _ in range(2)]
print("Staubli turned by", np.round(turns, 2), "the list is", np.round(target, 3))
assert np.isclose(turns[0], np.degrees(Rotation.from_euler("XYZ", (20, -30, 50), degrees=True).magnitude())) and turns[1] < 2
assert not np.allclose(target[3:], (20, -30, 50)), "the caller's list is left alone now"

for maker in ("Adept", "Comau", "Fanuc", "KUKA", "Motoman", "Techman", "UR", "TxyzRxyz", "Nachi"):
    target = [10, 20, 30, 20, -30, 50]
    getattr(robomath, f"{maker}_2_Pose")(target)
    assert target == [10, 20, 30, 20, -30, 50]

nachi = robomath.Pose_2_Nachi(robomath.Nachi_2_Pose([10, 20, 30, 20, -30, 50]))
print("Nachi there and back", np.round(nachi, 3))
assert np.allclose(nachi, (10, 20, 30, 50, -30, 20))
PY
