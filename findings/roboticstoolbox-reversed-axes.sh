#!/bin/sh
# roboticstoolbox-python 1.5.0, pin 4.1.0, numpy 2.4.6, Python 3.11.
#
# Joints of a URDF whose axis points the other way, "0 0 -1" or "0 -1 0", as many robots have some: roboticstoolbox turns them the right way in its kinematics (poses and Jacobians are Pinocchio's) and leaves the sign out in its dynamics. gravload
# pushes such a joint the wrong way, inertia has the wrong sign in its row and column, rne is wrong in all joints as soon as something moves; a compensation of gravity doubles the load instead of lifting it. Negating that joint's speed, acceleration
# and force, but not its position, gives the right numbers. And <dynamics> is read amiss for every joint: `friction`, the force of dry friction, becomes a viscous coefficient, `damping`, the viscous one, is left out.
#
# Guess before: as in Pinocchio; where poses and Jacobians are right, forces are. Seen (forces against gravity of a hinge about "0 A 0" and a slide along "0 0 B"; largest error of pose, Jacobian, mass matrix; damping 0.5, friction 0.25, speed 0.3, alone):
#   A   B    Pinocchio       roboticstoolbox   pose  Jacobian  masses
#   1   1    8.34  -14.72     8.34  -14.72     0     0         0
#   1  -1    8.34   14.72     8.34  -14.72     0     0         0.9
#  -1   1   -8.34  -14.72     8.34  -14.72     0     0         0.9
#   force of damping and friction: 0.15 + 0.25 expected, 0.075 seen (0.25 * 0.3)
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 pin==4.1.0 roboticstoolbox-python==1.5.0
v/bin/python -W ignore - <<'PY'
import os

import numpy as np
import pinocchio as pin
import roboticstoolbox as rtb

ARM = """<robot name="arm"><link name="base"/>
<link name="upper"><inertial><origin xyz="0.2 0.1 0.1"/><mass value="2"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.3"/></inertial></link>
<link name="tip"><inertial><origin xyz="0.3 0 0.1"/><mass value="1.5"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.3"/></inertial></link>
<joint name="hinge" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 {hinge} 0"/><limit lower="-2" upper="2" effort="9" velocity="9"/>{dynamics}</joint>
<joint name="slide" type="prismatic"><parent link="upper"/><child link="tip"/><origin xyz="0 0 0.4" rpy="0 {pitch} 0"/><axis xyz="0 0 {slide}"/><limit lower="-2" upper="2" effort="9" velocity="9"/></joint></robot>"""
q, speed = np.array([np.pi, 0.1]), np.array([0.3, 0.2])


def both(**numbers):
    """What Pinocchio and roboticstoolbox make of the arm."""
    with open("arm.urdf", "w") as file:
        file.write(ARM.format(**{"pitch": 0, "dynamics": "", **numbers}))
    model = pin.buildModelFromUrdf("arm.urdf")
    return model, model.createData(), rtb.Robot.URDF(os.path.abspath("arm.urdf"))


def compare(hinge, slide):
    model, data, robot = both(hinge=hinge, slide=slide)
    tip = model.getFrameId("tip")
    pin.framesForwardKinematics(model, data, q)
    masses = pin.crba(model, data, q)
    errors = [
        np.abs(robot.fkine(q).A - data.oMf[tip].homogeneous).max(),
        np.abs(robot.jacob0(q) - pin.computeFrameJacobian(model, data, q, tip, pin.LOCAL_WORLD_ALIGNED)).max(),
        np.abs(robot.inertia(q) - np.triu(masses) - np.triu(masses, 1).T).max(),
    ]
    return pin.computeGeneralizedGravity(model, data, q), robot.gravload(q), errors


for hinge, slide in ((1, 1), (1, -1), (-1, 1)):
    right, seen, errors = compare(hinge, slide)
    print(hinge, slide, np.round(right, 2), np.round(seen, 2), np.round(errors, 3))
    assert np.allclose(seen, right * [hinge, slide], atol=1e-6) and max(errors[:2]) < 1e-6
    assert (errors[2] > 0.1) == (hinge * slide < 0)

model, data, robot = both(hinge=1, slide=-1, pitch=0.5)
acceleration, sign = np.array([0.4, -0.3]), np.array([1, -1])
right = pin.rnea(model, data, q, speed, acceleration)
assert np.abs(robot.rne(q, speed, acceleration) - right).min() > 0.01
assert np.allclose(sign * robot.rne(q, sign * speed, sign * acceleration), right)

_, _, plain = both(hinge=1, slide=1)
_, _, rubbed = both(hinge=1, slide=1, dynamics='<dynamics damping="0.5" friction="0.25"/>')
moving = [0.3, 0]
force = rubbed.rne(q, moving, [0, 0]) - plain.rne(q, moving, [0, 0])
print("friction", np.round(force, 3))
assert np.allclose(force, [0.075, 0])
print("as stated")
PY
