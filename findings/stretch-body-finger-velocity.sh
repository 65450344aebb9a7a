#!/bin/sh
# hello-robot-stretch-body 0.7.31 (without its dependencies), Python 3.11. No robot is needed.
#
# The library turns the gripper's status (per cent) into that of a finger joint. Its position is an angle, half the aperture by the length of a finger; its velocity is half the speed of the aperture in metres a second, not divided by that
# length. So with a finger of 0.171 m the two do not fit: the velocity is a sixth of the rate at which the position changes. Who integrates it, or takes a finger to rest by its speed, is off by that factor.
#
# Guess before: the velocity is the position's derivative. Seen, opening by 10 per cent a second, aperture 0.09 m at 70 per cent:
#   finger_rad after a second more    +0.0376 rad
#   finger_vel                         0.0064
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q --no-deps hello-robot-stretch-body==0.7.31 2>/dev/null
v/bin/python - <<'PY'
import importlib.util
import math
import sysconfig
from pathlib import Path

path = Path(sysconfig.get_path("purelib"), "stretch_body", "gripper_conversion.py")  # alone, without what the rest imports
spec = importlib.util.spec_from_file_location("gripper_conversion", path)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
gripper = module.GripperConversion({"finger_length_m": 0.171, "open_aperture_m": 0.09, "closed_aperture_m": 0.0, "open_robotis": 70.0, "closed_robotis": 0.0})
before, after = (gripper.get_status({"pos_pct": at, "vel": 10.0, "effort": 0.0}) for at in (20.0, 30.0))
turned = after["finger_rad"] - before["finger_rad"]
print("finger_rad", round(turned, 4), "finger_vel", round(before["finger_vel"], 4))
assert math.isclose(before["finger_vel"], turned * 0.171)
PY
