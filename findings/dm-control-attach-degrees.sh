#!/bin/sh
# dm_control 1.0.50 (its mjcf), mujoco 4.0.0, numpy 2.4.6, Python 3.11.
#
# dm_control.mjcf attaches one model to another: an arm to a base, a hand to an arm. Attributes of <compiler> are merged, and a conflict is refused. But angles are in degrees where a file says nothing, so a file without <compiler> and one with
# angle="radian" (as most published models have) do not conflict, and the whole gets angle="radian": the numbers of the silent file, meant as degrees, are now radians. Limits of 90 degrees become 90 radians, that is none, or a part that is
# mounted at euler="0 0 90" is turned by 117. It does not matter which is the parent, and nothing is said. MuJoCo's own attachment keeps each file's meaning.
#
# Guess before: refused, or converted so that 90 degrees stay 90 degrees. Seen (limits of the silent file's joint in degrees; the turn of its second body, euler 90 degrees):
#                                         joint's limits    body turned by
#   MuJoCo, parent silent                 -90 90            90
#   MuJoCo, child silent                  -90 90            90
#   dm_control, parent silent             -5157 5157        116.6 (90 radians, less whole turns)
#   dm_control, child silent              -5157 5157        116.6
#   dm_control, angle="degree" written    ValueError: Conflicting values for attribute `angle`
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 mujoco==4.0.0 dm_control==1.0.50
MUJOCO_GL=disable v/bin/python - <<'PY'
import mujoco
import numpy as np
from dm_control import mjcf

SILENT = """<mujoco model="silent"><worldbody><site name="mount"/><body name="base"><joint name="hinge" axis="0 0 1" limited="true" range="-90 90"/><geom size="0.1"/>
<body name="turned" euler="0 0 90"><geom size="0.1"/></body></body></worldbody></mujoco>"""
RADIAN = """<mujoco model="radian"><compiler angle="radian"/><worldbody><site name="mount"/><body name="other"><joint name="j" axis="0 0 1" limited="true" range="-1 1"/><geom size="0.1"/></body></worldbody></mujoco>"""


def look(model):
    """Limits of the silent file's joint and the turn of its second body about z, both in degrees; the other joint's limits, in radians."""
    names = {model.joint(i).name.split("/")[-1]: i for i in range(model.njnt)}
    body = next(i for i in range(model.nbody) if model.body(i).name.endswith("turned"))
    quaternion = model.body_quat[body]
    turn = np.degrees(2 * np.arctan2(quaternion[3], quaternion[0])) % 360
    return np.degrees(model.jnt_range[names["hinge"]]).round(1).tolist(), round(float(turn), 1), model.jnt_range[names["j"]].tolist()


for parent, child in ((SILENT, RADIAN), (RADIAN, SILENT)):
    own, other = mujoco.MjSpec.from_string(parent), mujoco.MjSpec.from_string(child)
    own.attach(other, site=own.site("mount"), prefix="child/")
    theirs = mjcf.from_xml_string(parent)
    theirs.find("site", "mount").attach(mjcf.from_xml_string(child))
    seen = look(own.compile()), look(mujoco.MjModel.from_xml_string(theirs.to_xml_string()))
    print("parent", "silent" if parent == SILENT else "radian", "\n  mujoco    ", seen[0], "\n  dm_control", seen[1])
    assert seen[0] == ([-90.0, 90.0], 90.0, [-1.0, 1.0])
    assert seen[1] == ([-5156.6, 5156.6], 116.6, [-1.0, 1.0]), "dm_control heeds the angles' unit now"

said = mjcf.from_xml_string(SILENT.replace("<worldbody>", '<compiler angle="degree"/><worldbody>', 1))
try:
    said.find("site", "mount").attach(mjcf.from_xml_string(RADIAN))
except ValueError as error:
    print("written out:", str(error).splitlines()[0])
else:
    raise SystemExit("units that conflict are accepted now")
PY
