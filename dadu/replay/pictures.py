"""Recorded pictures as pixels, raw or compressed."""

from __future__ import annotations

from typing import Any

import numpy as np

from dadu.core.errors import DaduError, choices
from dadu.operator.run.pictures import decompress

_RAW = {"rgb8": (np.uint8, 3), "bgr8": (np.uint8, 3), "rgba8": (np.uint8, 4), "bgra8": (np.uint8, 4),
        "mono8": (np.uint8, 1), "16UC1": (np.uint16, 1), "mono16": (np.uint16, 1), "32FC1": (np.float32, 1),
        "32SC1": (np.int32, 1)}
_DEPTH_HEADER = 12
"""bytes before the PNG in image_transport's ``compressedDepth``"""


class UnreadableMessage(DaduError):
    """A recorded picture in a form that is not read."""


def picture(message: Any) -> np.ndarray:
    """Pixels as stored: uint8 (H, W, 3), red first, or (H, W) of uint8, uint16, int32 or float32. Raw or compressed.

    Errors: UnreadableMessage, UnreadablePicture.
    """
    if hasattr(message, "format"):
        data = bytes(message.data)
        return decompress(data[_DEPTH_HEADER:] if "compressedDepth" in message.format else data)
    if message.encoding not in _RAW:
        raise UnreadableMessage(f"picture encoding {message.encoding!r} is not read; valid: {choices(_RAW, 20)}")
    dtype, channels = _RAW[message.encoding]
    rows = np.frombuffer(bytes(message.data), np.uint8).reshape(message.height, message.step)
    pixels = rows[:, :message.width * channels * np.dtype(dtype).itemsize].view(dtype)
    pixels = pixels.byteswap() if message.is_bigendian and pixels.itemsize > 1 else pixels
    if channels == 1:
        return pixels
    pixels = pixels.reshape(message.height, message.width, channels)[..., :3]
    return pixels[..., ::-1] if message.encoding.startswith("bgr") else pixels


def rgb(message: Any) -> np.ndarray:
    """uint8 (H, W, 3)."""
    pixels = picture(message)
    return np.repeat(pixels[..., None], 3, axis=2) if pixels.ndim == 2 else np.ascontiguousarray(pixels)


def depth(message: Any) -> np.ndarray:
    """float32 (H, W) [m]; 16 bits are millimetres (REP 118)."""
    pixels = picture(message)
    return pixels.astype(np.float32) * 1e-3 if pixels.dtype == np.uint16 else pixels.astype(np.float32)
