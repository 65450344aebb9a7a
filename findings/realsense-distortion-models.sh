#!/bin/sh
# pyrealsense2 2.59.1.11053, opencv-python-headless 5.0.0.93, numpy 2.4.6, Python 3.11.
#
# A pixel is turned into a ray by rs2_deproject_pixel_to_point and back by rs2_project_point_to_pixel. Two of the models that a camera may report do not do what their names say:
#  - modified_brown_conrady distorts when projecting and is ignored when deprojecting, without an error: there and back is pixels off.
#  - inverse_brown_conrady is described as the model that undistorts where Brown-Conrady distorts. The rays of both are the same: for equal coefficients the inverse model is solved for by iteration as well.
#    Who turns a stream's coefficients into a camera_info by the name takes the inverse twice.
#
# Guess before: the first refuses to deproject; the second's ray is the polynomial applied to the pixel.
# Seen, 640 x 480, f 600 px, k1 0.1, k2 -0.2, p1 = p2 = 0, pixel 500, 400 (x of the ray at z = 1; pixels that there and back is off):
#   none                     0.3000   0.00
#   brown_conrady            0.2968   0.00   (OpenCV's undistortPoints: 0.2968)
#   inverse_brown_conrady    0.2968   0.00   (the polynomial applied: 0.3033)
#   modified_brown_conrady   0.3000   2.6
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 pyrealsense2==2.59.1.11053 opencv-python-headless==5.0.0.93
v/bin/python - <<'PY'
import cv2
import numpy as np
import pyrealsense2 as rs

PIXEL, COEFFICIENTS = [500.0, 400.0], [0.1, -0.2, 0.0, 0.0, 0.0]
camera = rs.intrinsics()
camera.width, camera.height, camera.fx, camera.fy, camera.ppx, camera.ppy = 640, 480, 600.0, 600.0, 320.0, 240.0
camera.coeffs = COEFFICIENTS
seen = {}
for name in ("none", "brown_conrady", "inverse_brown_conrady", "modified_brown_conrady"):
    camera.model = getattr(rs.distortion, name)
    ray = rs.rs2_deproject_pixel_to_point(camera, PIXEL, 1.0)
    off = np.linalg.norm(np.subtract(rs.rs2_project_point_to_pixel(camera, ray), PIXEL))
    seen[name] = round(ray[0], 4), round(float(off), 2)
    print(f"{name:24} {ray[0]:.4f} {off:.2f}")
matrix = np.array([[600.0, 0, 320], [0, 600.0, 240], [0, 0, 1]])
opencv = cv2.undistortPoints(np.array([[PIXEL]]), matrix, np.array(COEFFICIENTS))[0, 0, 0]
x, y = 180 / 600, 160 / 600
square = x * x + y * y
applied = x * (1 + 0.1 * square - 0.2 * square ** 2)
print(f"OpenCV {opencv:.4f}, applied {applied:.4f}")
assert abs(seen["brown_conrady"][0] - opencv) < 2e-4 and seen["brown_conrady"][1] < 0.02
assert abs(seen["inverse_brown_conrady"][0] - opencv) < 2e-4 < abs(applied - opencv)
assert seen["modified_brown_conrady"][0] == seen["none"][0] and seen["modified_brown_conrady"][1] > 2
PY
