#!/bin/sh
# scikit-robot 0.4.7, pin 4.1.0, urchin 0.0.30, yourdfpy 0.0.60, numpy 2.4.6, Python 3.11.
#
# A continuous joint of a URDF needs no <limit>: wheels and turrets of many robots have none. scikit-robot then gives it a velocity limit of 5 degrees a second, 0.0873 rad/s, and a torque limit of 0, as if
# the file had said so; Pinocchio says infinite, urchin and yourdfpy say that there is none. Whatever is timed by `max_joint_velocity` crawls, and whatever heeds `max_joint_torque` may not move at all.
# With <limit effort="5" velocity="2.5"/> all four agree.
#
# Guess before: infinite or none everywhere. Seen (velocity, effort):
#                  no limit          effort 5, velocity 2.5
#   pinocchio      inf, inf          2.5, 5
#   urchin         None              2.5, 5
#   yourdfpy       None              2.5, 5
#   scikit-robot   0.0873, 0         2.5, 5
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 scikit-robot==0.4.7 pin==4.1.0 urchin==0.0.30 yourdfpy==0.0.60
v/bin/python - <<'PY'
import logging
import math
import warnings

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)
import pinocchio
import urchin
import yourdfpy
from skrobot.models.urdf import RobotModelFromURDF

INERTIA = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'


def read(limit):
    """Velocity and effort of joint j by each library; None: it says that there is no limit."""
    with open("r.urdf", "w") as file:
        file.write(f'<?xml version="1.0"?><robot name="r"><link name="base">{INERTIA}</link><link name="wheel">{INERTIA}</link><joint name="j" type="continuous"><parent link="base"/>'
                   f'<child link="wheel"/><axis xyz="0 0 1"/>{limit}</joint></robot>')
    pin = pinocchio.buildModelFromUrdf("r.urdf")
    own = RobotModelFromURDF(urdf_file="r.urdf").joint_list[0]
    told = {"urchin": urchin.URDF.load("r.urdf").joints[0].limit, "yourdfpy": yourdfpy.URDF.load("r.urdf").joint_map["j"].limit}
    return {"pinocchio": (float(pin.velocityLimit[0]), float(pin.effortLimit[0])),
            **{name: limit and (limit.velocity, limit.effort) for name, limit in told.items()},
            "scikit-robot": (round(float(own.max_joint_velocity), 4), float(own.max_joint_torque))}


without, given = read(""), read('<limit effort="5" velocity="2.5"/>')
for name in without:
    print(f"{name:14} {without[name]!s:20} {given[name]}")
assert without == {"pinocchio": (math.inf, math.inf), "urchin": None, "yourdfpy": None, "scikit-robot": (0.0873, 0.0)}, without
assert set(given.values()) == {(2.5, 5.0)}, given
PY
