"""Crops varied: turned, moved, mirrored, other light and colours, worse masks and depth."""

from __future__ import annotations

import cv2
import numpy as np

from dadu.learning.namer.photograph import other_background, photographed, printed, sensed
from dadu.learning.namer.settings import CropAugmentationSettings
from dadu.perception.learned.crops import SIDE, UNKNOWN, Crop

_SQUARE = np.ones((3, 3), np.uint8)


def varied(crop: Crop, settings: CropAugmentationSettings, rng: np.random.Generator) -> Crop:
    """As another camera might have seen it, and another detector cut it out."""
    matrix = _movement(settings, rng)
    rgb = cv2.warpAffine(crop.rgb, matrix, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mask = cv2.warpAffine(crop.mask, matrix, (SIDE, SIDE), flags=cv2.INTER_LINEAR)
    relief = cv2.warpAffine(crop.relief.astype(np.int16), matrix, (SIDE, SIDE), flags=cv2.INTER_NEAREST,
                            borderValue=UNKNOWN).astype(np.int8)
    sizes = crop.sizes.copy()
    if rng.random() < settings.printed:
        rgb = printed(rgb, mask, rng)
    if rng.random() < settings.elsewhere:
        rgb = other_background(rgb, mask, rng)
    if rng.random() < settings.photographed:
        rgb, relief = photographed(rgb, rng), sensed(relief, rng)
    if rng.random() < settings.frayed:
        mask = (cv2.erode if rng.random() < 0.5 else cv2.dilate)(mask, _SQUARE)
    if rng.random() < settings.no_mask:
        mask = np.zeros_like(mask)
    if rng.random() < settings.no_depth:
        relief, sizes[:2] = np.full_like(relief, UNKNOWN), 0
    sizes[0] *= np.exp(rng.normal(0, settings.mismeasured))
    shift = 127.5 * (rng.uniform(-1, 1) * settings.brightness + rng.uniform(-1, 1, 3) * settings.tint)
    return Crop(np.clip((rgb - 127.5) * rng.uniform(*settings.contrast) + 127.5 + shift, 0, 255).astype(np.uint8),
                mask, relief, sizes)


def _movement(settings: CropAugmentationSettings, rng: np.random.Generator) -> np.ndarray:
    """(2, 3), about the middle of the crop."""
    turn = np.pi if rng.random() < settings.turned else settings.turn
    angle, enlarged = rng.uniform(-1, 1, 2) * (turn, settings.enlarged)
    cos, sin = np.exp(enlarged) * np.array([np.cos(angle), np.sin(angle)])
    turned = np.array([[cos, -sin], [sin, cos]]) @ np.diag([-1.0 if rng.random() < settings.flip else 1.0, 1.0])
    middle = np.full(2, (SIDE - 1) / 2)
    moved = rng.uniform(-1, 1, 2) * settings.moved * SIDE
    return np.column_stack([turned, middle + moved - turned @ middle])
