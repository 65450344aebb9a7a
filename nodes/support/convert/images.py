"""Pictures between NumPy and sensor_msgs, without copies where the memory allows."""

from __future__ import annotations

import array

import numpy as np
from sensor_msgs.msg import CameraInfo, Image
from std_msgs.msg import Header

from dadu.core.errors import DaduError, choices

_TYPES: dict[str, tuple[type[np.generic], int]] = {
    "rgb8": (np.uint8, 3), "bgr8": (np.uint8, 3), "rgba8": (np.uint8, 4), "bgra8": (np.uint8, 4),
    "mono8": (np.uint8, 1),
    "16UC1": (np.uint16, 1), "mono16": (np.uint16, 1), "32FC1": (np.float32, 1), "32SC1": (np.int32, 1),
}


class UnknownEncoding(DaduError):
    """A picture in an encoding that is not read."""


def image_message(pixels: np.ndarray, encoding: str, header: Header) -> Image:
    """From (H, W) or (H, W, C) of the encoding's type."""
    dtype, channels = _type(encoding)
    pixels = np.ascontiguousarray(pixels, dtype)
    message = Image(header=header, height=pixels.shape[0], width=pixels.shape[1], encoding=encoding,
                    step=pixels.shape[1] * channels * pixels.itemsize)
    # An array.array is taken over as it is; bytes or NumPy would be converted element by element.
    message.data = array.array("B", pixels.tobytes())
    return message


def image(message: Image) -> np.ndarray:
    """To (H, W) or (H, W, C), as encoded. Errors: UnknownEncoding; DaduError where the data is too short."""
    dtype, channels = _type(message.encoding)
    itemsize = np.dtype(dtype).itemsize
    if len(message.data) < message.step * message.height or message.step < message.width * channels * itemsize:
        raise DaduError(f"picture of {message.width} x {message.height} {message.encoding} holds too little data")
    rows = np.frombuffer(message.data, np.uint8).reshape(message.height, message.step)
    pixels = rows[:, : message.width * channels * itemsize].view(dtype)
    pixels = pixels.reshape((message.height, message.width) + ((channels,) if channels > 1 else ()))
    return pixels.byteswap() if message.is_bigendian and itemsize > 1 else pixels


def rgb(message: Image) -> np.ndarray:
    """To uint8 (H, W, 3), red first."""
    pixels = image(message)
    if message.encoding.startswith("bgr"):
        pixels = pixels[..., [2, 1, 0]]
    if pixels.ndim == 2:
        pixels = np.repeat(pixels[..., None], 3, axis=2)
    return pixels[..., :3].astype(np.uint8, copy=False)


def depth(message: Image) -> np.ndarray:
    """To float32 (H, W) [m]; 16UC1 is in millimetres (REP 118)."""
    pixels = image(message)
    return pixels.astype(np.float32) * 1e-3 if pixels.dtype == np.uint16 else pixels.astype(np.float32, copy=False)


def camera_info(K: np.ndarray, width: int, height: int, header: Header) -> CameraInfo:
    """Pinhole without distortion."""
    P = np.hstack([K, np.zeros((3, 1))])
    return CameraInfo(header=header, width=width, height=height, distortion_model="plumb_bob", d=[0.0] * 5,
                      k=K.reshape(9).astype(float), r=np.eye(3).reshape(9), p=P.reshape(12).astype(float))


def intrinsics(message: CameraInfo) -> np.ndarray:
    """K (3, 3) [px]."""
    return np.array(message.k, float).reshape(3, 3)


def _type(encoding: str) -> tuple[type[np.generic], int]:
    """NumPy type and number of channels. Errors: UnknownEncoding."""
    try:
        return _TYPES[encoding]
    except KeyError:
        raise UnknownEncoding(f"picture encoding {encoding!r} is not read; valid: {choices(_TYPES, 20)}") from None
