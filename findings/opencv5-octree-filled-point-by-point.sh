#!/bin/sh
# opencv-python-headless 5.0.0.93, numpy 2.4.6, Python 3.11.
#
# A cv2.Octree is filled with a whole cloud when it is made, or made empty with its size and filled by insertPoint. The second kind says True to every point and finds the nearest neighbours, but a search within a radius
# misses most of what is there, and getPointCloudByOctree(), which gives the middles of the leaves, gives one point, the tree's corner. Nothing is said. Filled at once, the same points are all found.
#
# Guess before: both ways are the same tree. Seen (300 points in a cube of 1 m, leaves of 0.1 m and, filled one by one, 1/32 m; neighbours found around 60 places, of how many):
#                     cloud at once    point by point
#   within 0.05 m     13 of 13         0 of 13
#   within 0.2 m      557 of 557       0 of 557
#   within 0.5 m      5169 of 5169     151 of 5169
#   leaves' middles   250              1
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 opencv-python-headless==5.0.0.93
v/bin/python - <<'PY'
import cv2
import numpy as np

random = np.random.default_rng(0)
POINTS = random.uniform(0, 1, (300, 3)).astype(np.float32)
PLACES = random.uniform(0, 1, (60, 3)).astype(np.float32)
at_once = cv2.Octree_createWithResolution(0.1, POINTS[:, None])
one_by_one = cv2.Octree_createWithDepth(5, 1.0, (0.0, 0.0, 0.0))  # leaves of 1/32
assert all(one_by_one.insertPoint(point.tolist()) for point in POINTS)
squares = ((PLACES[:, None] - POINTS) ** 2).sum(-1)
nearest = np.array([one_by_one.KNNSearch(place.tolist(), 3)[1].ravel() for place in PLACES])
assert np.allclose(np.sort(nearest), np.sort(squares)[:, :3], atol=1e-5)  # the points are in it
for radius, most in ((0.05, 0), (0.2, 0.05), (0.5, 0.1)):
    true = int((squares <= radius**2).sum())
    found = [sum(tree.radiusNNSearch(place.tolist(), radius)[0] for place in PLACES) for tree in (at_once, one_by_one)]
    print(f"within {radius}: at once {found[0]}, one by one {found[1]}, of {true}")
    assert found[0] == true and found[1] <= most * true
leaves = [len(tree.getPointCloudByOctree()[0]) for tree in (at_once, one_by_one)]
print("leaves:", leaves)
assert leaves == [len(np.unique(np.floor(POINTS / np.float32(0.1)), axis=0)), 1]
PY
