"""What the namer sees of one thing: a square cut out around it, the same in training and on the robot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from dadu.core.robot import CameraFrame
from dadu.perception.learned.channels import FOCAL, TALL, has_depth, heights
from dadu.perception.namer import Cut
from dadu.perception.upright import quarter_turns, rotated

SIDE = 48
"""of a crop [px]"""
SIZES = 4
AROUND, MARGIN = 1.3, 4
"""the square's side: the longer side of the thing, times the one and plus the other [px, at the focal length FOCAL]"""
CLOSE = 1.2
"""the square's side for other namers, in the thing's longer ones"""
_FINEST = 6
"""pixels that are averaged in either direction, at most"""
_PIXEL = np.ones(2)
UNKNOWN = -128
_LEAST_SIZE = 0.01
"""[m]"""


@dataclass(frozen=True)
class View:
    """An RGB-D picture that things are cut out of, upright, as fine as the camera gave it."""

    rgb: np.ndarray
    """uint8 (H, W, 3)"""
    depth: np.ndarray
    """float32 (H, W) [m], 0 where there is none"""
    above: np.ndarray
    """float32 (H, W): height above the floor [m], wrong where there is no depth"""
    focal: float
    """[px]"""

    @classmethod
    def from_frame(cls, frame: CameraFrame) -> View:
        """What the camera gave."""
        turns = quarter_turns(frame.T_map_camera[:3, :3])
        depth = np.where(has_depth(frame.depth), frame.depth, np.float32(0))
        above = heights(depth, frame.K, frame.T_map_camera)
        rgb, depth, above = (rotated(part, turns) for part in (frame.rgb, depth, above))
        return cls(rgb, depth, above, float(frame.K[0, 0]))


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
    side in the camera's pixels: how sharp it is"""


def crop(view: View, mask: np.ndarray) -> Crop:
    """Of a thing in `view`; `mask`: bool (h, w) of the same picture, of any size, true somewhere."""
    square, cell = _around(view, mask, AROUND, MARGIN * view.focal / FOCAL)
    side, (rows, columns) = square.side, np.nonzero(mask)
    across, down = ((places + 0.5) * size for places, size in zip((columns, rows), cell))
    z = view.depth[down.astype(int), across.astype(int)]
    known = z > 0
    middle = float(np.median(z[known])) if known.any() else 0.0
    above = float(np.median(view.above[down.astype(int), across.astype(int)][known])) if known.any() else 0.0
    return Crop(square.smooth(view.rgb, (128, 128, 128)), np.round(255 * square.crop_mask(mask, cell)).astype(np.uint8),
                _relief(square.nearest(view.depth), middle, side / view.focal),
                np.array([side * middle / view.focal, above / TALL, side], np.float32))


def cut(view: View, mask: np.ndarray) -> Cut:
    """The same thing for other namers; `mask` as in `crop`."""
    square, cell = _around(view, mask, CLOSE)
    side = max(round(square.side), 1)
    return Cut(square.whole(view.rgb), square.cut(mask.astype(np.float32), side, cv2.INTER_NEAREST, cell=cell) > 0.5)


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

    def smooth(self, picture: np.ndarray, outside: tuple[int, ...]) -> np.ndarray:
        """(SIDE, SIDE, ...): where it is made smaller, pixels are averaged."""
        fine = min(max(1, round(self.side / SIDE)), _FINEST)
        out = self.cut(picture, fine * SIDE, cv2.INTER_LINEAR, outside)
        return cv2.resize(out, (SIDE, SIDE), interpolation=cv2.INTER_AREA) if fine > 1 else out

    def nearest(self, picture: np.ndarray) -> np.ndarray:
        """float32 (SIDE, SIDE)."""
        return self.cut(picture, SIDE, cv2.INTER_NEAREST)

    def whole(self, picture: np.ndarray) -> np.ndarray:
        """(S, S, ...), as fine as it is; beyond the picture its border goes on."""
        return self.cut(picture, max(round(self.side), 1), cv2.INTER_LINEAR, border=cv2.BORDER_REPLICATE)

    def crop_mask(self, mask: np.ndarray, cell: np.ndarray) -> np.ndarray:
        """float32 (SIDE, SIDE), 0 to 1, of a bool (h, w) whose cells are (2,) [px] wide and high."""
        return self.cut(mask.astype(np.float32), SIDE, cv2.INTER_LINEAR, cell=cell)

    def cut(self, picture: np.ndarray, size: int, flags: int, outside: tuple[int, ...] = (0,),
            cell: np.ndarray = _PIXEL, border: int = cv2.BORDER_CONSTANT) -> np.ndarray:
        """(size, size, ...), of a picture whose pixels are `cell`, (2,) [px], wide and high."""
        scale = size / self.side
        begin = np.array([self.x, self.y]) - self.side / 2
        matrix = np.column_stack([np.diag(scale * cell), scale * ((cell - 1) / 2 - begin) + (scale - 1) / 2])
        return cv2.warpAffine(picture, matrix, (size, size), flags=flags, borderMode=border,
                              borderValue=outside)


def _around(view: View, mask: np.ndarray, share: float, more: float = 0.0) -> tuple[_Square, np.ndarray]:
    """The square around a `mask`, whose side is that of its longer one by `share`, and `more` [px]; and its cells,
    (2,) [px] wide and high."""
    (height, width), (rows, columns) = view.depth.shape, np.nonzero(mask)
    cell = np.array([width / mask.shape[1], height / mask.shape[0]])
    first, last = np.array([columns.min(), rows.min()]), np.array([columns.max(), rows.max()]) + 1
    x, y = (first + last) / 2 * cell
    return _Square(x, y, float(share * ((last - first) * cell).max() + more)), cell


def _relief(depth: np.ndarray, middle: float, side: float) -> np.ndarray:
    """int8 (SIDE, SIDE), see `Crop.relief`; of depth (SIDE, SIDE) [m], the thing's [m], and the square's side of what
    is 1 m away [m]."""
    known = (depth > 0) & (middle > 0)
    behind = (depth / (middle or 1.0) - 1) / side
    return np.where(known, np.clip(np.round(behind * 127), -127, 127), UNKNOWN).astype(np.int8)
