"""One thing cut out of a colour picture, for people to look at."""

from __future__ import annotations

import cv2
import numpy as np

from dadu.perception.upright import quarter_turns, turned

SIDE = 128
"""of the longer side of what is kept, at most [px]"""
_MARGIN = 0.15
"""around the thing, in shares of its longer side"""
_QUALITY = 80


def cut_out(rgb: np.ndarray, T_map_camera: np.ndarray, box: tuple[int, int, int, int]) -> bytes:
    """JPEG, upright, of a `box` x, y, width, height [px] with a margin, in a picture uint8 (H, W, 3), red first, that
    the camera at `T_map_camera` (4, 4) took."""
    x, y, width, height = box
    rim = round(_MARGIN * max(width, height)) + 2
    part = rgb[max(y - rim, 0):y + height + rim, max(x - rim, 0):x + width + rim]
    part = turned(part, quarter_turns(T_map_camera[:3, :3]))
    scale = SIDE / max(part.shape[:2])
    if scale < 1:
        part = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return cv2.imencode(".jpg", part[..., ::-1], (cv2.IMWRITE_JPEG_QUALITY, _QUALITY))[1].tobytes()
