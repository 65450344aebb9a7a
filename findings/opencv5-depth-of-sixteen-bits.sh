#!/bin/sh
# opencv-python-headless 5.0.0.93, numpy 2.4.6, Python 3.11.
#
# A depth picture of 16 bits is in millimetres to depthTo3d, rescaleDepth and registerDepth. cv2.Odometry takes the same picture for fifths of a millimetre (the scale of one well-known data set): its rotation is right,
# its translation a fifth of the motion, and it reports success. warpFrame, which is there to look at what Odometry found, wants the translation in units of the picture: given metres it moves nothing. Pictures of floats are
# in metres in all of these and right, so the same code goes wrong when the camera's picture is no longer converted first. Converting it to metres before Odometry mends both.
#
# Guess before: millimetres and metres in all of them, as documented for depthTo3d. Seen, a camera that moves by 30, -20, 40 mm in a room (what Odometry gives is the inverse), a thing at 1 m, f 300 px, shifted by 0.1 m:
#                                            float, metres               16 bits, millimetres
#   depthTo3d, a point at 2 m                z 2.0                       z 2.0
#   Odometry, DEPTH                          -0.0305 0.0200 -0.0396      -0.0061 0.0040 -0.0079     (truth -0.0305 0.0201 -0.0396)
#   Odometry, RGB_DEPTH                      the same to 0.2 mm          the same to 0.2 mm
#   registerDepth by 0.1, first column       170                         170
#   warpFrame by 0.1, first column           170                         140 (not moved); by 100: 170
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 opencv-python-headless==5.0.0.93
v/bin/python - <<'PY'
import cv2
import numpy as np

ROWS, COLUMNS, FOCAL = 240, 320, 300.0
CAMERA = np.array([[FOCAL, 0, COLUMNS / 2], [0, FOCAL, ROWS / 2], [0, 0, 1]])
column, row = np.meshgrid(np.arange(COLUMNS), np.arange(ROWS))
rays = np.dstack(((column - COLUMNS / 2) / FOCAL, (row - ROWS / 2) / FOCAL, np.ones_like(column)))
PLANES = (((0, 0, 1), 2.5), ((0, 1, 0), 0.8), ((1, 0, 0.2), -1.2), ((1, 0, 0), 1.4))  # normal, offset: back wall, floor, sides
BALLS = (((-0.4, 0.3, 1.9), 0.35), ((0.5, -0.1, 2.1), 0.4), ((0.1, 0.6, 1.5), 0.2), ((-0.2, -0.5, 2.2), 0.3))


def view(pose):
    """Depth in metres and colour seen by a camera at `pose`."""
    origin, along, depth = pose[:3, 3], rays @ pose[:3, :3].T, np.full((ROWS, COLUMNS), np.inf)
    with np.errstate(divide="ignore", invalid="ignore"):
        for normal, offset in PLANES:
            at = (offset - origin @ np.array(normal)) / (along @ np.array(normal))
            depth = np.fmin(depth, np.where(at > 0, at, np.inf))
        for centre, radius in BALLS:
            out = origin - np.array(centre)
            a, b = (along**2).sum(-1), along @ out
            at = (-b - np.sqrt(b**2 - a * (out @ out - radius**2))) / a
            depth = np.fmin(depth, np.where(at > 0, at, np.inf))
    x, y, z = np.moveaxis(origin + along * depth[..., None], -1, 0)
    grey = (127 + 60 * np.sin(9 * x + 3 * z) + 50 * np.cos(11 * y - 5 * z)).clip(0, 255).astype(np.uint8)
    return depth.astype(np.float32), np.dstack([grey] * 3)


def millimetres(depth):
    return (depth * 1000).round().astype(np.uint16)


moved = np.eye(4)
moved[:3, :3], moved[:3, 3] = cv2.Rodrigues(np.array((0.01, -0.02, 0.015)))[0], (0.03, -0.02, 0.04)
(depth0, colour0), (depth1, colour1) = view(np.eye(4)), view(moved)
truth = np.linalg.inv(moved)
for kind in ("DEPTH", "RGB_DEPTH"):
    for name, convert, scale in (("metres", lambda depth: depth, 1.0), ("millimetres", millimetres, 0.2)):
        settings = cv2.OdometrySettings()
        settings.setCameraMatrix(CAMERA.astype(np.float32))
        odometry = cv2.Odometry(getattr(cv2, f"ODOMETRY_TYPE_{kind}"), settings, cv2.ODOMETRY_ALGO_TYPE_COMMON)
        pictures = (convert(depth0), convert(depth1)) if kind == "DEPTH" else (convert(depth0), colour0, convert(depth1), colour1)
        found, pose = odometry.compute(*pictures)
        print(f"Odometry {kind:9} {name:11} {found} {pose[:3, 3].round(4)}, truth {truth[:3, 3].round(4)}")
        assert found and np.abs(pose[:3, :3] - truth[:3, :3]).max() < 1e-3
        assert np.abs(pose[:3, 3] - scale * truth[:3, 3]).max() < 3e-4

thing = np.full((ROWS, COLUMNS), 2, np.float32)
thing[100:140, 140:180] = 1


def first(depth, unit):
    """First column of row 120 that is nearer than 1.5 m."""
    near = np.nan_to_num(depth[120].astype(float)) / unit
    return int(np.flatnonzero((near > 0) & (near < 1.5))[0])


blank, whole = np.zeros((ROWS, COLUMNS, 3), np.uint8), np.full((ROWS, COLUMNS), 255, np.uint8)
for picture, unit, by, expected in ((thing, 1, 0.1, 170), (millimetres(thing), 1000, 0.1, 140), (millimetres(thing), 1000, 100, 170)):
    shift = np.eye(4)
    shift[0, 3] = by
    warped = first(cv2.warpFrame(picture, blank, whole, shift, CAMERA)[0], unit)
    print(picture.dtype, "warpFrame by", by, warped)
    assert warped == expected
    if by == 0.1:
        assert first(cv2.registerDepth(CAMERA, CAMERA, np.zeros(5), shift, picture, (COLUMNS, ROWS)), unit) == 170
        assert cv2.depthTo3d(picture, CAMERA)[5, 5, 2] == 2
assert cv2.rescaleDepth(millimetres(thing), cv2.CV_32F)[5, 5] == 2
PY
