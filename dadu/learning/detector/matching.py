"""What a detector found in a picture against what is there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dadu.core.robot import CameraFrame
from dadu.learning.pictures.store import HomePictures, InstanceKind
from dadu.perception.detector import Segmentation

MATCH = 0.5
"""intersection over union from which on a mask is that of a thing"""
NOBODY, IGNORED = -1, -2


@dataclass(frozen=True)
class GroundTruthInstance:
    """A thing that is to be found."""

    id: int
    category: str
    distance: float
    """[m]"""
    pixels: int


@dataclass(frozen=True)
class DetectedInstance:
    """A mask that a detector gave."""

    category: str
    score: float
    distance: float
    """[m], median; 0 where its depth is not known"""
    segment: int
    """index among the detector's segments"""
    match: int
    """index of the thing that it is a mask of, `NOBODY`, or `IGNORED`: a thing too small or cut off to be asked for"""


@dataclass(frozen=True)
class Matched:
    """One picture."""

    there: tuple[GroundTruthInstance, ...]
    seen: tuple[DetectedInstance, ...]


def frame_of(home: HomePictures, i: int, K: np.ndarray) -> CameraFrame:
    """Picture `i` as a camera would give it."""
    depth = home.depth[i].astype(np.float32) / 1000
    return CameraFrame(0.0, np.asarray(home.rgb[i]), depth, K, np.array(home.labels[i].T_map_camera))


def matched(home: HomePictures, i: int, segmentation: Segmentation, kind: InstanceKind, categories: frozenset[str],
            least: int) -> Matched:
    """Masks of things of that kind against the picture's labels, best scores first, each thing once.

    `categories`: those of the segments that are of the kind. Things of fewer than `least` pixels need not be found.
    """
    labels = [label for label in home.labels[i].instances if label.kind == kind]
    asked = [label for label in labels if label.pixels >= least]
    small = [label.id for label in labels if label.pixels < least]
    overlap = overlaps(segmentation.labels, home.whole(i))
    mine = [k for k, segment in enumerate(segmentation.segments) if segment.label in categories]
    taken: set[int] = set()
    seen = []
    for k in sorted(mine, key=lambda k: -segmentation.segments[k].score):
        free = [j for j in range(len(asked)) if j not in taken]
        match = _match(overlap[k + 1], {j: asked[j].id for j in free}, small)
        taken.add(match)
        segment = segmentation.segments[k]
        depth = home.depth[i][segmentation.labels == k + 1]
        known = depth[depth > 0]
        distance = float(np.median(known)) / 1000 if len(known) else 0.0
        seen.append(DetectedInstance(segment.label, segment.score, distance, k, match))
    return Matched(tuple(GroundTruthInstance(a.id, a.category, a.distance, a.pixels) for a in asked), tuple(seen))


def _match(overlap: np.ndarray, free: Mapping[int, int], small: Sequence[int]) -> int:
    """Of a mask that overlaps things by so much (N,): the best of those that are free, index to number of the thing."""
    best = max(free, key=lambda j: overlap[free[j]], default=NOBODY)
    if best != NOBODY and overlap[free[best]] >= MATCH:
        return best
    return IGNORED if any(overlap[id] >= MATCH for id in small) else NOBODY


def overlaps(masks: np.ndarray, instances: np.ndarray) -> np.ndarray:
    """float64 (M, N), unitless: intersection over union of every number in `masks` (H, W) with every one in `instances`
    (H, W), 0 included."""
    things = int(instances.max()) + 1
    flat = masks.ravel().astype(np.int64) * things + instances.ravel()
    both = np.bincount(flat, minlength=(int(masks.max()) + 1) * things).reshape(-1, things)
    either = both.sum(axis=1)[:, None] + both.sum(axis=0)[None] - both
    return both / np.maximum(either, 1)


def thinned(instances: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """Numbers of things (H, W), unitless, at another size, (h, w)."""
    rows, columns = ((np.arange(n) * size) // n for n, size in zip(shape, instances.shape))
    return instances[np.ix_(rows, columns)]
