"""What the network should say of a picture, made from its labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dadu.learning.pictures.store import HomePictures

BACKGROUND, FURNITURE, OBJECT = 0, 1, 2
UNNAMED = -1
_KINDS = {"furniture": FURNITURE, "part": FURNITURE, "object": OBJECT}


@dataclass(frozen=True)
class HomeTable:
    """By the number of a thing of one home."""

    kind: np.ndarray
    """int64 (numbers,): background (also for robots and people), furniture or object"""
    name: np.ndarray
    """int64 (numbers,): index of its category among those taught; `UNNAMED` for others. Parts go by their furniture."""

    @classmethod
    def from_home(cls, home: HomePictures, categories: Mapping[str, int]) -> HomeTable:
        """`categories`: to their index."""
        things = {thing.id: thing for labels in home.labels for thing in labels.instances}
        by_name = {thing.name: thing.category for thing in things.values()}
        kind, name = np.zeros(max(things, default=0) + 1, np.int64), np.full(max(things, default=0) + 1, UNNAMED)
        for id, thing in things.items():
            kind[id] = _KINDS.get(thing.kind, BACKGROUND)
            owner = by_name.get(thing.name.partition("/")[0], "") if thing.kind == "part" else thing.category
            name[id] = categories.get(owner, UNNAMED) if kind[id] != BACKGROUND else UNNAMED
        return cls(kind, name)

    def known(self, instances: np.ndarray) -> np.ndarray:
        """`instances`, int (H, W), with background in the place of numbers that no label has."""
        return np.where(instances < len(self.kind), instances, 0)


@dataclass(frozen=True)
class PictureTarget:
    """At half size, (h, w)."""

    kind: np.ndarray
    """int64 (h, w)"""
    centre: np.ndarray
    """float32 (h, w): 1 in the middle of an object, falling off around"""
    offset: np.ndarray
    """float32 (2, h, w): x and y to the middle of the object, 0 elsewhere"""
    places: np.ndarray
    """int64 (N, 2): rows and columns of pixels to be named"""
    names: np.ndarray
    """int64 (N,): what they show"""


def target(instances: np.ndarray, table: HomeTable, samples: int, least: int, rng: np.random.Generator
           ) -> PictureTarget:
    """Of numbers of things (h, w). At most `samples` pixels of each piece of furniture are named; objects are the
    namer's. Things of fewer than `least` pixels are neither named nor given a middle."""
    instances = table.known(instances)
    height, width = instances.shape
    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    count = np.bincount(instances.ravel(), minlength=len(table.kind))
    mean = [np.bincount(instances.ravel(), values.ravel(), minlength=len(table.kind)) / np.maximum(count, 1)
            for values in (columns, rows)]
    is_object = (table.kind == OBJECT) & (count >= least)
    masked = is_object[instances]
    offset = np.stack([np.where(masked, m[instances] - p, 0) for m, p in zip(mean, (columns, rows))]).astype(np.float32)
    centre = np.zeros((height, width), np.float32)
    for i in np.flatnonzero(is_object):
        _stamp(centre, mean[0][i], mean[1][i], float(np.clip(0.1 * np.sqrt(count[i]), 0.8, 3.0)))
    wanted = np.flatnonzero((table.kind == FURNITURE) & (table.name != UNNAMED) & (count >= least))
    places, names = _sampled(instances, wanted, samples, rng)
    return PictureTarget(table.kind[instances], centre, offset, places, table.name[names])


def _stamp(picture: np.ndarray, x: float, y: float, spread: float) -> None:
    reach = int(3 * spread) + 1
    top, left = max(int(y) - reach, 0), max(int(x) - reach, 0)
    part = picture[top:int(y) + reach + 1, left:int(x) + reach + 1]
    rows, columns = np.ogrid[top:top + part.shape[0], left:left + part.shape[1]]
    np.maximum(part, np.exp(-((rows - round(y)) ** 2 + (columns - round(x)) ** 2) / (2 * spread ** 2)), out=part)


def _sampled(instances: np.ndarray, wanted: np.ndarray, samples: int, rng: np.random.Generator
             ) -> tuple[np.ndarray, np.ndarray]:
    """Rows and columns (N, 2) of random pixels of the wanted things, and whose they are (N,)."""
    flat = instances.ravel()
    order = rng.permutation(np.flatnonzero(np.isin(flat, wanted)))
    order = order[np.argsort(flat[order], kind="stable")]
    owner = flat[order]
    start = np.searchsorted(owner, owner)
    kept = np.arange(len(owner)) - start < samples
    return np.stack(np.divmod(order[kept], instances.shape[1]), axis=1), owner[kept]
