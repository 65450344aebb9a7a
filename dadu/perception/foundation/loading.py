"""Models and processors by name or folder, with errors in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from transformers import AutoConfig, AutoModel, AutoProcessor, Sam2Model

from dadu.core.errors import ConfigError, choices

_WHOLE: dict[str, Any] = {"padding": "max_length", "truncation": True}
_TEXT: dict[str, dict[str, Any]] = {"clip": {"padding": True, "truncation": True}, "siglip": _WHOLE, "siglip2": _WHOLE}
"""how each was trained to be given words"""


def device() -> str:
    """Where models run."""
    return "cuda" if torch.cuda.is_available() else "cpu"


def model_type(weights: str) -> str:
    """The architecture, as transformers calls it, of a name on Hugging Face's hub or a folder. Errors: ConfigError."""
    return str(_loaded(AutoConfig, weights).model_type)


def model(kind: Any, weights: str) -> Any:
    """Of a class of transformers, ready to run. Errors: ConfigError."""
    return _loaded(kind, weights).eval().to(device())


def processor(weights: str) -> Any:
    """What prepares pictures and words for it. Errors: ConfigError."""
    return _loaded(AutoProcessor, weights)


def expect(weights: str, what: str, valid: tuple[str, ...]) -> None:
    """Errors: ConfigError where the architecture is none of `valid`."""
    found = model_type(weights)
    if found not in valid:
        raise ConfigError(f"weights {weights!r} are of {found}, which gives no {what}; valid: {choices(valid)}")


def _loaded(kind: Any, weights: str) -> Any:
    try:
        return kind.from_pretrained(weights)
    except (OSError, ValueError, KeyError) as error:
        reason = str(error).strip().splitlines()[0]
        raise ConfigError(f"weights {weights!r} cannot be loaded: {reason}; give a name on Hugging Face's hub or a "
                          "folder") from None


class PictureTextEncoder:
    """Either of them, see `Looker`."""

    def __init__(self, weights: str) -> None:
        """`weights`: a name on the hub, or a folder. Errors: ConfigError."""
        expect(weights, "embeddings of pictures and words", tuple(_TEXT))
        self._model, self._processor = model(AutoModel, weights), processor(weights)
        self.sharpness = float(self._model.logit_scale.detach().exp())
        """factor of its cosines in the softmax, or in the sigmoid, by which it was trained"""

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
