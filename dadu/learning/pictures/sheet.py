"""A contact sheet: pictures as taken, their depth, and what is labelled in them, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from dadu.learning.pictures.store import HomePictures, PictureLabels

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
