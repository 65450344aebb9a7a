"""Masks of what boxes hold, from SAM 2 (Ravi et al. 2024)."""

from __future__ import annotations

import numpy as np
import torch
from transformers import Sam2Model

from dadu.perception.foundation.loading import expect, model, processor


class Sam2:
    """One mask a box, the likeliest."""

    def __init__(self, weights: str) -> None:
        """`weights`: a name on the hub, or a folder. Errors: ConfigError."""
        expect(weights, "masks of boxes", ("sam2", "sam2_video"))
        self._model, self._processor = model(Sam2Model, weights), processor(weights)

    def masks(self, rgb: np.ndarray, corners: np.ndarray) -> np.ndarray:
        """bool (N, H, W), of a picture and `corners` (N, 4) [px], see `Masker`."""
        inputs = self._processor(images=rgb, input_boxes=[corners.tolist()], return_tensors="pt").to(self._model.device)
        with torch.inference_mode():
            out = self._model(**inputs, multimask_output=False)
        masks = self._processor.post_process_masks(out.pred_masks.cpu(), inputs["original_sizes"].cpu())[0]
        cut: np.ndarray = masks[:, 0].numpy().astype(bool)
        return cut
