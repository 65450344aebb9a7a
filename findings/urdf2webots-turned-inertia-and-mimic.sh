#!/bin/sh
# urdf2webots 2025.0.0, numpy 2.4.6, Python 3.11. Webots is not needed.
#
# The converter from URDF to Webots' PROTO files. Poses, axes, limits of joints, masses and centres of mass come over. Two things do not, and nothing is said:
#  - <inertial><origin rpy="..."/>, the frame in which a link's inertia is given: the matrix is turned by the inverse of that rotation, so its products of inertia have the wrong sign where it is a turn about one axis. Without rpy, as many files are, all is right.
#  - <mimic>: the joint gets a motor of its own. Of a gripper's two fingers one moves.
#
# Guess before: inertias as given; mimic lost. Seen (0.7 kg, moments 0.010, 0.020, 0.015 in their own frame; in 1e-3 kg m2):
#   rpy            in the link's frame: moments, products             in the PROTO file
#   0 0 0          10.00 20.00 15.00    0 0 0                         the same
#   0 0 0.4        11.52 18.48 15.00   -3.587  0     0                11.52 18.48 15.00    3.587  0     0
#   0.3 -0.4 0.5   13.30 17.09 14.61   -3.974 -2.335 0.206            12.71 16.51 15.79    3.988 -0.220 -2.231
#   largest difference to R' I R instead of R I R', of 50 random rotations: 5e-9
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 pillow==12.3.0 urdf2webots==2025.0.0
v/bin/python - <<'PY'
import contextlib
import io
import pathlib
import re

import numpy as np
from urdf2webots.importer import convertUrdfFile

MOMENTS = np.diag((0.010, 0.020, 0.015))
URDF = """<robot name="r">
  <link name="base"><inertial><mass value="1"/><inertia ixx="0.02" iyy="0.025" izz="0.03" ixy="0.001" ixz="0.002" iyz="0.003"/></inertial></link>
  <link name="hand"><inertial><origin xyz="0.05 0 0.1" rpy="{} {} {}"/><mass value="0.7"/><inertia ixx="0.010" iyy="0.020" izz="0.015" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="left"><inertial><mass value="0.1"/><inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="right"><inertial><mass value="0.1"/><inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="wrist" type="revolute"><parent link="base"/><child link="hand"/><origin xyz="0 0 0.25" rpy="0.1 0.2 0.3"/><axis xyz="0 0 1"/><limit lower="-1" upper="2.5" effort="5" velocity="1"/></joint>
  <joint name="finger" type="prismatic"><parent link="hand"/><child link="left"/><axis xyz="0 1 0"/><limit lower="0" upper="0.04" effort="20" velocity="0.2"/></joint>
  <joint name="other" type="prismatic"><parent link="hand"/><child link="right"/><axis xyz="0 -1 0"/><limit lower="0" upper="0.04" effort="20" velocity="0.2"/><mimic joint="finger"/></joint>
</robot>"""


def turned(roll, pitch, yaw):
    """Rz(yaw) Ry(pitch) Rx(roll), as URDF has it."""
    (a, b, c), (d, e, f) = np.cos((roll, pitch, yaw)), np.sin((roll, pitch, yaw))
    return np.array([[c, -f, 0], [f, c, 0], [0, 0, 1]]) @ np.array([[b, 0, e], [0, 1, 0], [-e, 0, b]]) @ np.array([[1, 0, 0], [0, a, -d], [0, d, a]])


def converted(rpy):
    pathlib.Path("robot.urdf").write_text(URDF.format(*rpy))
    with contextlib.redirect_stdout(io.StringIO()):
        return convertUrdfFile(input="robot.urdf", robotName="R")


def inertia(text):
    """The inertia of the link of 0.7 kg: Webots has the moments in one row, the products xy, xz, yz in the next."""
    block = re.search(r"mass 0\.700000\s+centerOfMass \[ 0\.050000 0\.000000 0\.100000 \]\s+inertiaMatrix \[([^]]*)\]", text).group(1)
    xx, yy, zz, xy, xz, yz = map(float, block.split())
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def row(matrix):
    return np.round(1e3 * np.array([*np.diag(matrix), matrix[0, 1], matrix[0, 2], matrix[1, 2]]), 3)


generator = np.random.default_rng(0)
worst = 0.0
for rpy in [(0, 0, 0), (0, 0, 0.4), (0.3, -0.4, 0.5)] + [tuple(angles) for angles in generator.uniform(-1.5, 1.5, (50, 3))]:
    text = converted(rpy)
    turn = turned(*rpy)
    true, seen = turn @ MOMENTS @ turn.T, inertia(text)
    if rpy[0] in (0, 0.3):
        print(rpy, "is", row(true), "seen", row(seen))
    worst = max(worst, float(np.abs(seen - turn.T @ MOMENTS @ turn).max()))
    assert any(rpy) == (np.abs(seen - true).max() > 1e-5)
print("largest difference to the inverse turn", f"{worst:.1g}")
assert worst < 1e-7

text = converted((0, 0, 0))
assert "rotation 0.188575 0.583378 0.790006 0.365502" in text and re.search(r"minPosition -1\.0\s+maxPosition 2\.5", text)
motors = re.findall(r'LinearMotor \{\s+name "(\w+)"', text)
print("motors of the fingers", motors, "; mimic is named:", "mimic" in text.lower())
assert motors == ["finger", "other"] and "mimic" not in text.lower()
axis, angle = np.array((0.188575, 0.583378, 0.790006)), 0.365502  # of the wrist's frame, which is turned by 0.1 0.2 0.3
cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
assert np.allclose(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross, turned(0.1, 0.2, 0.3), atol=1e-5)
print("as stated")
PY
