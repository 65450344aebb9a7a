#!/bin/sh
# roboplan 0.7.0 (roboplan-core, roboplan-toppra), pin 4.1.0, numpy 2.4.6, Python 3.11.
#
# PathParameterizerTOPPRA times a path of joints under limits of velocity and acceleration. Its default way through the waypoints (Hermite: straight, with a stop at each) exceeds the acceleration that it was given
# by more than half on 16 of 20 paths and up to 3.5-fold, in what it reports and in what its velocities do; a smaller acceleration_scale is exceeded by the same factor. LinearBlend exceeds it by 3 to 19 %. Cubic and
# Adaptive keep it, and all keep the velocity to 3 %. What stops at a waypoint as it should in a simulation trips the drives' limits on the robot.
#
# Guess before: all modes keep the limits to 1 %. Seen (20 paths of 5 random waypoints, 4 joints; largest acceleration over its limit, median and worst; worst velocity over its limit):
#   Hermite (default)    2.01  3.50  1.01        with acceleration_scale 0.25, over the scaled limit: 2.01  3.58
#   Cubic                1.00  1.00  1.01
#   Adaptive             1.00  1.00  1.01
#   LinearBlend          1.03  1.19  1.00
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 pin==4.1.0 roboplan==0.7.0
v/bin/python - <<'PY' 2>/dev/null
import numpy as np
import roboplan.core as core
from roboplan.toppra import PathParameterizerTOPPRA, SplineFittingMode, TOPPRAOptions

JOINTS, VELOCITY, ACCELERATION = [f"j{i}" for i in range(4)], np.array((1.0, 1.2, 1.4, 1.6)), np.array((2.0, 3.0, 4.0, 5.0))
links = "".join(
    f'<link name="l{i + 1}"/><joint name="{joint}" type="revolute"><parent link="l{i}"/><child link="l{i + 1}"/><origin xyz="0 0 0.3"/><axis xyz="{("0 0 1", "0 1 0", "1 0 0", "0 0 1")[i]}"/>'
    f'<limit lower="-3" upper="3" effort="10" velocity="{VELOCITY[i]}"/></joint>' for i, joint in enumerate(JOINTS))
with open("limits.yaml", "w") as file:
    file.write("joint_limits:\n" + "".join(f"  {joint}:\n    max_acceleration: [{limit}]\n" for joint, limit in zip(JOINTS, ACCELERATION, strict=True)))
scene = core.Scene("arm", core.loadUrdfSceneDescriptionFromXml(f'<robot name="arm"><link name="l0"/>{links}</robot>'))
scene.addGroup("arm", JOINTS)
scene.importJointLimitsFromConfig(core.loadJointLimitsConfig("limits.yaml"))
assert np.allclose(scene.getVelocityLimitVectors("arm")[1], VELOCITY) and np.allclose(scene.getAccelerationLimitVectors("arm")[1], ACCELERATION)
timer, found = PathParameterizerTOPPRA(scene, "arm"), {}
for name, options in (
    ("default", {}), ("default, a quarter", {"acceleration_scale": 0.25}), *((mode, {"mode": getattr(SplineFittingMode, mode)}) for mode in ("Hermite", "Cubic", "Adaptive", "LinearBlend"))):
    random, worst = np.random.default_rng(0), []
    for _ in range(20):
        path = core.JointPath()
        path.joint_names, path.positions = JOINTS, list(random.uniform(-1.5, 1.5, (5, 4)))
        timed = timer.generate(path, TOPPRAOptions(dt=0.002, **options))
        times, velocities = np.array(timed.times), np.array(timed.velocities)
        slopes = np.abs(np.diff(velocities, axis=0) / np.diff(times)[:, None])
        worst.append(((np.abs(timed.accelerations) / ACCELERATION).max(), (slopes / ACCELERATION).max(), (np.abs(velocities) / VELOCITY).max()))
    found[name] = np.array(worst)
    print(f"{name:20} acceleration: median {np.median(found[name][:, 0]):.3f} worst {found[name][:, 0].max():.3f}, by velocities {found[name][:, 1].max():.3f}; velocity {found[name][:, 2].max():.3f}")
assert np.allclose(found["default"], found["Hermite"])
over = [int((found[name][:, :2].max(axis=1) > 1.5 * scale).sum()) for name, scale in (("Hermite", 1), ("default, a quarter", 0.25))]
print("over one and a half times the limit, of 20:", over)
assert min(over) >= 10 and min(np.median(found["Hermite"][:, 0]), np.median(found["default, a quarter"][:, 0]) * 4) > 1.9 and found["LinearBlend"][:, 0].max() > 1.1
assert all(found[mode][:, :2].max() < 1.01 for mode in ("Cubic", "Adaptive")) and max(runs[:, 2].max() for runs in found.values()) < 1.03
PY
