#!/bin/sh
# ahrs 0.4.0, scipy 1.17.1, numpy 2.4.6, Python 3.11.
#
# One inertial sensor at rest (accelerometer up, as ROS and most drivers have it; magnetometer towards magnetic north and down), given to the estimators of one package with their defaults. All of them return `Q`,
# nine agree on what is up, and that is all: Mahony's x axis of the world is east, that of Madgwick, Complementary, Fourati, FAMC, FLAE and Tilt is north, so their headings are 90 degrees apart; AQUA and SAAM
# return the inverse rotation; EKF with its default frame 'NED' is none of these, with 'ENU' it is Mahony's. Exchanging Madgwick for Mahony, or for AQUA, turns the robot.
#
# Guess before: one orientation, up to the sign of the quaternion, as long as no frame is chosen. Seen (roll, pitch, yaw in degrees; the sensor was turned by 15, -25, 70 from east, north, up):
#   Mahony, EKF(frame='ENU')                                      15   -25    70
#   Madgwick, Complementary, Fourati, FAMC, FLAE, Tilt            15   -25   -20
#   AQUA, SAAM (inverse of 15, -25, -20)                          -6.7  28.2  15
#   EKF                                                           26   -46   -26.5
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 scipy==1.17.1 ahrs==0.4.0
v/bin/python - <<'PY'
import numpy as np
from ahrs import filters
from scipy.spatial.transform import Rotation

SAMPLES, DIP = 6000, 60.0  # a minute at the default of 100 Hz; the field's angle below the horizon in degrees
body_to_world = Rotation.from_euler("ZYX", (70, -25, 15), degrees=True)
north = Rotation.from_euler("z", -90, degrees=True) * body_to_world  # the same, counted from north instead of east
still = np.zeros((SAMPLES, 3))
acceleration = np.tile(body_to_world.inv().apply((0, 0, 9.81)), (SAMPLES, 1))
field = np.tile(body_to_world.inv().apply(50 * np.array((0, np.cos(np.radians(DIP)), -np.sin(np.radians(DIP))))), (SAMPLES, 1))
at_rest, moving = {"acc": acceleration, "mag": field}, {"gyr": still, "acc": acceleration, "mag": field}
found = {
    "Mahony": (filters.Mahony(**moving), body_to_world), "EKF, ENU": (filters.EKF(magnetic_ref=DIP, frame="ENU", **moving), body_to_world),
    "Madgwick": (filters.Madgwick(**moving), north), "Complementary": (filters.Complementary(**moving), north), "Fourati": (filters.Fourati(magnetic_dip=DIP, **moving), north),
    "FAMC": (filters.FAMC(**at_rest), north), "FLAE": (filters.FLAE(magnetic_dip=DIP, **at_rest), north), "Tilt": (filters.Tilt(**at_rest), north),
    "AQUA": (filters.AQUA(**moving), north.inv()), "SAAM": (filters.SAAM(**at_rest), north.inv()), "EKF": (filters.EKF(magnetic_ref=DIP, **moving), None),
}
for name, (estimator, expected) in found.items():
    rotation = Rotation.from_quat(np.atleast_2d(estimator.Q)[-1], scalar_first=True)
    print(f"{name:14} {rotation.as_euler('ZYX', degrees=True)[::-1].round(1)}")
    if expected is not None:
        assert (rotation.inv() * expected).magnitude() < np.radians(1), name
    else:
        assert all((rotation.inv() * other).magnitude() > np.radians(10) for other in (body_to_world, north, north.inv(), body_to_world.inv()))
PY
