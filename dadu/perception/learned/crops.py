"""What the namer sees of one thing: a square cut out around it, the same in training and on the robot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from dadu.perception.learned.channels import FOCAL, PIXELS_PER_METRE

SIDE = 48
"""of a crop [px]"""
CHANNELS = 6
SIZES = 4
_AROUND, _MARGIN = 1.3, 4
"""the square's side: the longer side of the thing, times the one and plus the other [px]"""
UNKNOWN = -128
_LEAST_SIZE = 0.01
"""[m]"""


@dataclass(frozen=True)
class Crop:
    """Compact, for disk: see `network_input` for what the network is given."""

    rgb: np.ndarray
    """uint8 (SIDE, SIDE, 3)"""
    mask: np.ndarray
    """uint8 (SIDE, SIDE), 255 where the thing is"""
    relief: np.ndarray
    """int8 (SIDE, SIDE): how far behind the thing's middle depth, in 127ths of the square's side; -128: not known"""
    sizes: np.ndarray
    """float32 (3,): the square's side [m], 0 where no depth is known; height above the floor, as in `channels`; the
    side [px]"""


def crop(picture: np.ndarray, mask: np.ndarray) -> Crop:
    """Of a thing in `picture` float32 (H, W, 6), see `channels`; `mask`: bool (H, W), true somewhere."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    top, left, height, width = rows[0], columns[0], np.ptp(rows) + 1, np.ptp(columns) + 1
    side = _AROUND * max(height, width) + _MARGIN
    known = mask & (picture[..., 4] > 0.5)
    density = float(np.median(picture[..., 3][known])) * PIXELS_PER_METRE if known.any() else 0.0
    metres = side / density if density else 0.0
    above = float(np.median(picture[..., 5][known])) if known.any() else 0.0
    square = _Square(left + width / 2, top + height / 2, side)
    rgb = np.clip(np.round((square.smooth(picture[..., :3]) + 1) * 127.5), 0, 255).astype(np.uint8)
    cut = square.smooth(mask.astype(np.float32))
    around = square.nearest(picture[..., 3]) * PIXELS_PER_METRE
    seen = square.nearest(picture[..., 4]) > 0.5
    return Crop(rgb, np.round(255 * cut).astype(np.uint8), _relief(around, seen, density, side),
                np.array([metres, above, side], np.float32))


def network_input(crops: Sequence[Crop]) -> tuple[np.ndarray, np.ndarray]:
    """What the network is given of N crops: float32 (N, 6, SIDE, SIDE), unitless: colours -1 to 1, mask, relief,
    whether that is known; and float32 (N, 4), logarithms of sizes and height, unitless, too."""
    rgb, mask, relief, sizes = (np.stack([getattr(crop, name) for crop in crops])
                                for name in ("rgb", "mask", "relief", "sizes"))
    known = relief != UNKNOWN
    planes = [mask[:, None] / 255, np.where(known, relief / 127, 0)[:, None], known[:, None]]
    pictures = np.concatenate([rgb.transpose(0, 3, 1, 2) / 127.5 - 1, *planes], axis=1).astype(np.float32)
    metres, above, side = sizes[:, 0], sizes[:, 1], sizes[:, 2]
    there = metres > 0
    return pictures, np.stack([np.log(np.where(there, np.maximum(metres, _LEAST_SIZE), 1)), there,
                               np.clip(above, -0.5, 2), np.log(side / SIDE)], axis=1).astype(np.float32)


@dataclass(frozen=True)
class _Square:
    """A square part of a picture."""

    x: float
    y: float
    """its middle [px]"""
    side: float
    """[px]"""

    def smooth(self, picture: np.ndarray) -> np.ndarray:
        """float32 (SIDE, SIDE, ...): where it is made smaller, pixels are averaged."""
        fine = max(1, round(self.side / SIDE))
        out = self._cut(picture, fine * SIDE, cv2.INTER_LINEAR)
        return cv2.resize(out, (SIDE, SIDE), interpolation=cv2.INTER_AREA) if fine > 1 else out

    def nearest(self, picture: np.ndarray) -> np.ndarray:
        """float32 (SIDE, SIDE)."""
        return self._cut(picture, SIDE, cv2.INTER_NEAREST)

    def _cut(self, picture: np.ndarray, size: int, flags: int) -> np.ndarray:
        scale = size / self.side
        matrix = np.array([[scale, 0, size / 2 - self.x * scale], [0, scale, size / 2 - self.y * scale]])
        return cv2.warpAffine(np.ascontiguousarray(picture), matrix, (size, size), flags=flags)


def _relief(density: np.ndarray, seen: np.ndarray, middle: float, side: float) -> np.ndarray:
    """int8 (SIDE, SIDE), see `Crop.relief`; of pixels a metre, (SIDE, SIDE) and of the thing's middle."""
    known = seen & (density > 0) & (middle > 0)
    behind = (middle / np.where(known, density, 1) - 1) * FOCAL / side
    return np.where(known, np.clip(np.round(behind * 127), -127, 127), UNKNOWN).astype(np.int8)
