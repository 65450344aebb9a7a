#!/bin/sh
# hello-robot-stretch-body 0.7.31 (without its dependencies), numpy 2.4.6, opencv-python-headless 5.0.0.93, pyrealsense2 2.59.1.11053, PyYAML 6.0.4, filelock 4.3.1, Python 3.11. No robot is needed.
#
# A base trajectory of Stretch's own driver library turns the long way round where the heading passes half a turn: both headings are wrapped to -pi to pi, their difference is not. So from 100 to 190 degrees, in the time meant for 90, the base
# is told to turn by 270 the other way. The same turn from 0 to 90, or from 80 to 170, is as asked; `is_valid` finds nothing where wheels and time allow the long way.
#
# Guess before: +90 degrees in all cases. Seen, headings at 0, 4 and 12 s, and the turns of the two legs in degrees:
#   0, 90, 180     90   90
#   0, 100, 190    100  -270    (2,000 degrees a second allowed: valid)
#   0, -100, 170   -100  270    (as -190)
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 opencv-python-headless==5.0.0.93 pyrealsense2==2.59.1.11053 PyYAML==6.0.4 filelock==4.3.1
v/bin/pip install -q --no-deps hello-robot-stretch-body==0.7.31 2>/dev/null
v/bin/python - <<'PY'
import math

from stretch_body.trajectories import DiffDriveTrajectory


def same(value):
    return value  # wheel and base in the same units


for headings, expected in (((0, 90, 180), (90, 90)), ((0, 100, 190), (100, -270)), ((0, -100, 170), (-100, 270))):
    base = DiffDriveTrajectory()
    for time, heading in zip((0.0, 4.0, 12.0), headings):
        base.add(time, 0.0, 0.0, math.radians(heading))
    turns = [math.degrees(right.evaluate_at(right.duration)[0] - right.evaluate_at(0.0)[0])
             for right in (base.get_wheel_segments(leg, same, same)[1] for leg in (0, 1))]
    print(headings, [round(turn, 3) for turn in turns], base.is_valid(35.0, 35.0, same, same))
    assert all(math.isclose(turn, wanted) for turn, wanted in zip(turns, expected)) and base.is_valid(35.0, 35.0, same, same)[0]
PY
