#!/bin/sh
# robosuite 1.5.2 (its robosuite.utils.transform_utils), mujoco 4.0.0, scipy 1.17.1, numba 0.68.1, numpy 2.4.6, Python 3.11.
#
# Two pairs of functions in the module of transformations that robosuite and what is built on it share:
#  - mat2euler gives roll, pitch and yaw as ROS has them (about fixed axes); euler2mat, "(r,p,y) angles" by its docstring as well, takes them about moving axes. There and back is a rotation that is off by as much as half a turn, unless two of
#    the three angles are zero. mat2euler(m, "rxyz") is the inverse of euler2mat.
#  - vel_in_A_to_vel_in_B and force_in_A_to_force_in_B take the same pose of A in B. The velocities go from A to B by it; the forces by its inverse, so that a wrench that is taken along with the twist does other work in B than in A.
#
# Guess before: conversions agree (what was expected of the wrench was not written down). Seen:
#   roll, pitch, yaw 0.3 -0.5 0.9 by euler2mat    Rx(0.3) Ry(-0.5) Rz(0.9), read back as -0.206 -0.542 0.880; with "rxyz" as 0.3 -0.5 0.9
#   200 random rotations, there and back          off by 102 degrees (median), 178 (worst)
#   work of a wrench along a twist                in A -1.13, in B -0.565; by the inverse of the pose -1.13
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 scipy==1.17.1 mujoco==4.0.0 numba==0.68.1 termcolor==3.3.0 opencv-python-headless==5.0.0.93 pillow==13.0.0 tqdm==4.70.1 && v/bin/pip install -q --no-deps robosuite==1.5.2
MUJOCO_GL=disable v/bin/python - <<'PY'
import numpy as np
import robosuite.utils.transform_utils as transforms
from scipy.spatial.transform import Rotation

angles = np.array((0.3, -0.5, 0.9))
fixed, moving = Rotation.from_euler("xyz", angles).as_matrix(), Rotation.from_euler("XYZ", angles).as_matrix()
print("mat2euler(Rz Ry Rx)      ", transforms.mat2euler(fixed).round(3))
print("mat2euler(euler2mat)     ", transforms.mat2euler(transforms.euler2mat(angles)).round(3), transforms.mat2euler(transforms.euler2mat(angles), "rxyz").round(3))
assert np.allclose(transforms.mat2euler(fixed), angles, atol=1e-5) and np.allclose(transforms.euler2mat(angles), moving)
assert np.allclose(transforms.mat2euler(moving), (-0.206, -0.542, 0.880), atol=1e-3) and np.allclose(transforms.mat2euler(moving, "rxyz"), angles, atol=1e-5)
rotations = Rotation.random(200, rng=np.random.default_rng(0))
off = [np.degrees((r.inv() * Rotation.from_matrix(transforms.euler2mat(transforms.mat2euler(r.as_matrix())))).magnitude()) for r in rotations]
print("there and back, degrees   median", round(float(np.median(off)), 1), "worst", round(max(off), 1))
assert np.median(off) > 20

pose = np.eye(4)
pose[:3, :3], pose[:3, 3] = fixed, (0.4, -0.2, 0.7)
velocity, spin, force, torque = np.array((0.1, 0.2, -0.3)), np.array((0.5, -0.4, 0.2)), np.array((1.0, -2.0, 3.0)), np.array((0.3, 0.1, -0.2))
velocity_b, spin_b = transforms.vel_in_A_to_vel_in_B(velocity, spin, pose)
work = force @ velocity + torque @ spin
for name, by in (("pose", pose), ("inverse", np.linalg.inv(pose))):
    force_b, torque_b = transforms.force_in_A_to_force_in_B(force, torque, by)
    print("forces by the", name, " work in A", round(work, 3), "in B", round(force_b @ velocity_b + torque_b @ spin_b, 3))
    assert np.isclose(force_b @ velocity_b + torque_b @ spin_b, work) == (name == "inverse")
PY
