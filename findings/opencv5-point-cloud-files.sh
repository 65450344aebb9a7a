#!/bin/sh
# opencv-python-headless 5.0.0.93, plyfile 1.1.5, numpy 2.4.6, Python 3.11.
#
# OpenCV 5's savePointCloud and loadPointCloud, by themselves and beside plyfile:
#  - Colours of 8 bits are multiplied by 255 again: a .ply then has 65025 in a column that it declares as uchar, and reading it back gives other colours; the same call writes them unscaled to an .obj.
#    Colours from 0 to 1 come back right from both (from .ply to 1/255).
#  - A .obj has six digits: a point of a map in UTM coordinates comes back up to half a metre off. The .ply has nine.
#  - A .ply whose faces stand before its vertices, which the format allows (the header says the order), is read without an error: the faces' indices become coordinates.
#
# Guess before: saving and loading is the identity for colours of 8 bits; every order of elements is read. Seen:
#   line of the .ply for a point with colour 255 127 0: 255*255 = 65025 32385 0; loaded as 1 129 0 of 255
#   in the .obj: 255 127 0
#   x = 500123.4: 500123.41 from .ply, 500123 from .obj
#   face 0 1 2 first, then vertices 1 2 3, 4 5 6, 7 8 9: read as 3 0 1, 2 1 2, 3 4 5 (plyfile: as written)
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 opencv-python-headless==5.0.0.93 plyfile==1.1.5
v/bin/python - <<'PY' 2>/dev/null
import cv2
import numpy as np
from plyfile import PlyData, PlyElement


def there_and_back(points, colours, ending):
    cv2.savePointCloud(f"cloud.{ending}", np.array(points, np.float32)[:, None], rgb=colours[:, None])
    points, _, colours = cv2.loadPointCloud(f"cloud.{ending}")
    return points[:, 0], colours[:, 0]


POINTS, COLOURS = [[500123.4, 2.0, 3.0], [4.0, 5.0, 6.0]], np.array([[255, 127, 0], [0, 63, 255]], np.uint8)
points, colours = there_and_back(POINTS, COLOURS, "ply")
line = next(line for line in open("cloud.ply") if line.startswith("500123"))
print("ply:", line.strip(), "loaded", np.round(colours[0] * 255))
assert line.split()[3:6] == ["65025", "32385", "0"] and "property uchar red" in open("cloud.ply").read()
assert not np.allclose(colours[0] * 255, COLOURS[0], atol=1)
assert abs(points[0, 0] - 500123.4) < 0.02  # float32
points, colours = there_and_back(POINTS, COLOURS, "obj")
print("obj:", points[0], colours[0])
assert np.array_equal(colours[0], COLOURS[0]) and points[0, 0] == 500123
for ending in ("ply", "obj"):
    assert np.allclose(there_and_back(POINTS, (COLOURS / 255).astype(np.float32), ending)[1] * 255, COLOURS, atol=1)
vertices = np.array([(1, 2, 3), (4, 5, 6), (7, 8, 9)], dtype=[("x", "f4"), ("y", "f4"), ("z", "f4")])
faces = np.array([([0, 1, 2],)], dtype=[("vertex_indices", "i4", (3,))])
elements = [PlyElement.describe(faces, "face"), PlyElement.describe(vertices, "vertex")]
for order, expected in ((elements, [[3, 0, 1], [2, 1, 2], [3, 4, 5]]), (elements[::-1], [[1, 2, 3], [4, 5, 6], [7, 8, 9]])):
    PlyData(order, text=True).write("order.ply")
    points = cv2.loadPointCloud("order.ply")[0].reshape(-1, 3)
    print([element.name for element in order], points.tolist(), "plyfile", PlyData.read("order.ply")["vertex"].data.tolist())
    assert points.tolist() == expected
    assert PlyData.read("order.ply")["vertex"].data.tolist() == [(1, 2, 3), (4, 5, 6), (7, 8, 9)]
PY
