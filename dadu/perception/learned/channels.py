"""What the network sees of an RGB-D picture: six numbers a pixel, the same in training and on the robot.

Depth is given as size, in pixels a metre, and as height above the floor: neither depends on the camera's focal length
or tilt, and both are what tells a mug on a table from a picture of one (after HHA: Gupta et al. 2014).
"""

from __future__ import annotations

import numpy as np

CHANNELS = 6
FOCAL = 312.0
"""focal length [px] at which things have the size that the network was trained on"""
PIXELS_PER_METRE = 500.0
TALL = 1.5
"""[m]; with the last one, what brings the numbers near 1"""
_NEAREST = 0.05
"""a reading below is none [m]"""


def channels(rgb: np.ndarray, depth: np.ndarray, K: np.ndarray, T_map_camera: np.ndarray) -> np.ndarray:
    """float32 (H, W, 6): red, green, blue (-1 to 1), pixels a metre, whether there is a depth, height above the floor.

    `rgb`: uint8 (H, W, 3). `depth`: float32 (H, W) [m], 0 or non-finite where there is none. `K`: (3, 3) [px].
    `T_map_camera`: (4, 4), optical frame.
    """
    known = has_depth(depth)
    z = np.where(known, depth, 1.0).astype(np.float32)
    out = np.empty((CHANNELS, *depth.shape), np.float32).transpose(1, 2, 0)  # plane by plane, as the network takes it
    for i in range(3):
        np.divide(rgb[..., i], np.float32(127.5), out=out[..., i])
        out[..., i] -= 1
    out[..., 3] = np.clip(float(K[0, 0]) / z / PIXELS_PER_METRE, 0, 4) * known
    out[..., 4] = known
    out[..., 5] = np.clip(heights(z, K, T_map_camera) / TALL, -0.5, 2) * known
    return out


def has_depth(depth: np.ndarray) -> np.ndarray:
    """bool (H, W), of depth (H, W) [m]."""
    known: np.ndarray = np.isfinite(depth) & (depth > _NEAREST)
    return known


def heights(depth: np.ndarray, K: np.ndarray, T_map_camera: np.ndarray) -> np.ndarray:
    """float32 (H, W) above the floor [m], of depth float32 (H, W) [m], `K` (3, 3) [px] and `T_map_camera` (4, 4), of
    the optical frame."""
    (height, width), up = depth.shape, T_map_camera[2]
    across = (np.arange(width) - K[0, 2]) / K[0, 0] * up[0]
    down = (np.arange(height) - K[1, 2]) / K[1, 1] * up[1]
    above: np.ndarray = (across[None, :] + down[:, None] + up[2]).astype(np.float32) * depth + np.float32(up[3])
    return above
