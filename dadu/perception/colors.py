"""Names for colours, as people use them: the basic colour terms of Berlin and Kay, and teal.

Judged by hue and chroma rather than by distance to samples, so that shading changes a name late. Thresholds were set
on pictures of things of known colour under the simulator's indoor light.
"""

from __future__ import annotations

import numpy as np

NAMES = ("black", "grey", "white", "red", "orange", "yellow", "green", "teal", "blue", "purple", "pink", "brown")

_NEUTRAL = NAMES.index("grey")
_HUES = np.array([15, 42, 70, 165, 195, 255, 290, 340])
"""upper bounds [deg] of the hues below; red again beyond the last"""
_HUE_NAMES = np.array([NAMES.index(n) for n in ("red", "orange", "yellow", "green", "teal", "blue", "purple", "pink",
                                                "red")])
_LUMA = np.array([0.299, 0.587, 0.114]) / 255
"""of red, green and blue, as the eye takes them (ITU-R BT.601)"""
_WHITE, _BLACK = 0.62, 0.2
"""brightness, 0 to 1: a white thing indoors shows its brighter parts above the first, a black one lies below the
second"""


def majority_colors(rgb: np.ndarray, owner: np.ndarray, count: int) -> list[str]:
    """The commonest colour name of each owner 0..count-1, from pixels uint8 (N, 3) with owners int (N,).

    Black, grey and white are told apart by the whole thing rather than by pixel: the lit side of a white thing is
    bright, its other sides are as grey as a grey thing's. An owner without pixels gets "".
    """
    shares = color_shares(rgb, owner, count)
    return [NAMES[share.argmax()] if share.any() else "" for share in shares]


def color_shares(rgb: np.ndarray, owner: np.ndarray, count: int) -> np.ndarray:
    """float64 (N, 12), unitless: of the pixels of each of N owners, the share of each colour; rows as in
    `majority_colors`, all 0 for an owner without pixels."""
    indices = color_indices(rgb)
    votes = np.bincount(owner * len(NAMES) + indices, minlength=count * len(NAMES)).reshape(count, len(NAMES))
    neutral = indices == _NEUTRAL
    whose, brightness = owner[neutral], rgb[neutral].max(axis=1, initial=0) / 255
    for i in np.flatnonzero(votes[:, _NEUTRAL]):
        found, votes[i, _NEUTRAL] = votes[i, _NEUTRAL], 0
        votes[i, NAMES.index(_neutral_name(brightness[whose == i]))] = found
    return votes / np.maximum(votes.sum(axis=1, keepdims=True), 1)


def lightness(rgb: np.ndarray, owner: np.ndarray, count: int) -> np.ndarray:
    """float64 (count,), unitless: how light each owner's pixels are, the median from 0 for black to 1 for white, of
    pixels uint8 (N, 3) with owners int (N,), sorted by owner; 0 for one without. A matter of the light as well: only
    things seen together compare well."""
    luma = rgb @ _LUMA
    ends = np.searchsorted(owner, np.arange(count + 1))
    return np.array([np.median(luma[a:b]) if b > a else 0.0 for a, b in zip(ends[:-1], ends[1:])])


def color_indices(rgb: np.ndarray) -> np.ndarray:
    """Index into `NAMES` of each pixel, uint8 (N, 3) -> int (N,); black and white count as grey here."""
    c = rgb.astype(np.float32) / 255
    value, chroma = c.max(axis=1), np.ptp(c, axis=1)
    saturation = chroma / np.maximum(value, 1e-6)
    hue = _hue(c, value, chroma)
    name = _HUE_NAMES[np.searchsorted(_HUES, hue, side="right")]
    wooden = (hue >= 12) & (hue < 48) & ((value < 0.4) | (saturation < 0.66))
    olive = (hue >= 48) & (hue < 70) & (value < 0.5) & (saturation < 0.6)
    name = np.select([wooden, olive], [NAMES.index("brown"), NAMES.index("green")], name)
    pale_red = ((hue >= 300) | (hue < 12)) & (value > 0.6) & (saturation < 0.5)
    name = np.where(pale_red, NAMES.index("pink"), name)
    return np.where((saturation < 0.2) | (chroma < 0.06), _NEUTRAL, name)


def _neutral_name(brightness: np.ndarray) -> str:
    if np.percentile(brightness, 85) > _WHITE:
        return "white"
    return "black" if np.median(brightness) < _BLACK else "grey"


def _hue(c: np.ndarray, value: np.ndarray, chroma: np.ndarray) -> np.ndarray:
    """HSV hue [deg] of colours (N, 3) in 0..1; 0 for greys."""
    r, g, b = c.T
    d = np.maximum(chroma, 1e-6)
    sector = np.select([value == r, value == g], [((g - b) / d) % 6, (b - r) / d + 2], (r - g) / d + 4)
    return np.where(chroma > 0, 60 * sector, 0.0)
