"""What every corpus is brought to: a sentence, a home, where things are, and what counts as having done it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Task:
    """One sentence of a corpus as an episode."""

    id: str
    """letters, digits, ``_.-``"""
    level: str
    """the corpus's own kind of task"""
    instruction: str
    house: Mapping[str, Any]
    """content of a house file, without things"""
    objects: Sequence[Mapping[str, Any]]
    """as in a suite"""
    goals: Sequence[Mapping[str, Any]]
    """as in a suite; carrying out any one of them is right, where the corpus's own goal has several meanings here"""
    group: str
    """sentences of one group say the same thing in the same place, and go into the same sample"""
    given: Mapping[str, Any] = field(default_factory=dict)
    """further fields of the episode: what stands open, what somebody answers"""
