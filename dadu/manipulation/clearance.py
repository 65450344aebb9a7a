"""Does the moving arm run into what the camera sees? Link boxes against a point cloud."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from dadu.core.geometry import apply, inverse
from dadu.robots.kinematics import Kinematics, Posture

ENOUGH = 3
"""points inside a link that make a collision: fewer may be noise at an edge"""


class Clearance:
    """Checks postures of one body against obstacle points, both in base where planning began."""

    def __init__(self, kinematics: Kinematics, points: np.ndarray, margin: float = 0.006,
                 carried: tuple[np.ndarray, np.ndarray] | None = None) -> None:
        """`points` (N, 3) [m]; links are grown by `margin` [m]. `carried`: T_tool_box (4, 4) and half extents (3,) [m]
        of what the hand holds."""
        self._kinematics, self._margin, self._carried = kinematics, margin, carried
        self._points = np.asarray(points, float).reshape(-1, 3)

    def free(self, postures: Iterable[Posture], aperture: float) -> bool:
        """True if none of the postures touches anything, fingers `aperture` apart [m]."""
        return all(self.hits(posture, aperture) < ENOUGH for posture in postures)

    def hits(self, posture: Posture, aperture: float) -> int:
        """Points inside the link that holds most of them."""
        if not len(self._points):
            return 0
        most = 0
        boxes = self._kinematics.boxes(posture.joints, aperture)
        if self._carried is not None:
            T_tool_box, half = self._carried
            boxes.append((self._kinematics.tool(posture.joints) @ T_tool_box, half))
        centres = np.array([T_base_box[:3, 3] for T_base_box, _ in boxes])
        reaches = np.array([np.linalg.norm(half) for _, half in boxes]) + self._margin
        low, high = (centres - reaches[:, None]).min(axis=0), (centres + reaches[:, None]).max(axis=0)
        points = self._points - (posture.drive, 0.0, 0.0)
        points = points[((points > low) & (points < high)).all(axis=1)]
        for (T_base_box, half), reach in zip(boxes, reaches, strict=True):
            near = points[np.abs(points - T_base_box[:3, 3]).max(axis=1) < reach]
            if len(near):
                inside = np.abs(apply(inverse(T_base_box), near)) < half + self._margin
                most = max(most, int(inside.all(axis=1).sum()))
        return most
