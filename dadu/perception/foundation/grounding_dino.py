"""Boxes by words from Grounding DINO (Liu et al. 2023)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import torch
from transformers import GroundingDinoForObjectDetection

from dadu.perception.foundation.by_words import corners, load
from dadu.perception.foundation.parts import Boxes

_END = ". "


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
