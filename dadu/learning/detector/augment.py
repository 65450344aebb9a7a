"""Pictures varied: mirrored, enlarged about a random place, other light and colours."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from dadu.learning.detector.settings import AugmentationSettings

_SIZE_CHANNEL, _DEPTH_CHANNELS = 3, slice(3, 6)
_MULTIPLE = 16
_MARGIN = 2
"""[px] around what is shown, for interpolation"""
_GREY = np.array([0.299, 0.587, 0.114], np.float32)


Part = Callable[[slice, slice], np.ndarray]
"""Of rows and columns, what the network sees of that part of a picture: float32 (h, w, 6), see `channels`"""


def augmented(picture: Part, instances: np.ndarray, focus: tuple[int, int] | None, settings: AugmentationSettings,
              rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """A picture, float32 (h, w, 6), and numbers of things, int16 (h, w), as another camera might have taken them; of
    settings' size, and with the pixel `focus` (row, column) in it where one is given. `instances`: int (H, W)."""
    seen, instances = _moved(picture, instances, focus, settings, rng)
    rgb = seen[..., :3]
    grey = (rgb @ _GREY)[..., None]
    rgb = grey + (rgb - grey) * np.float32(rng.uniform(*settings.saturation))
    rgb = rgb * np.float32(rng.uniform(*settings.contrast))
    tint = rng.uniform(-1, 1) * settings.brightness * 2 + rng.uniform(-0.1, 0.1, 3)
    seen[..., :3] = np.clip(rgb + tint.astype(np.float32), -1, 1)
    if rng.random() < settings.no_depth:
        seen[..., _DEPTH_CHANNELS] = 0
    return seen, instances


def _moved(picture: Part, instances: np.ndarray, focus: tuple[int, int] | None, settings: AugmentationSettings,
           rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    scale = float(np.exp(rng.uniform(*np.log(settings.scale))))
    shape = [_MULTIPLE * max(1, round(size * settings.crop / _MULTIPLE)) for size in instances.shape]
    top, left = (_start(size * scale, window, rng.random(), None if focus is None else focus[axis] * scale)
                 for axis, (size, window) in enumerate(zip(instances.shape, shape)))
    rows, columns = (_shown(start / scale, window / scale, size)
                     for start, window, size in zip((top, left), shape, instances.shape))
    matrix = np.array([[scale, 0, scale * columns.start - left], [0, scale, scale * rows.start - top]], np.float32)
    if rng.random() < settings.flip:
        matrix[0] = -matrix[0]
        matrix[0, 2] += shape[1] - 1
    size = (shape[1], shape[0])
    part, numbers = picture(rows, columns), np.ascontiguousarray(instances[rows, columns], np.int16)
    rgb = cv2.warpAffine(np.ascontiguousarray(part[..., :3]), matrix, size, flags=cv2.INTER_LINEAR)
    rest = cv2.warpAffine(np.ascontiguousarray(part[..., _DEPTH_CHANNELS]), matrix, size, flags=cv2.INTER_NEAREST)
    out = np.concatenate([rgb, rest], axis=2)
    out[..., _SIZE_CHANNEL] *= scale  # an enlarged picture has more pixels a metre
    return out, cv2.warpAffine(numbers, matrix, size, flags=cv2.INTER_NEAREST)


def _shown(start: float, length: float, size: int) -> slice:
    """Which of `size` pixels are needed where `length` from `start` on are shown."""
    first = max(int(start) - _MARGIN, 0)
    return slice(first, max(min(int(start + length) + _MARGIN + 1, size), first + 1))


def _start(length: float, window: int, chance: float, focus: float | None) -> float:
    """Where a window of `window` pixels begins along a side of `length`: anywhere, or so that `focus` is in it."""
    first, last = min(0.0, length - window), max(0.0, length - window)
    if focus is None:
        return first + chance * (last - first)
    return float(np.clip(focus - chance * window, first, last))
