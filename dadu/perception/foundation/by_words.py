"""What finders by words on transformers have in common: how they are loaded, and how they tell boxes."""

from __future__ import annotations

from typing import Any

import numpy as np

from dadu.perception.foundation.loading import expect, model, processor


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
