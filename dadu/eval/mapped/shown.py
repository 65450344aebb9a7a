"""Which true things the robot's camera has had in view: only these can be missed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np

from dadu.core.geometry import Pose2
from dadu.memory.association.visibility import Visibility, look_at
from dadu.memory.settings import ForgettingSettings
from dadu.world.boxes import OrientedBox
from dadu.world.detection import DetectionFrame

NEAR = 2.5
"""[m] from the camera, within which a thing counts as shown"""
LOOKS = 2
"""pictures, half a second apart, in which it has to be in view"""
_LOOK = ForgettingSettings(range=NEAR)


class Shown:
    """Collects them over an episode, by name."""

    def __init__(self) -> None:
        self._views: Counter[str] = Counter()
        self._newest = -np.inf

    def take(self, picture: DetectionFrame, frame: Pose2, things: Mapping[str, OrientedBox]) -> None:
        """One picture, as the robot took it in; `frame`: the robot's map in the true one, `things`: true boxes then. In
        view is what the picture's depth ends at, rather than before it or beyond."""
        if picture.stamp <= self._newest:
            return
        self._newest = picture.stamp
        eye, here = picture.T_map_camera[:3, 3], frame.inverse()
        for name, box in things.items():
            corners = np.column_stack([here.apply(box.corners[:, :2]), box.corners[:, 2]])
            low, high = corners.min(axis=0), corners.max(axis=0)
            if np.linalg.norm((low + high) / 2 - eye) > NEAR:
                continue
            self._views[name] += look_at(picture, low, high, _LOOK) is Visibility.OCCUPIED

    def names(self) -> set[str]:
        return {name for name, views in self._views.items() if views >= LOOKS}
