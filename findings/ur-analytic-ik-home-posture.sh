#!/bin/sh
# ur-analytic-ik 0.1.0.post3, numpy 2.4.6, Python 3.11. No robot is needed.
#
# Closed-form inverse kinematics of Universal Robots' arms, with all solutions of a pose. With the second wrist joint at exactly +90 or -90 degrees and the third at exactly 0 or 180 (so in the posture 0 -90 90 -90 -90 0, in which these arms
# are commonly parked and start), it computes half of the solutions wrongly, filters them by its own forward kinematics, says so on standard output and returns the other half: the posture that the arm is in is not among them, and the "closest"
# turns the wrist by half a turn. A millionth of a radian beside it all are there. With the third joint at +90 or -90 nothing is missing.
#
# Guess before: the solutions of fk(q) include q, but for postures where the wrist is straight. Seen, for ur3e, ur5e and ur10e:
#   home                            4 solutions, none of them home; the closest turns the second wrist joint by 180 degrees
#   home, last joint + 1e-6 rad     8 solutions, that one among them
#   200 random postures of base, shoulder, elbow and first wrist joint, the others at -90 and 0 degrees: own one missing in 200; at -90 and 90: in none
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 ur-analytic-ik==0.1.0.post3
v/bin/python - > seen <<'PY' || { tail -n 5 seen; exit 1; }
import numpy as np
import ur_analytic_ik


def turned(a, b):
    """The largest turn of a joint between two postures, in degrees."""
    return np.degrees(np.abs((np.subtract(a, b) + np.pi) % (2 * np.pi) - np.pi).max())


def has(arm, posture):
    found = arm.inverse_kinematics(arm.forward_kinematics(*posture))
    return len(found), any(turned(one, posture) < 0.1 for one in found)


random = np.random.default_rng(0)
for name in ("ur3e", "ur5e", "ur10e"):
    arm = getattr(ur_analytic_ik, name)
    home = np.radians([0, -90, 90, -90, -90, 0])
    closest = arm.inverse_kinematics_closest(arm.forward_kinematics(*home), *home)[0]
    beside = home + [0, 0, 0, 0, 0, 1e-6]
    missing = {}
    for last in (0, 90):
        postures = [[*random.uniform(-np.pi, np.pi, 4), -np.pi / 2, np.radians(last)] for _ in range(200)]
        missing[last] = sum(not has(arm, one)[1] for one in postures)
    print(name, has(arm, home), round(turned(closest, home)), has(arm, beside), missing, flush=True)
    assert has(arm, home) == (4, False) and round(turned(closest, home)) == 180
    assert has(arm, beside) == (8, True)
    assert missing[0] >= 199 and missing[90] == 0
print("as stated")
PY
grep -v '^Warning: Detected and filtered' seen
