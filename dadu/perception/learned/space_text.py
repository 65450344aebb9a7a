"""A phrase space as text, for a network's metadata."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping

import numpy as np

from dadu.perception.learned.space import PhraseSpace


def space_text(space: PhraseSpace) -> dict[str, str]:
    """What a file carries of it."""
    return {"mean": _text(space.mean), "projection": _text(space.projection),
            "shape": json.dumps(space.projection.shape)}


def space_of(metadata: Mapping[str, str]) -> PhraseSpace:
    """Errors: KeyError, ValueError (binascii.Error is one)."""
    shape = tuple(int(size) for size in json.loads(metadata["shape"]))
    space = PhraseSpace(_array(metadata["mean"], (-1,)), _array(metadata["projection"], shape))
    if space.projection.ndim != 2 or len(space.projection) != len(space.mean):
        raise ValueError("sizes do not agree")
    if not (np.isfinite(space.mean).all() and np.isfinite(space.projection).all()):
        raise ValueError("numbers are not finite")
    return space


def _text(array: np.ndarray) -> str:
    return base64.b64encode(array.astype("<f4").tobytes()).decode()


def _array(text: str, shape: tuple[int, ...]) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text, validate=True), "<f4").reshape(shape)
