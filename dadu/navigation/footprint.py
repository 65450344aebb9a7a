"""The robot's outline on the floor: radii for inflation, sample points for collision checks."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike


class Footprint:
    """A polygon in base_link, counter-clockwise, with base_link's origin inside."""

    def __init__(self, polygon: ArrayLike, spacing: float) -> None:
        """`polygon` (N, 2) [m]; outline and interior are sampled every `spacing` [m] or closer."""
        self.polygon = np.asarray(polygon, float)
        if self.polygon.ndim != 2 or self.polygon.shape[0] < 3 or self.polygon.shape[1] != 2:
            raise ValueError(f"a footprint needs at least 3 corners (N, 2), got shape {self.polygon.shape}")
        self.outline = resample(self.polygon[[*range(len(self.polygon)), 0]], spacing)[:-1]
        self.circumscribed = float(np.linalg.norm(self.polygon, axis=1).max())
        """radius about base_link's origin that turning in place sweeps [m]"""
        self.inscribed = float(np.linalg.norm(self.outline, axis=1).min())
        """radius about base_link's origin that is covered at any yaw [m]"""
        self.half_width = float(np.abs(self.polygon[:, 1]).max())
        """half of the corridor that driving straight sweeps [m]"""
        rings = [self.outline * scale for scale in np.arange(1.0, 0.0, -spacing / self.circumscribed)]
        self.area = np.concatenate([*rings, np.zeros((1, 2))])
        """(M, 2) samples of the whole area"""

    def at(self, poses: ArrayLike, samples: np.ndarray | None = None) -> np.ndarray:
        """(..., M, 2) [m]: the outline (or `samples` (M, 2) in base_link) at `poses` (..., 3), x, y, yaw, in map."""
        base = np.asarray(poses, float)
        samples = self.outline if samples is None else samples
        c, s = np.cos(base[..., 2, None]), np.sin(base[..., 2, None])
        x, y = samples[:, 0], samples[:, 1]
        return np.stack([base[..., 0, None] + c * x - s * y, base[..., 1, None] + s * x + c * y], axis=-1)


def resample(points: np.ndarray, spacing: float) -> np.ndarray:
    """(N, 2) points every `spacing` [m] or closer along a polyline (M, 2), in its frame; keeps its ends and corners."""
    pieces = []
    for a, b in zip(points[:-1], points[1:], strict=True):
        n = max(1, int(np.ceil(np.linalg.norm(b - a) / spacing)))
        pieces.append(a + (b - a) * np.arange(n)[:, None] / n)
    return np.concatenate([*pieces, points[-1:]])
