"""Pictures of boxes, ray-traced in NumPy: a mock camera for tests and benchmarks, without simulator or GPU."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dadu.core import geometry
from dadu.core.robot import CameraFrame

K = np.array([[600.0, 0, 320], [0, 600.0, 240], [0, 0, 1]])


@dataclass(frozen=True)
class SceneBox:
    """An axis-aligned box of the map."""

    name: str
    center: tuple[float, float, float]
    size: tuple[float, float, float]
    color: tuple[int, int, int] = (128, 128, 128)


def look(eye: ArrayLike, target: ArrayLike) -> np.ndarray:
    """T_map_camera (4, 4) [m], optical frame, level horizon, from `eye` to `target`, both (3,) in map."""
    z = np.subtract(target, eye) / np.linalg.norm(np.subtract(target, eye))
    x = np.cross(z, (0, 0, 1))
    x /= np.linalg.norm(x)
    return geometry.transform(np.stack([x, np.cross(z, x), z], axis=1), eye)


def render(boxes: Sequence[SceneBox], T_map_camera: np.ndarray, *, stamp: float = 0.0, scale: int = 1,
           floor: bool = True) -> CameraFrame:
    """Colour, depth and instances (1 + index into `boxes`); 640x480 divided by `scale`; a gray floor at z = 0."""
    height, width = 480 // scale, 640 // scale
    k = K / [[scale], [scale], [1]]
    v, u = np.mgrid[:height, :width]
    rays = np.stack([(u - k[0, 2]) / k[0, 0], (v - k[1, 2]) / k[1, 1], np.ones(u.shape)], axis=-1)
    rays = rays @ T_map_camera[:3, :3].T
    eye = T_map_camera[:3, 3]
    depth = np.full(u.shape, np.inf)
    instances = np.zeros(u.shape, np.int32)
    rgb = np.full((height, width, 3), 90, np.uint8)
    with np.errstate(divide="ignore", invalid="ignore"):
        if floor:
            depth = np.where(rays[..., 2] < 0, -eye[2] / rays[..., 2], np.inf)
        for i, box in enumerate(boxes):
            near_far = np.sort(np.stack([(np.array(box.center) + s * np.array(box.size) / 2 - eye) / rays
                                         for s in (-1, 1)]), axis=0)
            near, far = near_far[0].max(axis=-1), near_far[1].min(axis=-1)
            hit = (near < far) & (near > 0) & (near < depth)
            depth[hit], instances[hit], rgb[hit] = near[hit], i + 1, box.color
    depth[~np.isfinite(depth)] = 0
    return CameraFrame(stamp, rgb, depth.astype(np.float32), k, T_map_camera, instances)
