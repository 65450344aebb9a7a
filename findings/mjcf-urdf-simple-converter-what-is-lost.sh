#!/bin/sh
# mjcf-urdf-simple-converter 0.7.3, mujoco 4.0.0, scipy 1.17.1, numpy-stl 4.1.1, numpy 2.4.6, Python 3.11.
#
# A converter from MJCF to URDF. Links, masses, inertias and limited hinges come over. What does not: a hinge without a range (wheels, turrets) gets the limits 0 to 0, so that a planner holds it still; shapes other than meshes are gone,
# so that nothing collides; both without a word. A slide (a lift, a gripper's finger) becomes fixed, which is printed; but where the slide has a `pos`, which in MJCF changes nothing about the body, everything behind it
# is moved by that much the other way. Every joint adds a link of a gram.
#
# Expected, not written down before: what both formats can say comes over. Seen (body b 0.5 m above a, on a slide with pos 0 0.1 0; a wheel; three shapes; 5 kg):
#                            MuJoCo      URDF
#   range of the wheel       none        0 to 0, type revolute
#   slide                    yes         fixed (said)
#   b above a                0 0 0.5     0 -0.1 0.5
#   shapes                   3           0
#   mass                     5 kg        5.003 kg
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 mujoco==4.0.0 numpy-stl==4.1.1 scipy==1.17.1 mjcf-urdf-simple-converter==0.7.3
v/bin/python - <<'PY'
import xml.etree.ElementTree as ElementTree

import mujoco
import numpy as np
from mjcf_urdf_simple_converter import convert

MODEL = """<mujoco model="one"><worldbody><body name="a"><joint name="turn" type="hinge" axis="0 0 1" range="-30 60"/><geom type="box" size="0.1 0.1 0.1" mass="2"/>
 <body name="b" pos="0 0 0.5"><joint name="lift" type="slide" axis="0 0 1" range="0 0.4" pos="0 0.1 0"/><geom type="sphere" size="0.1" mass="2"/>
  <body name="c" pos="0.2 0 0"><joint name="wheel" type="hinge" axis="0 1 0"/><geom type="cylinder" size="0.1 0.02" mass="1"/></body></body></body></worldbody></mujoco>"""
with open("one.xml", "w") as file:
    file.write(MODEL)
convert("one.xml", "one.urdf")
robot = ElementTree.parse("one.urdf").getroot()
joints = {joint.get("name"): joint for joint in robot.iter("joint")}


def numbers(element, name):
    return np.array([float(word) for word in element.get(name).split()])


def limits(name):
    return [round(float(joints[name].find("limit").get(bound)), 4) for bound in ("lower", "upper")]


model = mujoco.MjModel.from_xml_string(MODEL)
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)
offset, link = np.zeros(3), "b"
while link != "a":  # no joint of the model is turned, so offsets add up
    above = next(joint for joint in joints.values() if joint.find("child").get("link") == link)
    offset, link = offset + numbers(above.find("origin"), "xyz"), above.find("parent").get("link")
    assert not numbers(above.find("origin"), "rpy").any()
shapes, mass = len(list(robot.iter("visual"))) + len(list(robot.iter("collision"))), sum(float(part.get("value")) for part in robot.iter("mass"))
print("turn", joints["turn"].get("type"), limits("turn"), " wheel", joints["wheel"].get("type"), limits("wheel"), " lift", joints["lift"].get("type"))
print("b above a: MuJoCo", data.body("b").xpos - data.body("a").xpos, "URDF", offset, " shapes", shapes, " mass", mass)
assert joints["turn"].get("type") == "revolute" and limits("turn") == [-0.5236, 1.0472]
assert joints["wheel"].get("type") == "revolute" and limits("wheel") == [0, 0] and not model.jnt_limited[2]
assert joints["lift"].get("type") == "fixed" and shapes == 0 and np.isclose(mass, 5.003)
assert np.allclose(data.body("b").xpos - data.body("a").xpos, (0, 0, 0.5)) and np.allclose(offset, (0, -0.1, 0.5))
PY
