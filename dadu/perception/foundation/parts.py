"""The three parts that a detector of foundation models is put together from. Each adapter is one file, and alone knows
its library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np


@dataclass(frozen=True)
class Boxes:
    """Of things that one of the phrases may stand for."""

    corners: np.ndarray
    """float32 (N, 4) [px]: left, top, right, bottom"""
    scores: np.ndarray
    """float32 (N, number of phrases), 0 to 1"""


class BoxFinder(Protocol):
    """Finds by words."""

    def find(self, rgb: np.ndarray, phrases: Sequence[str]) -> Boxes:
        """In a picture, uint8 (H, W, 3). Boxes may double each other."""
        ...


class Masker(Protocol):
    """Cuts out what boxes hold."""

    def masks(self, rgb: np.ndarray, corners: np.ndarray) -> np.ndarray:
        """bool (N, H, W), of a picture uint8 (H, W, 3) and `corners` float32 (N, 4) [px], N > 0."""
        ...


class Looker(Protocol):
    """Pictures and words as points of one space."""

    def pictures(self, rgb: Sequence[np.ndarray]) -> np.ndarray:
        """float32 (N, D), rows of unit length, of N > 0 pictures uint8 (any, any, 3)."""
        ...

    def phrases(self, phrases: Sequence[str]) -> np.ndarray:
        """float32 (N, D), rows of unit length, of N > 0 phrases."""
        ...
