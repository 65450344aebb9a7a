"""Privileged detector for simulation: the renderer's instance picture stands in for a learned detector's masks.

It sees what the camera sees and nothing else; from the masks on, its detections take the shared path.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from dadu.core.errors import DaduError, NotUsable
from dadu.core.robot import CameraFrame
from dadu.perception.detector import Segment, Segmentation


class NoInstances(DaduError):
    """The picture carries no instance ids: it does not come from a simulator."""


class InstanceDetector:
    """Names each instance by its category. Instances without one (walls, the robot) are not detected."""

    name = "ground_truth"

    def __init__(self, names: Sequence[str], categories: Mapping[str, str]) -> None:
        """`names[i]` is instance ``i + 1`` of the picture; `categories` maps names to labels."""
        named = [(i + 1, name) for i, name in enumerate(names) if categories.get(name)]
        self._segments = tuple(Segment(categories[name], instance=name) for _, name in named)
        self._segment_of = np.zeros(len(names) + 1, np.int16)
        for k, (instance, _) in enumerate(named):
            self._segment_of[instance] = k + 1

    def segment(self, frame: CameraFrame) -> Segmentation:
        """Errors: NoInstances; NotUsable where an id is none of those that have a name."""
        if frame.instances is None:
            raise NoInstances("the picture has no instance ids; ground_truth perception works in simulation only")
        lowest, highest = int(frame.instances.min()), int(frame.instances.max())
        if lowest < 0 or highest >= len(self._segment_of):
            raise NotUsable(f"instance {lowest if lowest < 0 else highest} of {len(self._segment_of) - 1} named ones: "
                            "the names belong to another scene")
        return Segmentation(self._segment_of[frame.instances], self._segments)
