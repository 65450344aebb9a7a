"""From what the network says of each pixel to instances.

Things are split in 3D: pixels belong together when they are neighbours whose depth does not jump. What still hangs
together is cut where the network sees several middles (Panoptic-DeepLab, Cheng et al. 2020).
"""

from __future__ import annotations

import cv2
import numpy as np

from dadu.core.config import Settings
from dadu.perception.learned.weights import FURNITURE_SEEN
from dadu.perception.standing import connected

BACKGROUND, FURNITURE, OBJECT = 0, 1, 2


class InstanceSettings(Settings):
    """At half of the size that the network sees."""

    object_probability: float = 0.5
    jump: tuple[float, float] = (0.025, 0.015)
    """neighbours whose depths differ by more than a + b * depth [m] belong to different things"""
    centre_probability: float = 0.25
    centre_distance: int = 3
    """[px] at least between two middles"""
    least_pixels: int = 6
    least_furniture: int = 60
    least_score: float = 0.3
    """chance of being a thing at all below which nothing is told"""


def objects(geometry: np.ndarray, depth: np.ndarray, settings: InstanceSettings) -> np.ndarray:
    """int32 (h, w): 1, 2... for objects, 0 elsewhere.

    `geometry`: (6, h, w), probabilities of background, furniture, object, middle, and x and y to the middle [px].
    `depth`: (h, w) [m], 0 where there is none.
    """
    mask = geometry[OBJECT] > settings.object_probability
    parts = _parted(mask, depth, settings.jump)
    labels = _cut_by_centres(parts, geometry[3], geometry[4:6], settings)
    return _drop_small(labels, settings.least_pixels)


def furniture(geometry: np.ndarray, category: np.ndarray, depth: np.ndarray, settings: InstanceSettings) -> np.ndarray:
    """int32 (H, W): 1, 2... for pieces of furniture, 0 elsewhere; `category` (H, W) is what each pixel is nearest to,
    and what is of another category is another piece. The rest as for `objects`."""
    mask = geometry[FURNITURE] > FURNITURE_SEEN
    parts = _parted(mask, depth, tuple(4 * share for share in settings.jump), category)
    kind = np.zeros(int(parts.max(initial=0)) + 1, category.dtype)
    kind[parts[mask]] = category[mask]
    number = np.zeros(len(kind), np.int32)  # by category
    number[np.argsort(kind[1:], kind="stable") + 1] = np.arange(1, len(kind))
    return _drop_small(number[parts], settings.least_furniture)


def _parted(mask: np.ndarray, depth: np.ndarray, jump: tuple[float, ...], kind: np.ndarray | None = None) -> np.ndarray:
    """int32 (h, w): connected parts of `mask`, from 1, in the order of their first pixels; one is of one `kind` (h, w),
    where that is given. Where a depth is missing nothing is parted."""
    links = []
    for first, second in ((np.s_[:, :-1], np.s_[:, 1:]), (np.s_[:-1], np.s_[1:])):
        near, far = depth[first], depth[second]
        together = (near <= 0) | (far <= 0) | (np.abs(near - far) < jump[0] + jump[1] * near)
        if kind is not None:
            together &= kind[first] == kind[second]
        links.append(together)
    return connected(mask, *links)


def _cut_by_centres(parts: np.ndarray, probability: np.ndarray, offset: np.ndarray, settings: InstanceSettings
                    ) -> np.ndarray:
    """`parts`, those with several middles cut: each pixel goes to the middle nearest to where it points."""
    around = np.ones((2 * settings.centre_distance + 1,) * 2, np.uint8)
    highest = cv2.dilate(np.ascontiguousarray(probability, np.float32), around)
    rows, columns = np.nonzero((probability == highest) & (probability > settings.centre_probability) & (parts > 0))
    owner = parts[rows, columns]
    labels, free = parts.copy(), int(parts.max()) + 1
    for part in np.flatnonzero(np.bincount(owner, minlength=1) > 1):
        mine = owner == part
        middles = np.stack([columns[mine], rows[mine]], axis=1).astype(np.float32)
        y, x = np.nonzero(parts == part)
        pointed = np.stack([x + offset[0, y, x], y + offset[1, y, x]], axis=1)
        nearest = np.linalg.norm(pointed[:, None] - middles[None], axis=2).argmin(axis=1)
        labels[y, x] = np.where(nearest == 0, part, free + nearest - 1)
        free += len(middles) - 1
    return labels


def _drop_small(labels: np.ndarray, least: int) -> np.ndarray:
    """Numbered anew from 1, without those of fewer than `least` pixels."""
    count = np.bincount(labels.ravel())
    kept = count >= least
    kept[0] = False
    return np.where(kept, np.cumsum(kept), 0).astype(np.int32)[labels]
