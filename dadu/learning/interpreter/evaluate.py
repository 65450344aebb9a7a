"""Figures of an interpreter on kept-out sentences: whole readings that are right, and how that grows with sureness."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dadu.knowledge.vocabulary import default_vocabulary
from dadu.language.learned.reader import LearnedReader
from dadu.language.learned.sentence import KnownNames
from dadu.learning.sentences.example import SentenceExample

THRESHOLDS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98)
_ITERATIONS = 200


@dataclass(frozen=True)
class ReadSentence:
    """One sentence read."""

    right: bool
    """all symbols as drawn"""
    score: float
    """mean log-probability of its symbols; minus infinity where nothing was read"""
    confidence: float
    seconds: float


def trials(reader: LearnedReader, examples: Sequence[SentenceExample]) -> list[ReadSentence]:
    """Each example read as the robot would."""
    names, out = KnownNames(default_vocabulary()), []
    for one in examples:
        start = time.perf_counter()
        read = reader.read(one.text, names)
        seconds = time.perf_counter() - start
        if read is None:
            out.append(ReadSentence(False, -math.inf, 0.0, seconds))
        else:
            out.append(ReadSentence(read.symbols == one.symbols, read.score, read.confidence, seconds))
    return out


def figures(found: Sequence[ReadSentence]) -> dict[str, object]:
    """Share right; milliseconds; for each threshold the share that is sure enough, and how many of these are right."""
    curve = {}
    for threshold in THRESHOLDS:
        sure = [t for t in found if t.confidence >= threshold]
        curve[str(threshold)] = {"sure": round(len(sure) / len(found), 3),
                                 "right": round(sum(t.right for t in sure) / len(sure), 3) if sure else None}
    times = sorted(1000 * t.seconds for t in found)
    milliseconds = {"median": round(times[len(times) // 2], 1), "p95": round(times[int(len(times) * 0.95)], 1)}
    return {"sentences": len(found), "right": round(sum(t.right for t in found) / len(found), 3), "thresholds": curve,
            "milliseconds": milliseconds}


def calibration_of(found: Sequence[ReadSentence]) -> tuple[float, float]:
    """Slope and offset of the logistic function from score to probability of being right, by Newton's method."""
    read = [t for t in found if math.isfinite(t.score)]
    if not read:
        return 0.0, -30.0
    x = np.stack([np.array([t.score for t in read]), np.ones(len(read))], axis=1)
    y, w = np.array([float(t.right) for t in read]), np.zeros(2)
    for _ in range(_ITERATIONS):
        p = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
        gradient = x.T @ (p - y) + 1e-3 * w
        step = np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + 1e-3 * np.eye(2), gradient)
        w -= np.clip(step, -2, 2)
        if np.abs(step).max() < 1e-6:
            break
    return float(w[0]), float(w[1])
