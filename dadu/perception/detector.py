"""What a detector is: it cuts a picture into labelled masks. Everything after that is shared (`backprojection`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol, runtime_checkable

import numpy as np
from scipy import ndimage

from dadu.core.robot import CameraFrame
from dadu.world.bars import HandleBar
from dadu.world.detection import Exemplar

OTHERS, LEAST_CHANCE = 4, 0.05
"""other names that are told with a thing, at most, and the least chance of each"""


@dataclass(frozen=True)
class Segment:
    """What a detector says of one mask."""

    label: str
    """category"""
    score: float = 1.0
    """0 to 1"""
    attributes: dict[str, str] = field(default_factory=dict)
    """where the detector knows some; a colour is named from the pixels otherwise"""
    embedding: np.ndarray | None = None
    """float32 (D,), unit length"""
    instance: str = ""
    """simulation only: the true name, for evaluation"""
    others: tuple[tuple[str, float], ...] = ()
    """what else it may be, likeliest first, each with its score; `UNIDENTIFIED` stands for what nobody knows"""
    states: Mapping[str, float] = field(default_factory=dict)
    """by predicate, the chance that it is so; of those alone that can be told"""
    bars: tuple[HandleBar, ...] = ()
    """furniture of a kind that opens: the handles that are seen"""


@dataclass(frozen=True)
class Segmentation:
    """Disjoint masks of one picture."""

    labels: np.ndarray
    """int16 (H, W): 1 + index into `segments`, 0 where there is none"""
    segments: tuple[Segment, ...]

    @cached_property
    def boxes(self) -> Sequence[tuple[slice, slice] | None]:
        """Rows and columns of each segment's mask; None where it has no pixel."""
        return ndimage.find_objects(self.labels, len(self.segments)) if self.segments else ()

    def with_states(self, states: Mapping[int, Mapping[str, float]]) -> Segmentation:
        """The same, with states of some segments by their index."""
        return self._replace_segments(replace(segment, states=states[i]) if i in states else segment
                                       for i, segment in enumerate(self.segments))

    def with_bars(self, bars: Mapping[int, tuple[HandleBar, ...]]) -> Segmentation:
        """The same, with the handles of some segments by their index."""
        return self._replace_segments(replace(segment, bars=bars[i]) if i in bars else segment
                                       for i, segment in enumerate(self.segments))

    def _replace_segments(self, segments: Iterable[Segment]) -> Segmentation:
        out = replace(self, segments=tuple(segments))
        out.__dict__["boxes"] = self.boxes  # of the same masks: they take a while to find
        return out

    @classmethod
    def from_masks(cls, masks: Sequence[np.ndarray], segments: Sequence[Segment]) -> Segmentation:
        """From possibly overlapping masks, bool (H, W) each: a contested pixel goes to the higher score.

        Errors: ValueError when there are no masks or their number differs from that of the segments.
        """
        if len(masks) == 0 or len(masks) != len(segments):
            raise ValueError(f"{len(masks)} masks for {len(segments)} segments")
        labels = np.zeros(masks[0].shape, np.int16)
        for i in np.argsort([segment.score for segment in segments], kind="stable"):
            labels[masks[i]] = i + 1
        return cls(labels, tuple(segments))


class Detector(Protocol):
    """Finds things in a picture. Depth is there to help; the masks are on the colour picture's pixels."""

    name: str
    """as in `DetectionFrame.detector` and the ``perception:=`` argument"""

    def segment(self, frame: CameraFrame) -> Segmentation:
        """The masks of everything it recognises."""
        ...


@runtime_checkable
class Prompted(Protocol):
    """A detector that is told by text what to look for."""

    def look_for(self, category: str, description: str) -> None:
        """From now on what looks like `description` is a `category`, too; of a few such, the newest."""
        ...

    def forget_looks(self) -> None:
        """What was said for one task is of no use for the next."""
        ...


@runtime_checkable
class Teachable(Protocol):
    """A detector that learns a kind of thing from examples of its own embeddings."""

    def show(self, examples: Sequence[Exemplar]) -> None:
        """From now on what looks like one of these is of its category, too; they take the place of those before. Such
        as are another network's are left out."""
        ...


@runtime_checkable
class Worded(Protocol):
    """A detector that names things by words alone, and so may be told of kinds of things that it never saw."""

    def add_categories(self, categories: Iterable[str]) -> None:
        """A house's own, beside the catalogue's."""
        ...
