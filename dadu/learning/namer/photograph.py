"""Crops of renders made more like those of photographs, at no cost of rendering: prints on things, other backgrounds,
light that falls off, the errors of cameras and of depth sensors (domain randomisation, Tobin et al. 2017)."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from dadu.learning.pictures.patterns import SIZE, pattern
from dadu.perception.learned.crops import SIDE, UNKNOWN

_PATTERNS = 256
_COARSEST, _FINEST = 24, 128
"""pixels of a pattern that are shown across a crop"""
_GAIN = 0.2
"""of red and blue, by a wrong white balance"""
_GAMMA = (0.6, 1.7)
_EXPOSURE = 0.6
"""stops, either way"""
_FALL = 0.4
"""of the light, from the middle to a side"""
_BLUR, _NOISE, _QUALITY = (0.3, 1.3), (0.0, 12.0), (25, 90)
"""standard deviations [px], [of 255]; of JPEG"""
_ROUGH, _HOLES = 6.0, 0.25
"""standard deviation of relief, in its own steps, at most; the greatest share of it that is lost"""


@lru_cache(maxsize=1)
def _patterns() -> np.ndarray:
    """uint8 (_PATTERNS, SIZE, SIZE, 3)."""
    return np.stack([pattern(np.random.default_rng([7, i])) for i in range(_PATTERNS)])


def _patch(rng: np.random.Generator) -> np.ndarray:
    """float32 (SIDE, SIDE, 3), 0 to 1: a part of a pattern, turned and in colours of its own."""
    picture = np.rot90(_patterns()[rng.integers(_PATTERNS)], int(rng.integers(4)))
    size = int(rng.integers(_COARSEST, _FINEST))
    row, column = rng.integers(0, SIZE - size + 1, 2)
    part = cv2.resize(np.ascontiguousarray(picture[row:row + size, column:column + size]), (SIDE, SIDE),
                      interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    grey = part.mean(axis=2, keepdims=True)
    low, high = rng.random((2, 3)).astype(np.float32)
    return low + (high - low) * grey


def printed(rgb: np.ndarray, mask: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """uint8 (S, S, 3): a pattern over the thing, whose shading stays. `mask`: uint8 (S, S)."""
    shade = rgb.astype(np.float32).mean(axis=2, keepdims=True) / 255
    inside = mask > 127
    middle = float(shade[inside].mean()) if inside.any() else 0.5
    over = 255 * np.clip(_patch(rng) * shade / max(middle, 0.1), 0, 1)
    share = np.float32(rng.uniform(0.3, 1.0)) * mask[..., None].astype(np.float32) / 255
    if rng.random() < 0.5:  # a label: on a part of it alone
        first, last = np.sort(rng.integers(0, SIDE + 1, 2))
        band = np.zeros((SIDE, SIDE, 1), np.float32)
        band[(slice(first, last), slice(None)) if rng.random() < 0.5 else (slice(None), slice(first, last))] = 1
        share = share * band
    return np.asarray(rgb * (1 - share) + over * share).astype(np.uint8)


def other_background(rgb: np.ndarray, mask: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """uint8 (S, S, 3): something else around the thing. `mask`: uint8 (S, S)."""
    share = mask[..., None].astype(np.float32) / 255
    return np.asarray(rgb * share + 255 * _patch(rng) * (1 - share)).astype(np.uint8)


def photographed(rgb: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """uint8 (S, S, 3), as a camera has it."""
    picture: np.ndarray = rgb.astype(np.float32) / 255
    down, across = np.mgrid[-1:1:SIDE * 1j, -1:1:SIDE * 1j].astype(np.float32)
    angle = rng.uniform(0, 2 * np.pi)
    picture *= (1 + rng.uniform(0, _FALL) * (np.cos(angle) * across + np.sin(angle) * down))[..., None]
    picture *= (np.array([1, 0, 1]) * rng.normal(0, _GAIN / 2, 3) + 1) * 2 ** rng.uniform(-_EXPOSURE, _EXPOSURE)
    picture = np.clip(picture, 0, 1) ** rng.uniform(*_GAMMA)
    if rng.random() < 0.5:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), rng.uniform(*_BLUR)))
    picture = 255 * picture + rng.normal(0, rng.uniform(*_NOISE), picture.shape)
    out = np.clip(picture, 0, 255).astype(np.uint8)
    if rng.random() >= 0.3:
        return out
    coded = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(*_QUALITY))])[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


def sensed(relief: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """int8 (S, S): relief as a sensor has it that matches patches: bumps as large as these, and holes."""
    coarse = int(rng.integers(4, 16))
    bumps = rng.normal(0, rng.uniform(0, _ROUGH), (coarse, coarse)).astype(np.float32)
    out = np.clip(np.round(relief + cv2.resize(bumps, (SIDE, SIDE), interpolation=cv2.INTER_CUBIC)), -127, 127)
    holes = cv2.resize(rng.random((coarse, coarse)).astype(np.float32), (SIDE, SIDE), interpolation=cv2.INTER_LINEAR)
    lost = holes < np.quantile(holes, rng.uniform(0, _HOLES))
    return np.where(lost | (relief == UNKNOWN), UNKNOWN, out).astype(np.int8)
