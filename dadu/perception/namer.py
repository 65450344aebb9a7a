"""What a namer is: it says of things that are cut out how likely they are called by each of some names.

Several know different things, so they are asked one after the other: what the first does not know the next may. That is
a mixture of experts (Jacobs et al. 1991) whose gate is how far the first one's name can be trusted; what is left over
in the end is that nobody knows. Such opinions are float64 (N, M + 1), rows that sum up to 1: of N things, the chance of
each of M names, and in the last column that nobody knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np


@dataclass(frozen=True)
class Cut:
    """One thing, upright, as fine as the camera gave it."""

    rgb: np.ndarray
    """uint8 (S, S, 3): a square around it, which holds a fifth more than its longer side; the picture's border goes on
    beyond it"""
    mask: np.ndarray
    """bool (S, S): its own pixels"""


class Namer(Protocol):
    """Names things by how they look, by words alone."""

    name: str
    """as in the ``namer:=`` argument"""
    weights: str
    """which weights it runs: how far it is trusted is of those"""

    def chances(self, cuts: Sequence[Cut], names: Sequence[str]) -> np.ndarray:
        """float64 (N, M), unitless, rows that sum up to 1, or less where it knows that it is none of them: of N > 0
        things and M categories; `dadu.perception.learned.naming.names_of` tells by what words these go."""
        ...


def nobody_knows(things: int, names: int) -> np.ndarray:
    """The opinion of nobody: float64 (N, M + 1), unitless."""
    told = np.zeros((things, names + 1))
    told[:, -1] = 1.0
    return told


def opinion(chances: np.ndarray, right: np.ndarray | None = None) -> np.ndarray:
    """float64 (N, M + 1), unitless, from `chances` (N, M), lowered so that the best is no more than (N,) `right`."""
    if right is not None and chances.shape[1]:
        best = np.maximum(chances.max(axis=1), 1e-9)
        chances = chances * np.minimum(right / best, 1.0)[:, None]
    return np.column_stack([chances, np.maximum(1.0 - chances.sum(axis=1), 0.0)])


def asked_next(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """The opinion of both, float64 (N, M + 1), unitless: what the `first` does not know is shared out as the `second`
    has it."""
    unknown = first[:, -1:]
    return np.column_stack([first[:, :-1] + unknown * second[:, :-1], unknown * second[:, -1:]])
