"""Pictures varied: mirrored, enlarged about a random place, other light and colours."""

from __future__ import annotations

import cv2
import numpy as np

from dadu.learning.detector.settings import AugmentationSettings

_SIZE_CHANNEL, _DEPTH_CHANNELS = 3, slice(3, 6)
_MULTIPLE = 16
_GREY = np.array([0.299, 0.587, 0.114], np.float32)


def augmented(picture: np.ndarray, instances: np.ndarray, focus: tuple[int, int] | None, settings: AugmentationSettings,
              rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """A picture float32 (H, W, 6), see `channels`, and numbers of things int16 (H, W), as another camera might have
    taken
    them; of settings' size, and with the pixel `focus` (row, column) in it where one is given."""
    picture, instances = _moved(picture, instances, focus, settings, rng)
    rgb = picture[..., :3]
    grey = (rgb @ _GREY)[..., None]
    rgb = grey + (rgb - grey) * np.float32(rng.uniform(*settings.saturation))
    rgb = rgb * np.float32(rng.uniform(*settings.contrast))
    tint = rng.uniform(-1, 1) * settings.brightness * 2 + rng.uniform(-0.1, 0.1, 3)
    picture[..., :3] = np.clip(rgb + tint.astype(np.float32), -1, 1)
    if rng.random() < settings.no_depth:
        picture[..., _DEPTH_CHANNELS] = 0
    return picture, instances


def _moved(picture: np.ndarray, instances: np.ndarray, focus: tuple[int, int] | None, settings: AugmentationSettings,
           rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    scale = float(np.exp(rng.uniform(*np.log(settings.scale))))
    shape = [_MULTIPLE * max(1, round(size * settings.crop / _MULTIPLE)) for size in instances.shape]
    top, left = (_start(size * scale, window, rng.random(), None if focus is None else focus[axis] * scale)
                 for axis, (size, window) in enumerate(zip(instances.shape, shape)))
    matrix = np.array([[scale, 0, -left], [0, scale, -top]], np.float32)
    if rng.random() < settings.flip:
        matrix[0] = -matrix[0]
        matrix[0, 2] += shape[1] - 1
    size = (shape[1], shape[0])
    rgb = cv2.warpAffine(np.ascontiguousarray(picture[..., :3]), matrix, size, flags=cv2.INTER_LINEAR)
    rest = cv2.warpAffine(np.ascontiguousarray(picture[..., _DEPTH_CHANNELS]), matrix, size, flags=cv2.INTER_NEAREST)
    out = np.concatenate([rgb, rest], axis=2)
    out[..., _SIZE_CHANNEL] *= scale  # an enlarged picture has more pixels a metre
    return out, cv2.warpAffine(instances.astype(np.int16), matrix, size, flags=cv2.INTER_NEAREST)


def _start(length: float, window: int, chance: float, focus: float | None) -> float:
    """Where a window of `window` pixels begins along a side of `length`: anywhere, or so that `focus` is in it."""
    first, last = min(0.0, length - window), max(0.0, length - window)
    if focus is None:
        return first + chance * (last - first)
    return float(np.clip(focus - chance * window, first, last))
