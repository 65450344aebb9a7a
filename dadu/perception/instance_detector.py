"""Privileged detector for simulation: the renderer's instance picture stands in for a learned detector's masks.

It sees what the camera sees and nothing else; from the masks on, its detections take the shared path.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from dadu.core.errors import DaduError
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
        """Errors: NoInstances; DaduError where an id exceeds the names given."""
        if frame.instances is None:
            raise NoInstances("the picture has no instance ids; ground_truth perception works in simulation only")
        try:
            labels = self._segment_of[frame.instances]
        except IndexError:
            raise DaduError(f"instance {int(frame.instances.max())} of {len(self._segment_of) - 1} named ones: "
                            f"the names belong to another scene") from None
        return Segmentation(labels, self._segments)
