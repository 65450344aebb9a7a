"""Checks that a folder of pictures is what it says: files, shapes, labels against pixels, who is in which split; and
what is in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from dadu.core.errors import ConfigError
from dadu.learning.pictures.store import HomePictures, PictureFolder, PictureLabels, Split

_TALLIED = 25
"""pixels from which a thing counts as seen [px]"""
_COUNTED = 5
"""every so many pictures have their pixels counted again"""


@dataclass
class PictureCount:
    """What a folder holds of one split."""

    homes: int = 0
    pictures: int = 0
    categories: Counter[tuple[str, str]] = field(default_factory=Counter)
    """kind and category to in how many pictures they are seen"""
    views: Counter[str] = field(default_factory=Counter)


def problems_of(folder: PictureFolder) -> Iterator[str]:
    """Everything wrong with it, each in a sentence. Errors: ConfigError where it is no folder of pictures."""
    held_out = {category for cluster in folder.sheet.held_out for category in cluster}
    for home in folder.homes():
        try:
            yield from (f"{home.sheet.home}: {what}" for what in _home_problems(home, folder, held_out))
        except (OSError, ValueError, ConfigError) as error:
            yield f"{home.sheet.home}: {error}"


def counts_of(folder: PictureFolder) -> dict[Split, PictureCount]:
    """By split, those that are there."""
    found: dict[Split, PictureCount] = {}
    for home in folder.homes():
        count = found.setdefault(home.sheet.split, PictureCount())
        count.homes += 1
        count.pictures += home.sheet.pictures
        for labels in home.labels:
            count.views[labels.view] += 1
            count.categories.update({(label.kind, label.category) for label in labels.instances
                                     if label.pixels >= _TALLIED})
    return found


def sampled(folder: PictureFolder, number: int) -> Sequence[tuple[HomePictures, int]]:
    """Pictures from all over the folder: homes and their indices, always the same."""
    all_of_them = [(home, i) for home in folder.homes() for i in range(home.sheet.pictures)]
    chosen = np.random.default_rng(0).permutation(len(all_of_them))[:number]
    return [all_of_them[i] for i in sorted(chosen)]


def _home_problems(home: HomePictures, folder: PictureFolder, held_out: set[str]) -> Iterator[str]:
    settings, count = folder.sheet.settings, home.sheet.pictures
    shape = (count, settings.height, settings.width)
    for name, array, kind, wanted in (("rgb", home.rgb, np.uint8, (*shape, 3)),
                                      ("depth", home.depth, np.uint16, shape),
                                      ("instances", home.instances, np.uint16, shape)):
        if array.shape != wanted or array.dtype != kind:
            yield f"{name}.npy: {array.dtype} {array.shape}, should be {np.dtype(kind)} {wanted}"
            return
    if [labels.picture for labels in home.labels] != list(range(count)):
        yield f"instances.jsonl: {len(home.labels)} lines, should be pictures 0 to {count - 1} in their order"
        return
    for labels in home.labels:
        if home.sheet.split == "train":
            seen = {label.category for label in labels.instances if label.kind == "object"} & held_out
            if seen:
                yield f"picture {labels.picture}: shows {', '.join(sorted(seen))}, which training never sees"
        if labels.picture % _COUNTED == 0:
            yield from _picture_problems(home, labels)


def _picture_problems(home: HomePictures, labels: PictureLabels) -> Iterator[str]:
    i = labels.picture
    numbers, pixels = np.unique(np.asarray(home.instances[i]), return_counts=True)
    there = {int(n): int(p) for n, p in zip(numbers, pixels) if n}
    told = {label.id: label.pixels for label in labels.instances}
    if there != told:
        yield f"picture {i}: instances {sorted(there.items() ^ told.items())} differ between picture and labels"
    if np.ptp(np.asarray(home.rgb[i])) < 10:
        yield f"picture {i}: shows nothing: all of one colour"
    if not np.asarray(home.depth[i]).any():
        yield f"picture {i}: has no depth"
