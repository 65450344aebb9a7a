#!/bin/sh
# pin 4.1.0, mujoco 4.0.0, urchin 0.0.30, yourdfpy 0.0.60, kinpy 0.6.1, ikpy 4.2.1, numpy 2.4.6, Python 3.11.
#
# The axis of a URDF joint should have length one, and where none is given it is x. Files whose axis is "0 0 2", "1 1 0" or, rounded by a CAD exporter, 0.99 long, or has none, are readable everywhere;
# what is made of them differs without a warning. A sliding joint moves by the axis' length in yourdfpy, kinpy and ikpy, by one in the others; a turning joint of ikpy leaves rotations behind (its matrix also
# scales); kinpy takes z where no axis is given.
#
# Guess before: all but ikpy normalise; all take x. Seen (pose of the tip for q = 0.1 of a sliding, 0.5 of a turning joint):
#                slide, axis 0 0 2   slide, axis 1 1 0      turn, axis 0 0 2: |R R' - 1|   slide, no axis
#   pinocchio    0 0 0.1             0.0707 0.0707 0        0                              0.1 0 0
#   mujoco       0 0 0.1             0.0707 0.0707 0        0                              0.1 0 0
#   urchin       0 0 0.1             0.0707 0.0707 0        0                              0.1 0 0
#   yourdfpy     0 0 0.2             0.1 0.1 0              0                              0.1 0 0
#   kinpy        0 0 0.2             0.1 0.1 0              0                              0 0 0.1
#   ikpy         0 0 0.2             0.1 0.1 0              0.87                           0.1 0 0
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 pin==4.1.0 mujoco==4.0.0 urchin==0.0.30 yourdfpy==0.0.60 kinpy==0.6.1 ikpy==4.2.1
v/bin/python - <<'PY'
import logging
import warnings

import ikpy.chain
import kinpy
import mujoco
import numpy as np
import pinocchio
import urchin
import yourdfpy

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)
INERTIA = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'


def write(kind, axis):
    axis = f'<axis xyz="{axis}"/>' if axis else ""
    text = (f'<?xml version="1.0"?><robot name="r"><link name="base">{INERTIA}</link><link name="tip">{INERTIA}</link><joint name="j" type="{kind}"><parent link="base"/><child link="tip"/>'
            f'<origin xyz="0 0 0" rpy="0 0 0"/>{axis}<limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>')
    with open("r.urdf", "w") as file:
        file.write(text)
    return text


def by_pinocchio(text, q):
    model = pinocchio.buildModelFromXML(text)
    data = model.createData()
    pinocchio.framesForwardKinematics(model, data, np.array([q]))
    return data.oMf[model.getFrameId("tip")].homogeneous


def by_mujoco(text, q):
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    data.qpos[0] = q
    mujoco.mj_kinematics(model, data)
    pose = np.eye(4)
    body = data.body("tip")
    pose[:3, :3], pose[:3, 3] = body.xmat.reshape(3, 3), body.xpos
    return pose


def by_yourdfpy(text, q):
    robot = yourdfpy.URDF.load("r.urdf")
    robot.update_cfg({"j": q})
    return robot.get_transform("tip", "base")


def by_ikpy(text, q):
    chain = ikpy.chain.Chain.from_urdf_file("r.urdf", base_elements=["base"])
    return chain.forward_kinematics([0.0] * (len(chain.links) - 1) + [q])


READERS = {
    "pinocchio": by_pinocchio, "mujoco": by_mujoco, "urchin": lambda text, q: urchin.URDF.load("r.urdf").link_fk(cfg={"j": q}, link="tip"), "yourdfpy": by_yourdfpy,
    "kinpy": lambda text, q: kinpy.build_serial_chain_from_urdf(text.encode(), "tip").forward_kinematics([q]).matrix(), "ikpy": by_ikpy,
}
UNIT, AS_GIVEN = ("pinocchio", "mujoco", "urchin"), ("yourdfpy", "kinpy", "ikpy")
for name, read in READERS.items():
    long, oblique, none = (np.asarray(read(write("prismatic", axis), 0.1))[:3, 3] for axis in ("0 0 2", "1 1 0", ""))
    turn = np.asarray(read(write("revolute", "0 0 2"), 0.5))[:3, :3]
    skew = np.abs(turn @ turn.T - np.eye(3)).max()
    print(f"{name:10} {long.round(4)} {oblique.round(4)} {skew:.2f} {none.round(4)}")
    length = 1.0 if name in UNIT else 2.0
    assert np.allclose(long, (0, 0, 0.1 * length))
    assert np.allclose(oblique, np.array((0.1, 0.1, 0)) / (np.sqrt(2) if name in UNIT else 1))
    assert np.allclose(none, (0, 0, 0.1) if name == "kinpy" else (0.1, 0, 0))
    assert (skew > 0.5) == (name == "ikpy")
PY
