"""Scores that mean what they say: fitted on homes that were not trained on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dadu.learning.detector.matching import MATCH, frame_of, overlaps, thinned
from dadu.learning.pictures.store import HomePictures
from dadu.perception.learned.cutter import Cutter
from dadu.perception.learned.weights import KNOWN, Calibration, Curve

_STEPS, _RIDGE = 25, 1e-2


def calibration_of(cutter: Cutter, homes: Sequence[tuple[HomePictures, np.ndarray]]) -> Calibration:
    """From masks that it gives in these homes, each with its intrinsics (3, 3) [px]: which of them are those of a thing
    or a piece of furniture."""
    known = {kind: [np.zeros((0, len(KNOWN)))] for kind in ("objects", "furniture")}
    right = {kind: [np.zeros(0, bool)] for kind in known}
    for home, K in homes:
        for i in range(home.sheet.pictures):
            found = cutter.things(cutter.look(frame_of(home, i, K)))
            shared = overlaps(found.labels, thinned(np.asarray(home.instances[i]), found.labels.shape))[1:, 1:]
            hit = np.zeros(len(found.evidence), bool)
            hit[:len(shared)] = shared.max(axis=1, initial=0.0) >= MATCH
            for kind, rows in (("objects", np.s_[:found.objects]), ("furniture", np.s_[found.objects:])):
                known[kind].append(found.evidence[rows])
                right[kind].append(hit[rows])
    return Calibration(**{kind: calibrated(np.concatenate(known[kind]), np.concatenate(right[kind])) for kind in known})


def calibrated(evidence: np.ndarray, right: np.ndarray) -> Curve:
    """The logistic regression of `right`, bool (N,), on `evidence` (N, K), by Newton's method; the default where
    all are right, or none."""
    if len(set(right.tolist())) < 2:
        return Curve()
    X = np.column_stack([evidence, np.ones(len(evidence))])
    beta = np.zeros(X.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(X @ beta, -30, 30)))
        slope = X.T @ (right - chance) - _RIDGE * beta
        curve = (X * (chance * (1 - chance))[:, None]).T @ X + _RIDGE * np.eye(len(beta))
        beta = beta + np.linalg.solve(curve, slope)
    return Curve(tuple(float(b) for b in beta[:-1]), float(beta[-1]))
