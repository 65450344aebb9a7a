"""Pictures for weights that see colours only."""

import numpy as np

from dadu.core.robot import CameraFrame

RED, GREEN, BLUE, GREY = (255, 0, 0), (0, 255, 0), (0, 0, 255), (128, 128, 128)
K = np.array([[312.0, 0, 160], [0, 312.0, 120], [0, 0, 1]])
LEVEL = np.array([[0.0, 0, 1, 0], [-1, 0, 0, 0], [0, -1, 0, 1.2], [0, 0, 0, 1]])
"""T_map_camera: looks along x, 1.2 m above the floor"""


def frame(*boxes, T_map_camera=LEVEL, scale=1):
    """A grey wall 3 m away, and before it boxes: colour, left, top, width and height [px], depth [m]."""
    rgb, depth = np.full((240, 320, 3), GREY, np.uint8), np.full((240, 320), 3.0, np.float32)
    for color, x, y, width, height, z in boxes:
        rgb[y:y + height, x:x + width], depth[y:y + height, x:x + width] = color, z
    rgb, depth = (np.repeat(np.repeat(a, scale, axis=0), scale, axis=1) for a in (rgb, depth))
    return CameraFrame(0.0, rgb, depth, K * np.array([[scale], [scale], [1]]), T_map_camera)
