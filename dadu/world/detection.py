"""What a detector says of one thing in one picture, once put into the map."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from dadu.world.bars import HandleBar, bars_as_text, is_bar
from dadu.world.graph import UNIDENTIFIED


@dataclass(frozen=True)
class Exemplar:
    """One thing, as a detector saw it, and what somebody says it is."""

    category: str
    look: np.ndarray
    """float32 (D,), unit length: an embedding of the detector that saw it, unitless"""


DEPTH_STRIDE = 8
"""`DetectionFrame.depth` holds the middle pixel of every block of 8x8"""


_PREDICATE = "is_"
"""how the names of states begin, and those of attributes do not"""


@dataclass(frozen=True)
class Detection:
    """One thing seen in one picture, in map coordinates. Ground-truth and learned detectors make the same."""

    label: str
    """category, as the detector names it"""
    score: float
    """0 to 1"""
    box: tuple[int, int, int, int]
    """mask's bounding box in the picture: x, y, width, height [px]"""
    pixels: int
    """evidence: mask pixels with a depth reading"""
    points: np.ndarray
    """float32 (N, 3) [m], map: the visible surface, voxel-sampled, at most 512 points"""
    centroid: np.ndarray
    """float64 (3,) [m], map: centre of the visible surface's box"""
    size: np.ndarray
    """float64 (3,) [m]: extent of the visible surface along map axes"""
    attributes: dict[str, str] = field(default_factory=dict)
    """such as ``color``"""
    embedding: np.ndarray | None = None
    """float32 (D,), unit length; None where the detector gives none"""
    instance: str = ""
    """privileged perception only: the simulator's name of the thing, for evaluation of association. Memory must not
    read it."""
    truncated: bool = False
    """the mask touches the picture's border"""
    others: tuple[tuple[str, float], ...] = ()
    """what else it may be, likeliest first, each with its score; `UNIDENTIFIED` stands for what nobody knows"""
    states: Mapping[str, float] = field(default_factory=dict)
    """by predicate (``is_powered_on``, ``is_clean``...), the chance that it is so; of those alone that the picture can
    tell"""
    bars: tuple[HandleBar, ...] = ()
    """furniture of a kind that opens: the handles that are seen on it"""

    @property
    def unknown(self) -> float:
        """0 to 1: the chance that nobody knows what it is."""
        return dict(self.others).get(UNIDENTIFIED, 0.0)

    @property
    def names(self) -> dict[str, float]:
        """How likely each name is that is said; what is left of 1 is any other, or unknown."""
        return {label: score for label, score in ((self.label, self.score), *self.others) if label != UNIDENTIFIED}

    def may_be(self, category: str) -> bool:
        """True if it is called so, first or else."""
        return category == self.label or any(category == name for name, _ in self.others)


@dataclass(frozen=True)
class DetectionFrame:
    """All that a detector made of one picture, with what memory needs to tell "seen empty" from "not seen"."""

    stamp: float
    """of the picture [s]"""
    T_map_camera: np.ndarray
    """float64 (4, 4), optical frame"""
    K: np.ndarray
    """float64 (3, 3) [px]"""
    width: int
    height: int
    depth: np.ndarray
    """float32 (H // 8, W // 8) [m]: pixel (8 i + 4, 8 j + 4) of the depth picture; 0: no reading"""
    detections: tuple[Detection, ...]
    detector: str = "ground_truth"


def as_text(detection: Detection) -> dict[str, str]:
    """Attributes, states and handles, as a message has them: chances of states under their predicates."""
    return (detection.attributes | {state: f"{chance:.4f}" for state, chance in detection.states.items()}
            | bars_as_text(detection.bars))


def from_text(said: Mapping[str, str]) -> tuple[dict[str, str], dict[str, float]]:
    """Attributes, and chances of states, from what `as_text` made."""
    attributes = {name: value for name, value in said.items() if not (name.startswith(_PREDICATE) or is_bar(name))}
    return attributes, {name: float(value) for name, value in said.items() if name.startswith(_PREDICATE)}
