#!/bin/sh
# python-fcl 0.7.0.11, numpy 2.4.6, Python 3.11.
#
# distance(..., enable_nearest_points=True) says where two bodies are nearest to each other, but in which frame depends on what the bodies are. Two shapes, or two meshes: both points in the world. A mesh and a shape: each point in
# the frame of its own body. The distance is right in all three cases, so a scene that swaps a box for its own mesh keeps its distances and gets other points.
#
# Guess before: world coordinates always. Seen, a body of 1 x 2 x 3 m at (10, 0, 0), turned by a quarter about z, and a second one at (13, 0, 0), nearest along the x axis from 11 to 12.5 m:
#   box and ball of radius 0.5     1.5   (11, 0, 0)        (12.5, 0, 0)
#   mesh and mesh                  1.5   (11, -0.5, 1.5)   (12.5, -0.5, 1.5)
#   mesh and ball of radius 0.5    1.5   (0, -1, 0)        (-0.5, 0, 0)
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 python-fcl==0.7.0.11
v/bin/python - <<'PY'
from itertools import product

import fcl
import numpy as np

TURNED = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
FIRST, SECOND = fcl.Transform(TURNED, np.array([10.0, 0.0, 0.0])), fcl.Transform(np.array([13.0, 0.0, 0.0]))
CORNERS = np.array(list(product((-0.5, 0.5), (-1.0, 1.0), (-1.5, 1.5))))
FACES = np.array([(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)])


def mesh():
    model = fcl.BVHModel()
    model.beginModel(len(CORNERS), len(FACES))
    model.addSubModel(CORNERS, FACES)
    model.endModel()
    return model


def nearest(first, second):
    result = fcl.DistanceResult()
    distance = fcl.distance(fcl.CollisionObject(first, FIRST), fcl.CollisionObject(second, SECOND),
                            fcl.DistanceRequest(enable_nearest_points=True), result)
    print(type(first).__name__, type(second).__name__, round(distance, 6), *(np.round(point, 6) for point in result.nearest_points))
    assert np.isclose(distance, 1.5)
    return result.nearest_points


shapes, meshes, mixed = nearest(fcl.Box(1, 2, 3), fcl.Sphere(0.5)), nearest(mesh(), mesh()), nearest(mesh(), fcl.Sphere(0.5))
for a, b in (shapes, meshes):
    assert np.isclose(a[0], 11.0) and np.isclose(b[0], 12.5)
assert np.allclose(mixed, [(0.0, -1.0, 0.0), (-0.5, 0.0, 0.0)])
PY
