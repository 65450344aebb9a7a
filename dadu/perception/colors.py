"""Names for colours, as people use them: the eleven basic colour terms of Berlin and Kay."""

from __future__ import annotations

import numpy as np

NAMES = ("black", "grey", "white", "red", "orange", "yellow", "green", "blue", "purple", "pink", "brown")

_HUES = np.array([15, 42, 70, 165, 255, 290, 340, 360])
"""upper bounds [deg] of: red, orange, yellow, green, blue, purple, pink, red again"""
_HUE_NAMES = np.array([NAMES.index(n) for n in ("red", "orange", "yellow", "green", "blue", "purple", "pink", "red")])


def color_indices(rgb: np.ndarray) -> np.ndarray:
    """Index into `NAMES` of each colour, uint8 (N, 3) -> int (N,).

    Judged by hue and chroma rather than by distance to samples, so that shading changes a name late.
    """
    c = rgb.astype(np.float32) / 255
    value, chroma = c.max(axis=1), np.ptp(c, axis=1)
    saturation = chroma / np.maximum(value, 1e-6)
    hue = _hue(c, value, chroma)
    name = _HUE_NAMES[np.searchsorted(_HUES, hue, side="right").clip(max=len(_HUES) - 1)]
    warm = (hue < 45) | (hue >= 345)
    name = np.where(warm & (value < 0.62) & (hue >= 12) & (hue < 45), NAMES.index("brown"), name)
    name = np.where((hue >= 300) | (hue < 12), np.where((value > 0.7) & (saturation < 0.5), NAMES.index("pink"), name),
                    name)
    gray = np.select([value < 0.2, value > 0.78], [NAMES.index("black"), NAMES.index("white")], NAMES.index("grey"))
    return np.where((saturation < 0.18) | (value < 0.12) | (chroma < 0.06), gray, name)


def _hue(c: np.ndarray, value: np.ndarray, chroma: np.ndarray) -> np.ndarray:
    """HSV hue [deg] of colours (N, 3) in 0..1; 0 for grays."""
    r, g, b = c.T
    d = np.maximum(chroma, 1e-6)
    sector = np.select([value == r, value == g], [((g - b) / d) % 6, (b - r) / d + 2], (r - g) / d + 4)
    return np.where(chroma > 0, 60 * sector, 0.0)


def majority_colors(rgb: np.ndarray, owner: np.ndarray, count: int) -> list[str]:
    """The commonest colour name of each owner 0..count-1, from pixels uint8 (N, 3) with owners int (N,).

    An owner without pixels gets "".
    """
    votes = np.bincount(owner * len(NAMES) + color_indices(rgb), minlength=count * len(NAMES))
    votes = votes.reshape(count, len(NAMES))
    return [NAMES[i] if n else "" for i, n in zip(votes.argmax(axis=1), votes.sum(axis=1), strict=True)]
