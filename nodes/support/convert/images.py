"""Pictures of ours as sensor_msgs; `dadu.incoming.pictures` reads those of anybody."""

from __future__ import annotations

import array

import numpy as np
from sensor_msgs.msg import CameraInfo, Image
from std_msgs.msg import Header

_TYPES: dict[str, type[np.generic]] = {"rgb8": np.uint8, "bgr8": np.uint8, "rgba8": np.uint8, "bgra8": np.uint8,
                                       "mono8": np.uint8, "16UC1": np.uint16, "mono16": np.uint16, "32FC1": np.float32,
                                       "32SC1": np.int32}


def image_message(pixels: np.ndarray, encoding: str, header: Header) -> Image:
    """From (H, W) or (H, W, C) of the encoding's type."""
    pixels = np.ascontiguousarray(pixels, _TYPES[encoding])
    message = Image(header=header, height=pixels.shape[0], width=pixels.shape[1], encoding=encoding,
                    step=pixels.nbytes // pixels.shape[0])
    # An array.array is taken over as it is; bytes or NumPy would be converted element by element.
    message.data = array.array("B", pixels.tobytes())
    return message


def camera_info(K: np.ndarray, width: int, height: int, header: Header) -> CameraInfo:
    """Pinhole without distortion."""
    P = np.hstack([K, np.zeros((3, 1))])
    return CameraInfo(header=header, width=width, height=height, distortion_model="plumb_bob", d=[0.0] * 5,
                      k=K.reshape(9).astype(float), r=np.eye(3).reshape(9), p=P.reshape(12).astype(float))
