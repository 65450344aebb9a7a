"""Boxes by words from YOLO-World (Cheng et al. 2024), through ultralytics (AGPL-3.0)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from ultralytics import YOLOWorld

from dadu.perception.detector import LEAST_CHANCE
from dadu.perception.foundation.parts import Boxes


class YoloWorld:
    """It says of a box only which phrase is likeliest."""

    def __init__(self, weights: str) -> None:
        """`weights`: a published name, or a file."""
        self._model = YOLOWorld(weights)
        self._told: tuple[str, ...] = ()

    def find(self, rgb: np.ndarray, phrases: Sequence[str]) -> Boxes:
        if tuple(phrases) != self._told:
            self._told = tuple(phrases)
            self._model.set_classes(list(phrases))
        bgr = np.ascontiguousarray(rgb[..., ::-1])  # arrays are taken for BGR
        found = self._model.predict(bgr, conf=LEAST_CHANCE, verbose=False)[0].boxes
        scores = np.zeros((len(found), len(phrases)), np.float32)
        scores[np.arange(len(found)), found.cls.cpu().numpy().astype(int)] = found.conf.cpu().numpy()
        return Boxes(found.xyxy.cpu().numpy().astype(np.float32).reshape(-1, 4), scores)
