#!/bin/sh
# coal 3.0.3, numpy 2.4.6, Python 3.11.
#
# DistanceRequest asks for signed distances by default: what overlaps has a negative one, how deep, and a normal that leads out. So it is for two shapes and for a mesh and a shape. Of two meshes that overlap the distance is 0,
# the two nearest points are one and the same, and the normal is not set at all: it is no unit vector (zeros, or what the memory held). Who pushes bodies apart along it stays where he is.
#
# Guess before: -0.2 in all three cases. Seen, a body of 1 x 2 x 3 m at the origin and one whose left end is 0.2 m inside it:
#   box and ball     -0.2, normal (1, 0, 0)
#   mesh and ball    -0.2, normal (1, 0, 0)
#   mesh and mesh    0.0, normal of length below 1e-300
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 coal==3.0.3
v/bin/python - <<'PY'
from itertools import product

import coal
import numpy as np

CORNERS = np.array(list(product((-0.5, 0.5), (-1.0, 1.0), (-1.5, 1.5))))
FACES = np.array([(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)])


def mesh():
    model = coal.BVHModelOBBRSS()
    model.beginModel(len(FACES), len(CORNERS))
    model.addVertices(CORNERS)
    model.addTriangles(FACES)
    model.endModel()
    return model


def signed(first, second):
    result = coal.DistanceResult()
    there = coal.Transform3s(np.eye(3), np.array([0.8, 0.0, 0.0]))
    distance = coal.distance(first, coal.Transform3s.Identity(), second, there, coal.DistanceRequest(), result)
    print(type(first).__name__, type(second).__name__, round(distance, 6), result.normal, result.getNearestPoint1(), result.getNearestPoint2())
    return distance, result


for first in (coal.Box(1, 2, 3), mesh()):
    distance, result = signed(first, coal.Sphere(0.5))
    assert np.isclose(distance, -0.2) and np.allclose(result.normal, (1.0, 0.0, 0.0))
distance, result = signed(mesh(), mesh())
assert distance == 0.0 and np.array_equal(result.getNearestPoint1(), result.getNearestPoint2())
assert not np.isclose(np.linalg.norm(result.normal), 1.0)
PY
