#!/bin/sh
# opencv-contrib-python-headless 5.0.0.93, pupil-apriltags 1.0.4.post11, robotpy-apriltag 2026.2.2, numpy 2.4.6, Python 3.11.
#
# One sharp AprilTag (36h11), 80 pixels wide, its left upper edge at x 120, y 100, edges counted from the picture's corner (so 119.5, 99.5 where the middle of the first pixel is the origin, as in OpenCV).
# Where its corners are said to be, which corner is the first, and even how wide it is differ by detector, and within OpenCV by the kind of refinement: NONE (the default) and CONTOUR give the middles of the
# outermost dark pixels, so the tag is a pixel too small (a distance 1.3 % too large here), SUBPIX counts from the pixel's middle, APRILTAG from the pixel's corner, half a pixel away from SUBPIX.
#
# Guess before: the order differs, the AprilTag libraries are half a pixel from OpenCV, OpenCV agrees with itself. Seen (left, top, right, bottom; the first corner):
#   aruco NONE        120.00 100.00 199.00 179.00   upper left, then clockwise
#   aruco SUBPIX      119.58  99.58 199.41 179.41
#   aruco CONTOUR     120.00 100.00 199.00 179.00
#   aruco APRILTAG    120.00 100.00 200.00 180.00
#   pupil-apriltags   119.79  99.84 199.94 179.92   upper right, then anticlockwise
#   robotpy-apriltag  119.86  99.84 199.94 179.92   upper right, then anticlockwise
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 opencv-contrib-python-headless==5.0.0.93 pupil-apriltags==1.0.4.post11 robotpy-apriltag==2026.2.2
v/bin/python - <<'PY'
import cv2
import numpy as np
import pupil_apriltags
import robotpy_apriltag

tags = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
picture = np.full((300, 400), 255, np.uint8)
picture[100:180, 120:200] = cv2.aruco.generateImageMarker(tags, 5, 80)
found = {}
for name in ("NONE", "SUBPIX", "CONTOUR", "APRILTAG"):
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = getattr(cv2.aruco, f"CORNER_REFINE_{name}")
    found[name] = cv2.aruco.ArucoDetector(tags, parameters).detectMarkers(picture)[0][0][0]
found["pupil"] = pupil_apriltags.Detector(families="tag36h11", quad_decimate=1.0).detect(picture)[0].corners
detector = robotpy_apriltag.AprilTagDetector()
detector.addFamily("tag36h11")
settings = detector.getConfig()
settings.quadDecimate = 1.0
detector.setConfig(settings)
tag = detector.detect(picture)[0]
found["robotpy"] = np.array([(tag.getCorner(i).x, tag.getCorner(i).y) for i in range(4)])
for name, corners in found.items():
    print(f"{name:10}", np.round([*corners.min(0), *corners.max(0)], 2), "first", np.round(corners[0], 2))


def at(name, left, top, right, bottom, first, tolerance):
    corners = found[name]
    assert np.allclose([*corners.min(0), *corners.max(0)], [left, top, right, bottom], atol=tolerance), name
    assert np.allclose(corners[0], first, atol=1.2), name


at("NONE", 120, 100, 199, 179, (120, 100), 0.01)
at("CONTOUR", 120, 100, 199, 179, (120, 100), 0.01)
at("SUBPIX", 119.5, 99.5, 199.5, 179.5, (120, 100), 0.12)
at("APRILTAG", 120, 100, 200, 180, (120, 100), 0.01)
at("pupil", 120, 100, 200, 180, (200, 100), 0.25)
at("robotpy", 120, 100, 200, 180, (200, 100), 0.25)
PY
