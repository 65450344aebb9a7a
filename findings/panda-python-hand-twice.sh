#!/bin/sh
# panda-python 1.1.1, numpy 2.4.6, Python 3.11. No robot is needed.
#
# The package has forward kinematics and an analytical inverse, both of the end effector by their docstrings. Their hands differ in length: what ik() finds for a pose, fk() puts 0.4 mm behind it, along the tool's axis. So a pose that is read
# from the robot and sent back makes it creep by that much each time. And of what ik() returns as solved (it says nan else) three in a hundred are off by far more, up to centimetres and degrees: check each by fk().
#
# Guess before: fk(ik(T)) is T to rounding, where there is a solution. Seen, of 500 random postures 481 solved; the pose then found, in the frame of the pose asked for:
#   468    shifted by -0.4 mm along z, by less than 0.001 mm across
#   13     shifted by 1 to 26 mm, turned by up to 2 degrees
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 panda-python==1.1.1
v/bin/python - <<'PY'
import numpy as np
import panda_py

random = np.random.default_rng(0)
low = np.array([-2.7, -1.7, -2.7, -3.0, -2.7, 0.1, -2.7])
high = np.array([2.7, 1.7, 2.7, -0.2, 2.7, 3.6, 2.7])
errors = []
for posture in random.uniform(low, high, (500, 7)):
    asked = panda_py.fk(posture)
    found = panda_py.ik(asked, posture, posture[6])
    if not np.isnan(found).any():
        errors.append(np.linalg.inv(asked) @ panda_py.fk(found))
errors = np.array(errors)
shift = errors[:, :3, 3] * 1000
usual = np.abs(shift - (0.0, 0.0, -0.4)).max(axis=1) < 0.001
far = np.linalg.norm(shift[~usual], axis=1)
print(len(errors), "solved;", usual.sum(), "off by 0.4 mm along z; the others by", far.min().round(1), "to", far.max().round(1), "mm")
assert len(errors) == 481 and usual.sum() == 468
assert far.min() > 0.9 and far.max() > 20.0
PY
