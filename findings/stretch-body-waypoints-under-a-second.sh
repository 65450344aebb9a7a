#!/bin/sh
# hello-robot-stretch-body 0.7.31 (without its dependencies), numpy 2.4.6, opencv-python-headless 5.0.0.93, pyrealsense2 2.59.1.11053, PyYAML 6.0.4, filelock 4.3.1, Python 3.11. No robot is needed.
#
# A trajectory of Stretch's own driver library takes waypoints one by one. What comes within 0.8 s of one that is there already is dropped without a word: two times count as the same if they are that close. So a path sampled at 10 Hz keeps
# a ninth of its points, the shape between them is lost, and the end as well where it follows the last kept point too soon: the trajectory is valid, and the joint stops short. And a waypoint between the first and the last is not sorted in,
# as the docstring says, but put at the end.
#
# Guess before: all points are kept, sorted by time. Seen:
#   101 waypoints at 10 Hz from 0.3 to 0.4 m    12 kept, the last at 9.9 s and 0.399 m; is_valid: (True, '')
#   0.5 s from 0 to 0.1 m                       1 kept: no motion at all; is_valid: (True, 'must have at least two waypoints')
#   times 0, 10, 5 s                            kept in that order; is_valid: False
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 opencv-python-headless==5.0.0.93 pyrealsense2==2.59.1.11053 PyYAML==6.0.4 filelock==4.3.1
v/bin/pip install -q --no-deps hello-robot-stretch-body==0.7.31 2>/dev/null
v/bin/python - <<'PY'
import numpy as np
from stretch_body.trajectories import PrismaticTrajectory


def trajectory(times, positions):
    made = PrismaticTrajectory()
    for time, position in zip(times, positions):
        made.add(float(time), float(position))
    kept = [waypoint.time for waypoint in made]
    print(len(times), "waypoints:", len(kept), "kept, the last", made[-1], made.is_valid(1.0, 1.0))
    return made, kept


made, kept = trajectory(np.linspace(0.0, 10.0, 101), np.linspace(0.3, 0.4, 101))
assert len(kept) == 12 and np.isclose(kept[-1], 9.9) and np.isclose(made[-1].position, 0.399) and made.is_valid(1.0, 1.0) == (True, "")
made, kept = trajectory((0.0, 0.5), (0.0, 0.1))
assert kept == [0.0] and made.is_valid(1.0, 1.0)[0]
made, kept = trajectory((0.0, 10.0, 5.0), (0.0, 1.0, 0.5))
assert kept == [0.0, 10.0, 5.0] and not made.is_valid(1.0, 1.0)[0]
PY
