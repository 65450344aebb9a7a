"""What is known of a mask, from which `Calibration` makes the chance that there is such a thing."""

from __future__ import annotations

import numpy as np

from dadu.perception.learned.weights import KNOWN


def evidence(parts: np.ndarray, probability: np.ndarray, middle: np.ndarray, offset: np.ndarray, depth: np.ndarray
             ) -> np.ndarray:
    """float64 (N, len(KNOWN)), of masks int (h, w): 1, 2... N, 0 elsewhere. In its columns: the logit of the mean
    `probability` (h, w) of its kind; the logarithm of its number of pixels; the logit of the greatest probability
    `middle` (h, w) that a thing's middle is in it; how well its pixels agree on where that is, by `offset` (2, h, w)
    [px]; the share of its pixels at the picture's border; the logarithm of its mean `depth` (h, w) [m].
    """
    count = int(parts.max(initial=0))
    rows, columns = np.nonzero(parts)
    owner = parts[rows, columns] - 1
    pixels = np.bincount(owner, minlength=count).astype(float)

    def mean(values: np.ndarray) -> np.ndarray:
        return np.bincount(owner, values, count) / np.maximum(pixels, 1)

    highest = np.zeros(count)
    np.maximum.at(highest, owner, middle[rows, columns])
    pointed = columns + offset[0, rows, columns], rows + offset[1, rows, columns]
    spread = sum(mean(axis ** 2) - mean(axis) ** 2 for axis in pointed)
    height, width = parts.shape
    border = (rows == 0) | (columns == 0) | (rows == height - 1) | (columns == width - 1)
    known = depth[rows, columns] > 0
    distance = mean(depth[rows, columns]) / np.maximum(mean(known), 1e-3)
    columns_of = {
        "probability": _logit(mean(probability[rows, columns])), "pixels": np.log(np.maximum(pixels, 1)),
        "middle": _logit(highest), "agreement": -0.5 * np.log((np.maximum(spread, 0) + 0.25) / np.maximum(pixels, 1)),
        "border": mean(border), "distance": np.log(np.clip(distance, 0.1, 10)),
    }
    return np.stack([columns_of[name] for name in KNOWN], axis=1)


def _logit(probability: np.ndarray) -> np.ndarray:
    clipped = np.clip(probability, 1e-3, 1 - 1e-3)
    return np.log(clipped / (1 - clipped))
