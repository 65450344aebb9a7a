"""What asking a model costs: tokens, wall time, and floating-point operations."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_ACTIVE = re.compile(r"(?<![A-Za-z0-9])A(\d+(?:\.\d+)?)B(?![A-Za-z0-9])")
_SIZE = re.compile(r"(?<![A-Za-z0-9.])(\d+(?:\.\d+)?)([BbMm])(?![A-Za-z0-9])")


@dataclass(frozen=True)
class ModelCall:
    """One request to a model that was answered."""

    kind: str
    """plan, step, goal, repair, or of the picture: side, describe"""
    tokens_in: int
    tokens_out: int
    tokens_cached: int = 0
    """of `tokens_in`, those that the server had from its prefix cache, where it says so"""
    seconds: float = 0.0
    """wall time"""
    flops: float = 0.0
    """2 x parameters x (tokens in + out), the usual count for a dense decoder's forward pass; 0: parameters unknown"""
    certainty: float | None = None
    """0 to 1: geometric mean of the chances of the tokens that it chose; None: not known"""


@dataclass(frozen=True)
class ModelExchange:
    """What was asked of a model since somebody looked, for the record."""

    calls: tuple[ModelCall, ...] = ()
    prompt: str = ""
    reply: str = ""
    schema: str = ""


@dataclass(frozen=True)
class Cost:
    """Sum over the calls of a step or a task."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    seconds: float = 0.0
    flops: float = 0.0


def total(calls: Iterable[ModelCall]) -> Cost:
    calls = tuple(calls)
    return Cost(len(calls), sum(c.tokens_in for c in calls), sum(c.tokens_out for c in calls),
                sum(c.tokens_cached for c in calls), sum(c.seconds for c in calls), sum(c.flops for c in calls))


def parameters_of(model: str) -> float:
    """How many parameters a model has by its name (``Qwen3-8B``: 8e9; of a mixture, ``30B-A3B``, the active 3e9); 0
    where the name does not say."""
    active = _ACTIVE.search(model)
    if active is not None:
        return float(active[1]) * 1e9
    size = _SIZE.search(model)
    return float(size[1]) * (1e9 if size[2] in "Bb" else 1e6) if size is not None else 0.0


def flops(parameters: float, tokens: int) -> float:
    """2 x parameters x tokens: one multiplication and one addition a parameter and token."""
    return 2.0 * parameters * tokens
