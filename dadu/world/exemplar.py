"""What somebody showed the robot: how a thing of a kind looks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Exemplar:
    """One thing, as a detector saw it, and what somebody says it is."""

    category: str
    look: np.ndarray
    """float32 (D,), unit length: an embedding of the detector that saw it, unitless"""
