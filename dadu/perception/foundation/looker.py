"""Pictures and words in one space, from CLIP (Radford et al. 2021) or SigLIP (Zhai et al. 2023)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from transformers import AutoModel

from dadu.perception.foundation.loading import expect, model, processor

_WHOLE: dict[str, Any] = {"padding": "max_length", "truncation": True}
_TEXT: dict[str, dict[str, Any]] = {"clip": {"padding": True, "truncation": True}, "siglip": _WHOLE, "siglip2": _WHOLE}
"""how each was trained to be given words"""


class PictureTextEncoder:
    """Either of them, see `Looker`."""

    def __init__(self, weights: str) -> None:
        """`weights`: a name on the hub, or a folder. Errors: ConfigError."""
        expect(weights, "embeddings of pictures and words", tuple(_TEXT))
        self._model, self._processor = model(AutoModel, weights), processor(weights)

    def pictures(self, rgb: Sequence[np.ndarray]) -> np.ndarray:
        """float32 (N, D), rows of unit length, see `Looker`."""
        inputs = self._processor(images=list(rgb), return_tensors="pt").to(self._model.device)
        with torch.inference_mode():
            return _unit(self._model.get_image_features(**inputs))

    def phrases(self, phrases: Sequence[str]) -> np.ndarray:
        """float32 (N, D), rows of unit length, see `Looker`."""
        how = _TEXT[self._model.config.model_type]
        inputs = self._processor(text=list(phrases), return_tensors="pt", **how).to(self._model.device)
        with torch.inference_mode():
            return _unit(self._model.get_text_features(**inputs))


def _unit(features: Any) -> np.ndarray:
    """float32 (N, D), of unit length; transformers gives a tensor, or an output that holds it."""
    tensor = features if isinstance(features, torch.Tensor) else features.pooler_output
    unit: np.ndarray = torch.nn.functional.normalize(tensor.float(), dim=-1).cpu().numpy()
    return unit
