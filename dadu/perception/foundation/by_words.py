"""What finders by words on transformers have in common: how they are loaded, and how they tell boxes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch
from transformers import GroundingDinoForObjectDetection, Owlv2ForObjectDetection

from dadu.perception.foundation.loading import expect, model, processor
from dadu.perception.foundation.parts import Boxes

_QUERY = "a photo of a {}"
"""as in the paper"""

_END = ". "


def load(kind: Any, weights: str, architecture: str) -> tuple[Any, Any]:
    """Model, of a class of transformers, and processor. `weights`: a name on the hub, or a folder.

    Errors: ConfigError, also where they are of another architecture.
    """
    expect(weights, "boxes by words", (architecture,))
    return model(kind, weights), processor(weights)


def corners(boxes: Any, size: tuple[float, float]) -> np.ndarray:
    """float32 (N, 4) [px]: left, top, right, bottom, of a model's `boxes`, a tensor (N, 4): the middle's x and y, width
    and height, as parts of `size`, width and height [px]."""
    x, y, width, height = boxes.float().cpu().numpy().T
    edges = np.stack([x - width / 2, y - height / 2, x + width / 2, y + height / 2], axis=1)
    return (edges * np.array([*size, *size])).astype(np.float32)


class Owlv2:
    """Every patch of the picture is a box, every phrase a query."""

    def __init__(self, weights: str) -> None:
        """`weights`: a name on the hub, or a folder. Errors: ConfigError."""
        self._model, self._processor = load(Owlv2ForObjectDetection, weights, "owlv2")

    def find(self, rgb: np.ndarray, phrases: Sequence[str]) -> Boxes:
        queries = [_QUERY.format(phrase) for phrase in phrases]
        inputs = self._processor(images=rgb, text=[queries], return_tensors="pt").to(self._model.device)
        with torch.inference_mode():
            out = self._model(**inputs)
        side = max(rgb.shape[:2])  # pictures are padded to squares
        scores = out.logits[0].sigmoid().float().cpu().numpy()
        return Boxes(corners(out.pred_boxes[0], (side, side)), scores)


class GroundingDino:
    """All phrases are one text; a box's score for a phrase is the best of the phrase's tokens."""

    def __init__(self, weights: str) -> None:
        """`weights`: a name on the hub, or a folder. Errors: ConfigError."""
        self._model, self._processor = load(GroundingDinoForObjectDetection, weights, "grounding-dino")

    def find(self, rgb: np.ndarray, phrases: Sequence[str]) -> Boxes:
        """See `BoxFinder`. What does not fit into one text is asked for by another."""
        found = [self._find(rgb, text, spans, len(phrases)) for text, spans in self._texts(phrases)]
        return Boxes(np.concatenate([boxes.corners for boxes in found]),
                     np.concatenate([boxes.scores for boxes in found]))

    def _find(self, rgb: np.ndarray, text: str, spans: Sequence[tuple[int, int, int]], count: int) -> Boxes:
        """`spans`: of the phrases in the text, index, first and last token + 1; `count`: of all phrases."""
        inputs = self._processor(images=rgb, text=text, return_tensors="pt").to(self._model.device)
        with torch.inference_mode():
            out = self._model(**inputs)
        tokens = out.logits[0].sigmoid().float().cpu().numpy()
        scores = np.zeros((len(tokens), count), np.float32)
        for index, first, end in spans:
            scores[:, index] = tokens[:, first:end].max(axis=1)
        height, width = rgb.shape[:2]
        return Boxes(corners(out.pred_boxes[0], (width, height)), scores)

    def _texts(self, phrases: Sequence[str]) -> Iterator[tuple[str, list[tuple[int, int, int]]]]:
        """Texts that are as long as the model reads, each with where in it the phrases are, see `_find`."""
        tokenizer, room = self._processor.tokenizer, self._model.config.max_text_len - 2
        text, used = "", 0
        spans: list[tuple[int, int, int]] = []
        end = len(tokenizer(_END, add_special_tokens=False).input_ids)
        for index, phrase in enumerate(phrases):
            count = len(tokenizer(phrase.lower(), add_special_tokens=False).input_ids)
            if spans and used + count + end > room:
                yield text, spans
                text, spans, used = "", [], 0
            text += phrase.lower() + _END
            spans.append((index, 1 + used, 1 + used + count))  # the first token of all begins the text
            used += count + end
        if spans:
            yield text, spans
