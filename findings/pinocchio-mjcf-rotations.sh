#!/bin/sh
# pin 4.1.0, mujoco 4.0.0, scipy 1.17.1, numpy 2.4.6, Python 3.11.
#
# Two ways to write a rotation in MJCF that Pinocchio's buildModelFromMJCF reads otherwise than MuJoCo, for bodies, sites and, by way of the inertia, geoms alike, without a word:
#  - <compiler eulerseq="XYZ"/>: capital letters mean axes that stay (so XYZ is a URDF's rpy, which is why converters write it), small ones axes that move along. Pinocchio heeds the letters and not their case.
#  - axisangle with an axis that is not of length one, such as "1 1 0 40": MuJoCo scales it to one; Pinocchio multiplies by it. The result is no rotation: its determinant is 2, lengths behind it change.
# quat of any length, zaxis, xyaxes and euler with small letters are read alike. Saving the model by MuJoCo (MjSpec.to_xml() after compiling) makes quaternions of all of them.
#
# Expected, not written down before: alike. Seen (rotation vector of the body in degrees; determinant of Pinocchio's matrix):
#                                            MuJoCo                  Pinocchio
#   eulerseq XYZ, euler 10 20 30             4.44 22.05 27.87        14.91 16.92 31.36     1
#   eulerseq xyz, euler 10 20 30             14.91 16.92 31.36       14.91 16.92 31.36     1
#   eulerseq ZXY, euler 10 20 30             22.05 27.87 4.44        16.92 31.36 14.91     1
#   axisangle 1 1 0 40                       28.28 28.28 0           none                  2.07
#   axisangle 0 0 2 40                       0 0 40                  none                  6.49
#   axisangle 0.6 0 0.8 40                   24 0 32                 24 0 32               1
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 scipy==1.17.1 mujoco==4.0.0 pin==4.1.0
v/bin/python - <<'PY'
import mujoco
import numpy as np
import pinocchio
from scipy.spatial.transform import Rotation

MODEL = """<mujoco model="two">{compiler}<worldbody><body name="b"><geom size="0.1"/><joint name="s" type="slide" axis="1 0 0"/>
 <body name="c" pos="0 0 0.4" {turn}><joint name="h" type="hinge" axis="0 1 0"/><geom size="0.1"/></body></body></worldbody></mujoco>"""


def both(text):
    """The turn of body c in the world as MuJoCo and as Pinocchio have it."""
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    with open("model.xml", "w") as file:
        file.write(text)
    other = pinocchio.buildModelFromMJCF("model.xml")
    other_data = other.createData()
    pinocchio.framesForwardKinematics(other, other_data, pinocchio.neutral(other))
    return data.body("c").xmat.reshape(3, 3), other_data.oMf[other.getFrameId("c")].rotation


def sequence(letters):
    return f'<compiler eulerseq="{letters}"/>'


CASES = (  # compiler, turn, Pinocchio's determinant, whether it agrees
    (sequence("XYZ"), 'euler="10 20 30"', 1, False), (sequence("xyz"), 'euler="10 20 30"', 1, True), (sequence("ZXY"), 'euler="10 20 30"', 1, False), (sequence("zxy"), 'euler="10 20 30"', 1, True),
    ("", 'axisangle="1 1 0 40"', 2.07, False), ("", 'axisangle="0 0 2 40"', 6.49, False), ("", 'axisangle="0.6 0 0.8 40"', 1, True),
    ("", 'quat="1 0.2 0.3 0.4"', 1, True), ("", 'zaxis="0 1 1"', 1, True), ("", 'xyaxes="0 2 0 -1 0 1"', 1, True),
)
for compiler, turn, determinant, agree in CASES:
    text = MODEL.format(compiler=compiler, turn=turn)
    expected, found = both(text)
    vector = Rotation.from_matrix(found).as_rotvec(degrees=True).round(2) if determinant == 1 else "none"
    print(f"{compiler:28} {turn:26} MuJoCo {Rotation.from_matrix(expected).as_rotvec(degrees=True).round(2)} Pinocchio {vector}, determinant {np.linalg.det(found):.2f}")
    assert np.isclose(np.linalg.det(found), determinant, atol=0.01) and np.allclose(found, expected, atol=1e-6) == agree
    if "eulerseq" in compiler and not agree:
        assert np.allclose(found, both(text.replace(compiler, compiler.lower()))[0], atol=1e-6)
    saved = mujoco.MjSpec.from_string(text)
    saved.compile()
    assert np.allclose(*both(saved.to_xml()), atol=1e-6)
PY
