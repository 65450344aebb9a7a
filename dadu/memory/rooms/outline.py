"""The outline of a region of cells as a polygon."""

from __future__ import annotations

import cv2
import numpy as np
from scipy.ndimage import binary_fill_holes, binary_opening, label

TOLERANCE = 0.08
"""how far an outline may be off, to be of fewer corners [m]"""
_FINER = 8
"""parts of a cell's side: a contour goes through the middles of the outermost"""


def outline(cells: np.ndarray, resolution: float, origin: tuple[float, float]) -> tuple[tuple[float, float], ...]:
    """Corners [m] of the largest part of `cells`, bool (rows, cols), whose edges are `resolution` [m] long and whose
    first one's lower left corner is at `origin` [m]; none where nothing is left. Holes are filled."""
    parts, count = label(binary_opening(binary_fill_holes(cells), np.ones((2, 2))))
    if not count:
        return ()
    largest = binary_fill_holes(parts == 1 + int(np.argmax(np.bincount(parts.ravel())[1:])))
    fine = np.kron(largest, np.ones((_FINER, _FINER))).astype(np.uint8)
    around = max(cv2.findContours(fine, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0], key=len)
    corners = cv2.approxPolyDP(around, TOLERANCE / resolution * _FINER, True)[:, 0]
    return tuple((round(float(x), 3), round(float(y), 3))
                 for x, y in (corners + 0.5) / _FINER * resolution + np.array(origin))
