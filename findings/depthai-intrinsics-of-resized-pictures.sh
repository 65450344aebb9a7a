#!/bin/sh
# depthai 3.12.0, numpy 2.4.6, Python 3.11. No camera is needed.
#
# OAK cameras keep their calibration at one resolution; getCameraIntrinsics(socket, width, height) gives the camera's matrix for a picture of another size. Where the shape differs it by default keeps the aspect ratio and, by its documentation,
# crops what is left over on the other side. It does so only if the new picture is flatter than the sensor. If it is less flat, as the square inputs of most networks are, the matrix is that of a picture with bars above and below it.
# The camera's outputs are cropped unless asked otherwise, and ImgTransformation, by which the library itself follows a picture through its nodes, has another focal length for that crop. A point cloud or a pose from such a picture is then too large to the side by the ratio of both.
#
# Guess before: none written down for this (the chain of extrinsics, which was the question, is as expected); by the documentation the two columns agree. Seen (sensor 1280 x 800, focal length 800):
#                fx of getCameraIntrinsics    fx of the crop
#   640 x 400    400                          400
#   640 x 360    400                          400
#   640 x 480    400                          480
#   416 x 416    260                          416
#   300 x 300    187.5                        300
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 depthai==3.12.0
v/bin/python - <<'PY'
import depthai
import numpy as np

WIDTH, HEIGHT, FOCAL = 1280, 800, 800.0
MATRIX = [[FOCAL, 0, WIDTH / 2], [0, FOCAL, HEIGHT / 2], [0, 0, 1]]
socket = depthai.CameraBoardSocket.CAM_A
calibration = depthai.CalibrationHandler()
calibration.setCameraIntrinsics(socket, MATRIX, WIDTH, HEIGHT)


def cropped(width, height):
    """The matrix of a picture that is scaled until it covers width x height and then cropped about its middle."""
    scale = max(width / WIDTH, height / HEIGHT)
    picture = depthai.ImgTransformation(WIDTH, HEIGHT, MATRIX)
    picture.addScale(scale, scale)
    picture.addCrop(round((WIDTH * scale - width) / 2), round((HEIGHT * scale - height) / 2), width, height)
    assert picture.getSize() == (width, height)
    return np.array(picture.getIntrinsicMatrix())


for width, height, expected in ((640, 400, 400), (640, 360, 400), (640, 480, 400), (416, 416, 260), (300, 300, 187.5)):
    given, own = np.array(calibration.getCameraIntrinsics(socket, width, height)), cropped(width, height)
    print(f"{width} x {height}   fx {given[0, 0]:.1f}   of the crop {own[0, 0]:.1f}")
    assert np.isclose(given[0, 0], expected) and np.isclose(given[1, 1], expected) and np.allclose(given[:2, 2], (width / 2, height / 2))
    assert np.isclose(own[0, 0], max(width / WIDTH, height / HEIGHT) * FOCAL, atol=0.01) and np.allclose(own[:2, 2], (width / 2, height / 2), atol=0.6)
    assert np.isclose(given[0, 0], own[0, 0]) == (width / height >= WIDTH / HEIGHT)
PY
