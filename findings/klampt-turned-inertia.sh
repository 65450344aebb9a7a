#!/bin/sh
# Klampt 0.10.1.post1, pin 4.1.0, mujoco 4.0.0, numpy 2.4.6, Python 3.11.
#
# A URDF gives a link's inertia in a frame of its own: <inertial><origin rpy="..."/>. Klamp't turns the matrix by the inverse of that rotation. Centres of mass, gravity and poses are right, so nothing shows until mass
# matrix, Coriolis forces or simulation are compared; where rpy is zero, as in hand-written files, all agree. (Exporters from CAD and models of arms with principal axes of inertia have rpy.)
#
# Guess before: as in Pinocchio and MuJoCo. Seen (inertia of one link about the joint's axis; principal inertias 0.4, 0.6, 0.9, 2 kg at 0.1 0.2 0.3; rpy 0.3 -0.6 0.9):
#   axis         x        y        z
#   Pinocchio    0.8106   0.8267   0.8227
#   MuJoCo       0.8106   0.8267   0.8227
#   Klamp't      0.9030   0.6726   0.8844      (with the rotation transposed: the same)
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 Klampt==0.10.1.post1 pin==4.1.0 mujoco==4.0.0
v/bin/python - <<'PY'
import klampt
import mujoco
import numpy as np
import pinocchio

PRINCIPAL, MASS, CENTRE, RPY = np.array([0.4, 0.6, 0.9]), 2.0, np.array([0.1, 0.2, 0.3]), np.array([0.3, -0.6, 0.9])


def urdf(axis, rpy):
    inertial = '<inertial><origin xyz="{} {} {}" rpy="{} {} {}"/><mass value="2"/><inertia ixx="0.4" iyy="0.6" izz="0.9" ixy="0" ixz="0" iyz="0"/></inertial>'.format(*CENTRE, *rpy)
    return (f'<?xml version="1.0"?><robot name="r"><link name="base"/><link name="tip">{inertial}</link><joint name="j" type="revolute"><parent link="base"/><child link="tip"/>'
            '<origin xyz="0 0 0" rpy="0 0 0"/><axis xyz="{} {} {}"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>'.format(*axis))


def by_pinocchio(text):
    model = pinocchio.buildModelFromXML(text)
    return pinocchio.crba(model, model.createData(), np.zeros(1))[0, 0]


def by_mujoco(text):
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    force = np.zeros(1)
    mujoco.mj_mulM(model, data, force, np.ones(1))
    return force[0]


def by_klampt(text):
    with open("r.urdf", "w") as file:
        file.write(text)
    world = klampt.WorldModel()
    world.loadElement("r.urdf")
    return np.array(world.robot(0).getMassMatrix())[-1, -1]


def about(axis, rotation):
    inertia = rotation @ np.diag(PRINCIPAL) @ rotation.T + MASS * (CENTRE @ CENTRE * np.eye(3) - np.outer(CENTRE, CENTRE))
    return axis @ inertia @ axis


for rpy in (np.zeros(3), RPY):
    rotation = pinocchio.rpy.rpyToMatrix(*rpy)
    for axis in np.eye(3):
        found = [read(urdf(axis, rpy)) for read in (by_pinocchio, by_mujoco, by_klampt)]
        print("rpy", rpy, "axis", axis, "Pinocchio {:.4f} MuJoCo {:.4f} Klamp't {:.4f}".format(*found))
        assert np.allclose(found, [about(axis, rotation), about(axis, rotation), about(axis, rotation.T)], atol=1e-4)
        assert rpy.any() == (abs(found[2] - found[0]) > 0.05)
PY
