#!/bin/sh
# opencv-python-headless 5.0.0.93, numpy 2.4.6, Python 3.11.
#
# cv2.triangleRasterize renders triangles to a picture and to depth; what is nearer than zNear is clipped, says its documentation. It is so for a triangle in front of the camera's plane. A triangle with one corner
# behind the camera is lost altogether, the part in view as well: the floor of a room, which goes on under and behind the camera, is not in the picture, and its depth is that of an empty scene. Only
# a row of pixels at the horizon is drawn, at zFar. Within the picture depths are exact (to 0.1 mm, for the middles of pixels counted at one half).
#
# Guess before: the part in front is drawn. Seen (floor 0.5 m below the camera from near to 8 m ahead, zNear 0.1; depth where it is 3.407 m; pixels that have a depth below 9.99):
#   floor begins           depth    share of the pixels
#   1 m ahead              3.407    0.341
#   0.05 m ahead           3.407    0.408       (nearer than zNear)
#   0.05 m behind          10.00    0.004
#   1 m behind             10.00    0.004
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 opencv-python-headless==5.0.0.93
v/bin/python - <<'PY'
import cv2
import numpy as np

WIDTH, HEIGHT, FIELD, NEAR, FAR, BELOW = 320, 240, np.pi / 3, 0.1, 10.0, 0.5
FOCAL = HEIGHT / 2 / np.tan(FIELD / 2)


def floor_depth(ahead):
    corners = np.array([[(x, -BELOW, -z) for x, z in ((-2, ahead), (2, ahead), (2, 8), (-2, 8))]], np.float32)  # OpenGL's axes: z towards the viewer
    triangles = np.array([[(0, 1, 2), (0, 2, 3)]], np.int32)
    settings = cv2.TriangleRasterizeSettings()
    settings.setCullingMode(cv2.RASTERIZE_CULLING_NONE)
    return cv2.triangleRasterizeDepth(corners, triangles, np.full((HEIGHT, WIDTH), FAR, np.float32), np.eye(4, dtype=np.float32), FIELD, NEAR, FAR, settings)


ROW = 150
true = BELOW / ((ROW + 0.5 - HEIGHT / 2) / FOCAL)
for ahead, share in ((1.0, 0.341), (0.05, 0.408), (-0.05, 0.004), (-1.0, 0.004)):
    depth = floor_depth(ahead)
    print(f"floor begins {ahead:5.2f} m ahead: depth {depth[ROW, WIDTH // 2]:.3f} (true {true:.3f}), drawn {(depth < 9.99).mean():.3f}")
    assert abs((depth < 9.99).mean() - share) < 2e-3
    assert abs(depth[ROW, WIDTH // 2] - (true if ahead > 0 else FAR)) < 1e-3
PY
