#!/bin/sh
# gtsam 4.3.0 and 4.2.1, numpy 1.26.4, Python 3.11.
#
# Cal3Bundler is a camera with one focal length and two coefficients of radial distortion. In 4.2.1 its `uncalibrate` distorts and its `calibrate` undistorts. In Python with 4.3.0 both leave the distortion out, without an
# error, while a PinholeCameraCal3Bundler that holds the same object still applies it: pixels that one projects and the other takes back are rays that are off. `vector()`, which gave the three parameters, gives the five
# of a camera without distortion; Cal3Fisheye's gives five of its nine.
#
# Guess before: as in 4.2, and equal to what the camera projects. Seen (f 600, k1 -0.28, k2 0.09, centre 320, 240; the ray 0.5, 0.35, 1):
#                                               4.2.1               4.3.0
#   PinholeCameraCal3Bundler.project            592.456 430.719     592.456 430.719
#   Cal3Bundler.uncalibrate                     592.456 430.719     620 450
#   Cal3Bundler.calibrate of the projection     0.5 0.35            0.454 0.318
#   numbers in vector(), Bundler and Fisheye    3, 9                5, 5
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
for version in 4.2.1 4.3.0; do python3 -m venv v$version && v$version/bin/pip install -q numpy==1.26.4 gtsam==$version; done
cat > ray.py <<'PY'
import sys

import gtsam
import numpy as np

version = sys.argv[1]
ray = np.array([0.5, 0.35])
bundler = gtsam.Cal3Bundler(600, -0.28, 0.09, 320, 240)
camera = gtsam.PinholeCameraCal3Bundler(gtsam.Pose3(), bundler)
square = ray @ ray
distorted = 600 * (1 - 0.28 * square + 0.09 * square**2) * ray + (320, 240)
pixel, direct = camera.project(np.append(ray, 1.0)), bundler.uncalibrate(ray)
numbers = len(bundler.vector()), len(gtsam.Cal3Fisheye(600, 600, 0, 320, 240, 0.1, 0.2, 0.01, 0.02).vector())
print(version, "project", pixel.round(3), "uncalibrate", direct.round(3), "calibrate", bundler.calibrate(pixel).round(3), "numbers", numbers)
assert (bundler.k1(), bundler.k2()) == (-0.28, 0.09) and np.allclose(pixel, distorted)
if version == "4.2.1":
    assert np.allclose(direct, distorted) and np.allclose(bundler.calibrate(pixel), ray, atol=1e-6) and numbers == (3, 9)
else:
    assert np.allclose(direct, 600 * ray + (320, 240)) and np.allclose(bundler.calibrate(pixel), (pixel - (320, 240)) / 600) and numbers == (5, 5)
PY
for version in 4.2.1 4.3.0; do v$version/bin/python ray.py $version; done
