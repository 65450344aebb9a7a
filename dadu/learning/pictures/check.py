"""Checks that a folder of pictures is what it says: files, shapes, labels against pixels, who is in which split; and
what is in it, in numbers and as a contact sheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
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


_NAMED = 40
"""pixels from which a thing's name is written [px]"""
_HOLE = (90, 0, 60)
"""colour of no reading"""
_FAR = 6.0
"""depth shown black [m]"""


def save_sheet(pictures: Sequence[tuple[HomePictures, int]], path: Path, columns: int = 3) -> None:
    """Writes a PNG with three tiles for each picture: colour, depth, labels."""
    tiles = [_tile(home, i) for home, i in pictures]
    tiles += [np.zeros_like(tiles[0])] * (-len(tiles) % columns)
    rows = [np.concatenate(tiles[i:i + columns], axis=1) for i in range(0, len(tiles), columns)]
    cv2.imwrite(str(path), np.concatenate(rows)[..., ::-1])


def _tile(home: HomePictures, i: int) -> np.ndarray:
    """uint8 (H, 3 W, 3)."""
    rgb, depth, labels = np.asarray(home.rgb[i]), np.asarray(home.depth[i]), home.labels[i]
    grey = np.where(depth > 0, 255 - np.clip(depth / (1000 * _FAR) * 225, 0, 225), 0).astype(np.uint8)
    shown = np.where(depth[..., None] > 0, np.repeat(grey[..., None], 3, axis=2), np.array(_HOLE, np.uint8))
    return np.concatenate([rgb, shown, _labelled(rgb, np.asarray(home.instances[i]), labels)], axis=1)


def _labelled(rgb: np.ndarray, instances: np.ndarray, labels: PictureLabels) -> np.ndarray:
    """uint8 (H, W, 3): the picture in the colours of its things, with their names."""
    palette = np.random.default_rng(4).integers(60, 255, (instances.max() + 2, 3))
    palette[0] = 30
    shown = np.ascontiguousarray((0.4 * rgb + 0.6 * palette[instances]).astype(np.uint8))
    for label in sorted(labels.instances, key=lambda label: label.kind == "object"):
        if label.pixels < _NAMED:
            continue
        rows, columns = np.nonzero(instances == label.id)
        middle = len(rows) // 2
        text = label.category + (f" {label.openness:.1f}" if label.openness is not None else "*" if label.held else "")
        color = (255, 255, 255) if label.kind == "object" else (255, 230, 120)
        at = (max(0, int(np.median(columns)) - 3 * len(text)), int(rows[middle]))
        cv2.putText(shown, text, at, cv2.FONT_HERSHEY_PLAIN, 0.7, color, 1)
    cv2.putText(shown, labels.view, (2, 10), cv2.FONT_HERSHEY_PLAIN, 0.8, (0, 255, 0), 1)
    return shown
