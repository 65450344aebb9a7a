"""Pictures turned upright, whatever way the camera is mounted: a Stretch's lies on its side."""

from __future__ import annotations

import math

import cv2
import numpy as np

from dadu.core.robot import CameraFrame

_ROTATIONS = {1: cv2.ROTATE_90_COUNTERCLOCKWISE, 2: cv2.ROTATE_180, 3: cv2.ROTATE_90_CLOCKWISE}


def quarter_turns(R_map_camera: np.ndarray) -> int:
    """How often a picture must be turned by 90 degrees counter-clockwise (`numpy.rot90`) so that gravity points down.

    `R_map_camera`: (3, 3), optical frame of REP 103: x right, y down in the picture. Where the camera looks straight up
    or down nothing is turned.
    """
    x, y, _ = R_map_camera.T @ (0.0, 0.0, -1.0)
    if math.hypot(x, y) < 0.1:
        return 0
    # rot90 once brings the picture's right side to its top; gravity to the right needs three, to the top two.
    return round(-math.atan2(x, y) / (math.pi / 2)) % 4


def turned(rgb: np.ndarray, turns: int, width: int = 0) -> np.ndarray:
    """uint8 (H, W, 3), turned by `quarter_turns` and at most `width` pixels wide, where one is given."""
    picture = rotated(rgb, turns)
    scale = min(1.0, width / picture.shape[1]) if width else 1.0
    return cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else picture


def rotated(picture: np.ndarray, turns: int) -> np.ndarray:
    """uint8 (H, W) or (H, W, C), contiguous, as `numpy.rot90` turns it, whose copy would take ten times as long."""
    return cv2.rotate(picture, _ROTATIONS[turns % 4]) if turns % 4 else np.ascontiguousarray(picture)


def turned_box(box: tuple[int, int, int, int], size: tuple[int, int],
               turns: int) -> tuple[tuple[int, int, int, int], tuple[int, int]]:
    """A box x, y, width, height [px] in a picture of `size` (width, height) after `turned`, and the turned size."""
    (x, y, w, h), (across, down) = box, size
    for _ in range(turns % 4):
        x, y, w, h, across, down = y, across - x - w, h, w, down, across
    return (x, y, w, h), (across, down)


def upright(frame: CameraFrame) -> np.ndarray:
    """The frame's colour picture, uint8 (H, W, 3), red first."""
    return turned(frame.rgb, quarter_turns(frame.T_map_camera[:3, :3]))
