"""Boxes by words from OWLv2 (Minderer et al. 2023)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from transformers import Owlv2ForObjectDetection

from dadu.perception.foundation.by_words import corners, load
from dadu.perception.foundation.parts import Boxes

_QUERY = "a photo of a {}"
"""as in the paper"""


class Owlv2:
    """Every patch of the picture is a box, every phrase a query."""

    def __init__(self, weights: str) -> None:
        """`weights`: a name on the hub, or a folder. Errors: ConfigError."""
        self._model, self._processor = load(Owlv2ForObjectDetection, weights, "owlv2")

    def find(self, rgb: np.ndarray, phrases: Sequence[str]) -> Boxes:
        """See `BoxFinder`."""
        queries = [_QUERY.format(phrase) for phrase in phrases]
        inputs = self._processor(images=rgb, text=[queries], return_tensors="pt").to(self._model.device)
        with torch.inference_mode():
            out = self._model(**inputs)
        side = max(rgb.shape[:2])  # pictures are padded to squares
        scores = out.logits[0].sigmoid().float().cpu().numpy()
        return Boxes(corners(out.pred_boxes[0], (side, side)), scores)
