"""A picture sheet of hits and misses: green what was found and named right, yellow what has another name, red what was
missed, blue what is not there. Below, a row of pictures with things of their houses' own kinds, where there are any."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from dadu.house.catalogue import object_categories
from dadu.learning.detector.matching import IGNORED, NOBODY, Matched
from dadu.learning.pictures.store import HomePictures
from dadu.perception.detector import Segmentation

_RIGHT, _MISNAMED, _MISSED, _FALSE = (60, 220, 60), (240, 220, 40), (255, 60, 60), (90, 120, 255)
_COLUMNS, _WIDTH = 3, 640
"""of the sheet; of a tile [px]"""


class HitSheet:
    """Collects tiles of pictures, evenly over what it is shown."""

    def __init__(self, every: int, most: int = 24) -> None:
        """Every `every`-th picture, `most` at most."""
        self._every, self._most, self._shown = every, most, 0
        self._tiles: list[np.ndarray] = []
        self._own: list[np.ndarray] = []

    def add(self, home: HomePictures, i: int, found: Segmentation, matched: Matched) -> None:
        """One picture, and what was found in it."""
        self._shown += 1
        if (self._shown - 1) % self._every == 0 and len(self._tiles) < self._most:
            self._tiles.append(_tile(home, i, found, matched))
        elif len(self._own) < _COLUMNS and any(there.category not in object_categories() for there in matched.there):
            self._own.append(_tile(home, i, found, matched))

    def save(self, path: Path) -> None:
        """Writes a PNG; nothing where nothing was shown."""
        if not self._tiles:
            return
        tiles = [tile for kept in (self._tiles, self._own)
                 for tile in kept + [np.zeros_like(self._tiles[0])] * (-len(kept) % _COLUMNS)]
        rows = [np.concatenate(tiles[i:i + _COLUMNS], axis=1) for i in range(0, len(tiles), _COLUMNS)]
        path.parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(path), np.concatenate(rows)[..., ::-1])


def _tile(home: HomePictures, i: int, found: Segmentation, matched: Matched) -> np.ndarray:
    """uint8 (any, _WIDTH, 3)."""
    rgb = np.asarray(home.rgb[i])
    shown = cv2.resize(rgb, (_WIDTH, round(_WIDTH * rgb.shape[0] / rgb.shape[1])), interpolation=cv2.INTER_LINEAR)
    hit = {seen.match for seen in matched.seen}
    instances = np.asarray(home.instances[i])
    for j, there in enumerate(matched.there):
        if j not in hit:
            _outline(shown, instances == there.id, there.category, _MISSED)
    for seen in matched.seen:
        if seen.match == IGNORED:
            continue
        mask = found.labels == seen.segment + 1
        if seen.match == NOBODY:
            _outline(shown, mask, f"{seen.category}?", _FALSE)
        elif seen.category == matched.there[seen.match].category:
            _outline(shown, mask, seen.category, _RIGHT)
        else:
            _outline(shown, mask, f"{seen.category} ({matched.there[seen.match].category})", _MISNAMED)
    return shown


def _outline(shown: np.ndarray, mask: np.ndarray, text: str, color: tuple[int, int, int]) -> None:
    large = cv2.resize(mask.astype(np.uint8), shown.shape[1::-1], interpolation=cv2.INTER_NEAREST)
    contours, _ = cv2.findContours(large, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(shown, contours, -1, color, 1)
    rows, columns = np.nonzero(large)
    if len(rows):
        at = (max(int(columns.mean()) - 3 * len(text), 0), max(int(rows.min()) - 3, 9))
        cv2.putText(shown, text, at, cv2.FONT_HERSHEY_PLAIN, 0.8, color, 1)
