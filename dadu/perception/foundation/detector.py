"""A detector put together from foundation models: boxes by words, a mask in each, an embedding of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np

from dadu.core.errors import ConfigError
from dadu.core.robot import CameraFrame
from dadu.knowledge.category_names import categories_by_word
from dadu.perception.descriptions import Descriptions
from dadu.perception.detector import LEAST_CHANCE, OTHERS, Segment, Segmentation
from dadu.perception.foundation.parts import Boxes, BoxFinder, Looker, Masker
from dadu.perception.upright import quarter_turns, upright

_OVERLAP = 0.6
"""intersection over union from which on two boxes are of one thing"""
_MARGIN = 0.1
"""of its size, that a box is enlarged by for the encoder"""


class FoundationDetector:
    """Names things by the words it is given: the catalogue's, a house's own, descriptions."""

    def __init__(self, boxes: BoxFinder, masks: Masker, looks: Looker | None, least_score: float) -> None:
        """`looks` fills the segments' embeddings, where given; `least_score`: of a thing that is told."""
        self._boxes, self._masks, self._looks, self._least = boxes, masks, looks, least_score
        self._phrases = {name.replace("_", " "): name for name in sorted(set(categories_by_word().values()))}
        self._described = Descriptions()

    def add_categories(self, categories: Iterable[str]) -> None:
        for category in categories:
            self._phrases.setdefault(category.replace("_", " "), category)

    def look_for(self, category: str, description: str) -> None:
        self._described.add(category, description, self._phrases)

    def forget_looks(self) -> None:
        self._described.clear()

    def segment(self, frame: CameraFrame) -> Segmentation:
        """Masks of everything that one of the words is sure enough to stand for."""
        rgb, named = upright(frame), self._phrases | dict(self._described)
        boxes = _distinct(self._boxes.find(rgb, list(named)), self._least)
        if not len(boxes.corners):
            return Segmentation(np.zeros(frame.depth.shape, np.int16), ())
        low = np.clip(np.floor(boxes.corners[:, :2]), 0, np.array([rgb.shape[1], rgb.shape[0]]) - 1)
        high = np.clip(np.ceil(boxes.corners[:, 2:]), low + 1, (rgb.shape[1], rgb.shape[0]))
        boxes = Boxes(np.hstack([low, high]).astype(np.float32), boxes.scores)
        masks = self._masks.masks(rgb, boxes.corners)
        looks = self._looks.pictures([_cut_out(rgb, box) for box in boxes.corners]) if self._looks else None
        segments = [_segment(row, list(named.values()), looks[i] if looks is not None else None)
                    for i, row in enumerate(boxes.scores)]
        turns = quarter_turns(frame.T_map_camera[:3, :3])
        return Segmentation.from_masks([np.rot90(mask, -turns) for mask in masks], segments)


def _segment(scores: np.ndarray, categories: Sequence[str], embedding: np.ndarray | None) -> Segment:
    """Of scores (number of phrases,) and the category of each phrase; a category has that of its best phrase."""
    best: dict[str, float] = {}
    for i in np.argsort(-scores):
        best.setdefault(categories[i], float(scores[i]))
    (label, score), *others = best.items()
    others = [(name, chance) for name, chance in others[:OTHERS] if chance >= LEAST_CHANCE]
    return Segment(label, score, embedding=embedding, others=tuple(others))


def weights_of(given: str, defaults: tuple[str, str, str]) -> tuple[str, str, str]:
    """Of boxes, masks and embeddings, from what the user gave: up to three names separated by commas; where one is left
    out it is the default, and ``-`` is for no embeddings.

    Errors: ConfigError for more than three, or no boxes or masks.
    """
    parts = [part.strip() for part in given.split(",")] if given else []
    if len(parts) > len(defaults):
        raise ConfigError(f"weights {given!r}: three at most: of boxes, of masks, of embeddings")
    first, second, third = (part or default for part, default in zip(parts + [""] * 3, defaults))
    if "-" in (first, second):
        raise ConfigError(f"weights {given!r}: boxes and masks cannot be left out, only embeddings")
    return first, second, "" if third == "-" else third


def _distinct(boxes: Boxes, least: float) -> Boxes:
    """The best of those that double each other, and that are sure enough."""
    best = boxes.scores.max(axis=1, initial=0.0)
    left, top, right, bottom = boxes.corners.T
    rectangles = np.stack([left, top, right - left, bottom - top], axis=1)
    kept = np.array(cv2.dnn.NMSBoxes(rectangles.tolist(), best.tolist(), least, _OVERLAP), int).ravel()
    return Boxes(boxes.corners[kept], boxes.scores[kept])


def _cut_out(rgb: np.ndarray, box: np.ndarray) -> np.ndarray:
    """uint8 (h, w, 3), a box (4,) [px] of the picture with a margin."""
    left, top, right, bottom = box
    across, down = _MARGIN * (right - left), _MARGIN * (bottom - top)
    rows = slice(int(max(top - down, 0)), int(np.ceil(bottom + down)))
    return np.ascontiguousarray(rgb[rows, int(max(left - across, 0)):int(np.ceil(right + across))])
