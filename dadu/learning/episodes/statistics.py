"""Statistics of features as LeRobot keeps them: of each episode, and of all of them together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

Statistics: TypeAlias = Mapping[str, np.ndarray]
"""min, max, mean, std and quantiles, each of the feature's shape; count (1,)"""
QUANTILES = {"q01": 0.01, "q10": 0.1, "q50": 0.5, "q90": 0.9, "q99": 0.99}
_THINNED = 16
"""every so-manieth row and column of a picture is enough for its statistics"""


def of_rows(rows: np.ndarray) -> Statistics:
    """Of (N, D)."""
    rows = np.asarray(rows, float)
    spread = {name: np.quantile(rows, q, axis=0) for name, q in QUANTILES.items()}
    return {"min": rows.min(0), "max": rows.max(0), "mean": rows.mean(0), "std": rows.std(0),
            "count": np.array([len(rows)]), **spread}


def of_pictures(pixels: Sequence[np.ndarray]) -> Statistics:
    """Of pictures thinned by `thinned`; by channel (3, 1, 1), in shares of full brightness."""
    found = of_rows(np.concatenate(pixels).reshape(-1, 3) / 255.0)
    return {name: np.array([len(pixels)]) if name == "count" else value.reshape(3, 1, 1)
            for name, value in found.items()}


def thinned(picture: np.ndarray) -> np.ndarray:
    """uint8 (N, 3): some pixels of a picture (H, W, 3)."""
    return picture[::_THINNED, ::_THINNED].reshape(-1, 3)


def together(parts: Iterable[Statistics]) -> Statistics:
    """Of all the data of the parts; quantiles, as LeRobot has it, the parts' average."""
    parts = list(parts)
    counts = np.array([float(part["count"][0]) for part in parts])
    share = counts / counts.sum()

    def average(values: Sequence[np.ndarray]) -> np.ndarray:
        return np.tensordot(share, np.stack(values), 1)
    mean = average([part["mean"] for part in parts])
    variance = average([part["std"] ** 2 + (part["mean"] - mean) ** 2 for part in parts])
    return {"min": np.min([part["min"] for part in parts], axis=0),
            "max": np.max([part["max"] for part in parts], axis=0),
            "mean": mean, "std": np.sqrt(variance), "count": np.array([int(counts.sum())]),
            **{name: average([part[name] for part in parts]) for name in QUANTILES}}
