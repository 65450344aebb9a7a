#!/bin/sh
# pin 4.1.0, numpy 2.4.6, Python 3.11.
#
# Pinocchio 4 keeps two limits where version 3 had one: lowerEffortLimit and upperEffortLimit, lowerVelocityLimit and upperVelocityLimit ("Joint min velocity", "Joint max velocity"). Of the file's effort the lower one is the negative. Of its velocity
# it is not: both are +velocity, so that the only speed between them is full speed ahead. A clip to them turns every command into that, a standstill too; as bounds of an optimisation they are infeasible or drive the robot. So it is for joints of a
# URDF, for those added by hand with a largest velocity, and, with the largest double, for those without any limit. Setting the old velocityLimit, which still works, moves the upper one only.
#
# Guess before: none written down (looked at after another question); by the docstrings -velocity, as for effort. Seen (effort 30, velocity 3):
#                          lowerEffortLimit   upper   lowerVelocityLimit   upper
#   URDF                   -30                30      3                    3
#   addJoint               -30                30      3                    3
#   addJoint, no limits    -1.8e308           1.8e308 1.8e308              1.8e308
#   clip of 0, -1, 2       0, -1, 2                   3, 3, 3
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 pin==4.1.0
v/bin/python - <<'PY'
import numpy as np
import pinocchio as pin

with open("arm.urdf", "w") as file:
    file.write("""<robot name="arm"><link name="base"/><link name="tip"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<joint name="hinge" type="revolute"><parent link="base"/><child link="tip"/><axis xyz="0 0 1"/><limit lower="-1" upper="2" effort="30" velocity="3"/></joint></robot>""")
read = pin.buildModelFromUrdf("arm.urdf")
made, free = pin.Model(), pin.Model()
made.addJoint(0, pin.JointModelRZ(), pin.SE3.Identity(), "hinge", np.array([30.0]), np.array([3.0]), np.array([-1.0]), np.array([2.0]))
free.addJoint(0, pin.JointModelRZ(), pin.SE3.Identity(), "hinge")
largest = np.finfo(float).max
for model, effort, velocity in ((read, 30, 3), (made, 30, 3), (free, largest, largest)):
    seen = [float(limit[0]) for limit in (model.lowerEffortLimit, model.upperEffortLimit, model.lowerVelocityLimit, model.upperVelocityLimit)]
    print(seen)
    assert seen == [-effort, effort, velocity, velocity]
assert [float(np.clip(speed, read.lowerVelocityLimit[0], read.upperVelocityLimit[0])) for speed in (0, -1, 2)] == [3, 3, 3]
read.velocityLimit[:] = 1.5
assert read.upperVelocityLimit[0] == 1.5 and read.lowerVelocityLimit[0] == 3
print(pin.Model.lowerVelocityLimit.__doc__, "as stated")
PY
