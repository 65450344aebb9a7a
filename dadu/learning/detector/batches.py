"""Pictures of homes, varied, with what should be said of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from dadu.learning.detector.augment import augmented
from dadu.learning.detector.settings import TrainSettings
from dadu.learning.detector.targets import OBJECT, HomeTable, PictureTarget, target
from dadu.learning.pictures.store import HomePictures
from dadu.learning.recipe.batches import NumberedBatches
from dadu.perception.learned.channels import channels


@dataclass(frozen=True)
class Batch:
    """Pictures with what should be said of them."""

    pictures: np.ndarray
    """float32 (B, H, W, 6)"""
    kind: np.ndarray
    """int64 (B, h, w)"""
    centre: np.ndarray
    """float32 (B, h, w)"""
    offset: np.ndarray
    """float32 (B, 2, h, w)"""
    places: np.ndarray
    """int64 (N, 3): picture, row and column of pixels to be named"""
    names: np.ndarray
    """int64 (N,)"""


@dataclass(frozen=True)
class Home:
    """The pictures of one home, with what training needs of its labels."""

    pictures: HomePictures
    K: np.ndarray
    """(3, 3) [px]"""
    categories: dict[str, int]

    @cached_property
    def table(self) -> HomeTable:
        return HomeTable.from_home(self.pictures, self.categories)

    def part(self, i: int, rows: slice, columns: slice) -> np.ndarray:
        """What the network sees of a part of picture `i`: float32 (rows, columns, 6), unitless, see `channels`."""
        home, K = self.pictures, self.K - np.array([[0, 0, columns.start], [0, 0, rows.start], [0, 0, 0]])
        depth = home.depth[i, rows, columns].astype(np.float32) / 1000
        return channels(home.rgb[i, rows, columns], depth, K, np.array(home.labels[i].T_map_camera))


class Batches(NumberedBatches[Batch]):
    """Random pictures of random homes, every home as often as the others."""

    def __init__(self, homes: Sequence[Home], settings: TrainSettings, processes: int = 0) -> None:
        self._homes, self._settings, self.processes = homes, settings, processes

    def make(self, number: int) -> Batch:
        """Batch `number`."""
        rng = np.random.default_rng([self._settings.seed, number])
        pictures, targets = zip(*(self._one(rng) for _ in range(self._settings.batch)))
        places = [np.insert(t.places, 0, i, axis=1) for i, t in enumerate(targets)]
        return Batch(np.stack(pictures), np.stack([t.kind for t in targets]), np.stack([t.centre for t in targets]),
                     np.stack([t.offset for t in targets]), np.concatenate(places),
                     np.concatenate([t.names for t in targets]))

    def _one(self, rng: np.random.Generator) -> tuple[np.ndarray, PictureTarget]:
        home = self._homes[int(rng.integers(len(self._homes)))]
        i = int(rng.integers(home.pictures.sheet.pictures))
        instances = np.asarray(home.pictures.instances[i])
        settings, loss = self._settings.augmentation, self._settings.loss
        focus = _on_some_object(instances, home.table, rng) if rng.random() < settings.focus else None
        picture, instances = augmented(partial(home.part, i), instances, focus, settings, rng)
        return picture, target(instances[::2, ::2], home.table, loss.samples, loss.least_pixels, rng)


def _on_some_object(instances: np.ndarray, table: HomeTable, rng: np.random.Generator) -> tuple[int, int] | None:
    """Row and column of a pixel of an object, each object as likely as the others; None where there is none."""
    known = table.known(instances)
    present = np.flatnonzero((np.bincount(known.ravel(), minlength=len(table.kind)) > 0) & (table.kind == OBJECT))
    if not len(present):
        return None
    rows, columns = np.nonzero(known == rng.choice(present))
    i = int(rng.integers(len(rows)))
    return int(rows[i]), int(columns[i])


def homes_of(pictures: Sequence[tuple[HomePictures, np.ndarray]], categories: Sequence[str]) -> list[Home]:
    """Of homes, each with its intrinsics (3, 3) [px]; `categories` are those taught, in the order of their numbers."""
    index = {category: i for i, category in enumerate(categories)}
    return [Home(home, K, index) for home, K in pictures]
