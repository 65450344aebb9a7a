"""Means with intervals, and paired tests between two runs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

RESAMPLES = 10_000
_CHUNK = 2_000_000


@dataclass(frozen=True)
class Estimate:
    """A mean with its 95 % interval."""

    mean: float
    low: float
    high: float
    count: int

    def as_dict(self) -> dict[str, float | int]:
        """For ``summary.json``."""
        return {"mean": self.mean, "low": self.low, "high": self.high, "count": self.count}


def estimate(values: Sequence[float], seed: int = 0) -> Estimate | None:
    """Mean and 95 % percentile bootstrap interval (Efron), always the same for the same values; None without values.

    Where all values are equal resampling says nothing; of proportions 0 and 1 the exact (Clopper-Pearson) interval is
    given then, so that three successes of three are not taken for certainty.
    """
    data = np.asarray(values, float)
    if data.size == 0:
        return None
    if set(np.unique(data)) in ({0.0}, {1.0}):
        width = 1 - 0.025 ** (1 / data.size)
        return Estimate(1.0, 1 - width, 1.0, data.size) if data[0] else Estimate(0.0, 0.0, width, data.size)
    low, high = np.percentile(_resampled(data, seed), [2.5, 97.5])
    return Estimate(float(data.mean()), float(low), float(high), data.size)


@dataclass(frozen=True)
class PairedTest:
    """A test of b against a, episode by episode."""

    difference: float
    """mean of b minus a"""
    low: float
    high: float
    """95 % interval of the difference, by paired bootstrap"""
    p: float
    """of a difference as large if there were none: exact McNemar for yes or no, sign flips otherwise"""
    test: str


def paired(a: Sequence[float], b: Sequence[float], seed: int = 0) -> PairedTest:
    """`a` and `b` (N,) belong together entry by entry, N > 0."""
    x, y = np.asarray(a, float), np.asarray(b, float)
    difference = y - x
    low, high = np.percentile(_resampled(difference, seed), [2.5, 97.5])
    if set(np.unique(np.concatenate([x, y]))) <= {0.0, 1.0}:
        won, lost = int((difference > 0).sum()), int((difference < 0).sum())
        return PairedTest(float(difference.mean()), float(low), float(high), _sign_test(won, lost), "McNemar, exact")
    rng = np.random.default_rng(seed)
    flips = np.abs((rng.choice((-1.0, 1.0), (RESAMPLES, difference.size)) * difference).mean(axis=1))
    p = (1 + int((flips >= abs(difference.mean()) - 1e-12).sum())) / (1 + RESAMPLES)
    return PairedTest(float(difference.mean()), float(low), float(high), float(p), "sign flips")


def _sign_test(won: int, lost: int) -> float:
    """Of a fair coin, the probability of a result as uneven."""
    count = won + lost
    tail = sum(math.comb(count, k) for k in range(min(won, lost) + 1))
    return min(1.0, 2 * tail / 2**count)


def _resampled(data: np.ndarray, seed: int) -> np.ndarray:
    """Means of samples drawn with replacement (RESAMPLES,)."""
    rng = np.random.default_rng(seed)
    rows = max(1, _CHUNK // data.size)
    means = [data[rng.integers(0, data.size, (min(rows, RESAMPLES - start), data.size))].mean(axis=1)
             for start in range(0, RESAMPLES, rows)]
    return np.concatenate(means)
