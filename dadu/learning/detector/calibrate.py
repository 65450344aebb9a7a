"""Scores that mean what they say: fitted on homes that were not trained on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dadu.learning.detector.matching import MATCH, frame_of, instances_at, overlaps
from dadu.learning.pictures.store import HomePictures
from dadu.perception.learned.cutter import Cutter
from dadu.perception.learned.weights import Calibration

_STEPS, _RIDGE = 25, 1e-2


def calibration_of(cutter: Cutter, homes: Sequence[tuple[HomePictures, np.ndarray]]) -> Calibration:
    """From masks that it gives in these homes, each with its intrinsics (3, 3) [px]: which of them are those of a thing
    or a piece of furniture."""
    known, right = [np.zeros((0, 2))], [np.zeros(0, bool)]
    for home, K in homes:
        for i in range(home.sheet.pictures):
            found = cutter.things(cutter.look(frame_of(home, i, K)))
            if len(found.evidence):
                shared = overlaps(found.labels, instances_at(home, i, found.labels.shape))[1:, 1:]
                right.append(shared.max(axis=1, initial=0.0) >= MATCH)
                known.append(found.evidence)
    return calibrated(np.concatenate(known), np.concatenate(right))


def calibrated(evidence: np.ndarray, right: np.ndarray) -> Calibration:
    """The logistic regression of `right`, bool (N,), on `evidence` (N, 2), by Newton's method; the default where
    all are right, or none."""
    if len(set(right.tolist())) < 2:
        return Calibration()
    X = np.column_stack([evidence, np.ones(len(evidence))])
    beta = np.zeros(X.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(X @ beta, -30, 30)))
        slope = X.T @ (right - chance) - _RIDGE * beta
        curve = (X * (chance * (1 - chance))[:, None]).T @ X + _RIDGE * np.eye(len(beta))
        beta = beta + np.linalg.solve(curve, slope)
    return Calibration(tuple(float(b) for b in beta[:-1]), float(beta[-1]))
