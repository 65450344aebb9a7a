#!/bin/sh
# urdf2mjcf 0.2.39, mujoco 4.0.0, numpy 2.4.6, Python 3.11.
#
# A converter from URDF to MJCF beside MuJoCo's own reading of the same file. Masses, limits and poses of the links come over. What does not: a mimic joint moves on its own, damping, friction and limits of
# effort are gone (none of that is said), products of inertia are left out (said), and the mass of the root link is replaced by what its shapes weigh at the density of water: a base of 2 kg with a collision
# box of 40 cm weighs 64 kg, on a floating joint that the URDF does not have. An <inertial> without <origin>, which URDF allows, becomes a file that MuJoCo refuses. MuJoCo's own reader
# keeps all of it but the limit of velocity.
#
# Guess before: everything is kept, as MuJoCo's own reader keeps it. Seen (URDF with base, hinge, mimicking slide):
#                                urdf2mjcf   MuJoCo's reader
#   degrees of freedom           8           2
#   equality for the mimic       0           1
#   damping, friction of hinge   0, 0        0.5, 0.25
#   torque that the motor gives  unbounded   +-7 (limit of the joint's actuator force)
#   base's mass                  64.0        2.0 (read with fusestatic off)
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 mujoco==4.0.0 urdf2mjcf==0.2.39
v/bin/python - <<'PY'
import logging

import mujoco
from urdf2mjcf.convert import convert_urdf_to_mjcf

logging.disable(logging.CRITICAL)
INERTIAL = '<inertial><origin xyz="0 0 0.01" rpy="0 0 0"/><mass value="2"/><inertia ixx="0.1" iyy="0.2" izz="0.25" ixy="0.03" ixz="0" iyz="0"/></inertial>'
with open("robot.urdf", "w") as file:
    file.write(f'''<robot name="r"><mujoco><compiler fusestatic="false"/></mujoco>
<link name="base">{INERTIAL}<collision><geometry><box size="0.4 0.4 0.4"/></geometry></collision></link>
<link name="arm">{INERTIAL}</link><link name="finger">{INERTIAL}</link>
<joint name="hinge" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0 0 1" rpy="0 0 0"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="2" effort="7" velocity="3"/><dynamics damping="0.5" friction="0.25"/></joint>
<joint name="slide" type="prismatic"><parent link="arm"/><child link="finger"/><axis xyz="1 0 0"/>
<limit lower="0" upper="0.1" effort="9" velocity="4"/><mimic joint="hinge" multiplier="0.05" offset="0.01"/></joint></robot>''')
convert_urdf_to_mjcf("robot.urdf", "robot.xml")
seen = {}
for name in ("robot.xml", "robot.urdf"):
    model = mujoco.MjModel.from_xml_path(name)
    hinge = model.joint("hinge")
    dof = hinge.dofadr[0]
    seen[name] = {"nv": model.nv, "equalities": model.neq, "damping": float(model.dof_damping[dof].flat[0]),
                  "friction": float(model.dof_frictionloss[dof]), "range": model.jnt_range[hinge.id].tolist(),
                  "force": model.jnt_actfrcrange[hinge.id].tolist() if model.jnt_actfrclimited[hinge.id] else None,
                  "motor": bool(model.nu and (model.actuator_forcelimited.any() or model.actuator_ctrllimited.any())),
                  "base": round(float(model.body_mass[model.body("base").id]), 1), "arm": float(model.body_mass[model.body("arm").id])}
    print(name, seen[name])
theirs, own = seen["robot.xml"], seen["robot.urdf"]
assert theirs["range"] == own["range"] and theirs["arm"] == own["arm"] == 2.0
assert (theirs["nv"], theirs["equalities"], theirs["damping"], theirs["friction"], theirs["force"], theirs["motor"]) == (8, 0, 0.0, 0.0, None, False)
assert (own["nv"], own["equalities"], own["damping"], own["friction"], own["force"]) == (2, 1, 0.5, 0.25, [-7.0, 7.0])
assert theirs["base"] == 64.0 and own["base"] == 2.0
PY
