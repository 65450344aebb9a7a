"""Pictures varied: mirrored, enlarged about a random place, other light and colours."""

from __future__ import annotations

import cv2
import numpy as np

from dadu.learning.detector.settings import AugmentationSettings

_SIZE_CHANNEL, _DEPTH_CHANNELS = 3, slice(3, 6)
_GREY = np.array([0.299, 0.587, 0.114], np.float32)


def augmented(picture: np.ndarray, instances: np.ndarray, settings: AugmentationSettings, rng: np.random.Generator
              ) -> tuple[np.ndarray, np.ndarray]:
    """A picture float32 (H, W, 6), see `channels`, and numbers of things int16 (H, W), as another camera might have
    taken them."""
    picture, instances = _moved(picture, instances, settings, rng)
    rgb = picture[..., :3]
    grey = (rgb @ _GREY)[..., None]
    rgb = grey + (rgb - grey) * np.float32(rng.uniform(*settings.saturation))
    rgb = rgb * np.float32(rng.uniform(*settings.contrast))
    tint = rng.uniform(-1, 1) * settings.brightness * 2 + rng.uniform(-0.1, 0.1, 3)
    picture[..., :3] = np.clip(rgb + tint.astype(np.float32), -1, 1)
    if rng.random() < settings.no_depth:
        picture[..., _DEPTH_CHANNELS] = 0
    return picture, instances


def _moved(picture: np.ndarray, instances: np.ndarray, settings: AugmentationSettings, rng: np.random.Generator
           ) -> tuple[np.ndarray, np.ndarray]:
    height, width = instances.shape
    scale = float(np.exp(rng.uniform(*np.log(settings.scale))))
    x, y = (rng.uniform(min(0, size - size * scale), max(0, size - size * scale)) for size in (width, height))
    matrix = np.array([[scale, 0, x], [0, scale, y]], np.float32)
    if rng.random() < settings.flip:
        matrix[0] = -matrix[0]
        matrix[0, 2] += width - 1
    rgb = cv2.warpAffine(np.ascontiguousarray(picture[..., :3]), matrix, (width, height), flags=cv2.INTER_LINEAR)
    rest = cv2.warpAffine(np.ascontiguousarray(picture[..., _DEPTH_CHANNELS]), matrix, (width, height),
                          flags=cv2.INTER_NEAREST)
    out = np.concatenate([rgb, rest], axis=2)
    out[..., _SIZE_CHANNEL] *= scale  # an enlarged picture has more pixels a metre
    return out, cv2.warpAffine(instances.astype(np.int16), matrix, (width, height), flags=cv2.INTER_NEAREST)
