"""Learned detectors through ultralytics (AGPL-3.0, extra ``vision``): YOLO, and YOLOE told by text what to look for.

Nothing of them is loaded before such a detector is asked for. Weights are named, not brought: ultralytics fetches its
published ones on first use, or takes a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from ultralytics import YOLO, YOLOE

from dadu.core.robot import CameraFrame
from dadu.knowledge.category_names import categories_by_word
from dadu.perception.descriptions import Descriptions
from dadu.perception.detector import Segment, Segmentation
from dadu.perception.upright import quarter_turns, turned

_CONFIDENCE = 0.35


class UltralyticsDetector:
    """Masks of a segmentation model, under the catalogue's names; what the catalogue lacks is left out."""

    name = "yolo"

    def __init__(self, weights: str = "yolo11s-seg.pt") -> None:
        """`weights`: a published name, or a file with a segmentation model."""
        self._model = YOLO(weights)
        self._categories = categories_by_word()

    def add_categories(self, categories: Iterable[str]) -> None:
        """See `Worded`: a model that was trained on a house's own kinds of things calls them by their names."""
        for category in categories:
            self._categories.setdefault(category.replace("_", " "), category)

    def segment(self, frame: CameraFrame) -> Segmentation:
        """The picture is turned upright first: models are trained on such, and a Stretch's camera lies on its side."""
        turns = quarter_turns(frame.T_map_camera[:3, :3])
        upright = np.ascontiguousarray(turned(frame.rgb, turns)[..., ::-1])  # arrays are taken for BGR
        result = self._model.predict(upright, conf=_CONFIDENCE, retina_masks=True, verbose=False)[0]
        masks, segments = self._known(result, result.names)
        if not segments:
            return Segmentation(np.zeros(frame.depth.shape, np.int16), ())
        return Segmentation.from_masks([np.rot90(mask, -turns) for mask in masks], segments)

    def _known(self, result: Any, names: Mapping[int, str]) -> tuple[list[np.ndarray], list[Segment]]:
        masks: list[np.ndarray] = []
        segments: list[Segment] = []
        if result.masks is None:
            return masks, segments
        data = result.masks.data.cpu().numpy() > 0.5
        for mask, label, score in zip(data, result.boxes.cls.cpu().numpy(), result.boxes.conf.cpu().numpy()):
            category = self._categories.get(names[int(label)].lower())
            if category is not None:
                masks.append(mask)
                segments.append(Segment(category, float(score)))
        return masks, segments


class OpenVocabularyDetector(UltralyticsDetector):
    """YOLOE, prompted with every category that the catalogue knows, and with what things were said to look like."""

    name = "open_vocabulary"

    def __init__(self, weights: str = "yoloe-11s-seg.pt") -> None:
        """`weights` as in `UltralyticsDetector`."""
        self._model = YOLOE(weights)
        self._names = {category.replace("_", " "): category for category in set(categories_by_word().values())}
        self._described = Descriptions()
        self._prompt()

    def add_categories(self, categories: Iterable[str]) -> None:
        new = {category.replace("_", " "): category for category in categories}
        if not new.keys() <= self._names.keys():
            self._names = new | self._names
            self._prompt()

    def look_for(self, category: str, description: str) -> None:
        if self._described.add(category, description, self._names):
            self._prompt()

    def forget_looks(self) -> None:
        if self._described.clear():
            self._prompt()

    def _prompt(self) -> None:
        self._categories = self._names | dict(self._described)
        words = sorted(self._categories)
        self._model.set_classes(words, self._model.get_text_pe(words))
