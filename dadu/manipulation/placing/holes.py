"""Where there is no board though a surface was thought to go on: the camera looks through it."""

from __future__ import annotations

import numpy as np

from dadu.world.graph import Surface

DEEP = 0.05
"""what is seen so far below a surface shows that there is none before it [m]"""
EDGE = 0.03
"""so near to its edge a surface may end earlier than it is known to: pixels there mix both [m]"""
FINE = 0.02
"""points nearer to each other than this are as good as one [m]"""


def holes(surface: Surface, points: np.ndarray, eye: np.ndarray) -> np.ndarray:
    """(M, 2) [m, map]: where the rays from the camera at `eye` (3,) [m, map] to what it sees, `points` (N, 3) [m, map],
    go through the surface; a basin's opening, or where the table ends. What is under a table is seen past its edge."""
    above = eye[2] - surface.height
    low = points[points[:, 2] < surface.height - DEEP]
    if above < DEEP or not len(low):
        return np.zeros((0, 2))
    share = above / (eye[2] - low[:, 2:])
    through = eye[:2] + share * (low[:, :2] - eye[:2])
    inside = (np.abs(surface.pose.inverse().apply(through)) < np.array(surface.size) / 2 - EDGE).all(axis=1)
    return np.asarray(np.unique(np.round(through[inside] / FINE), axis=0) * FINE)
