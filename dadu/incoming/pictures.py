"""Pictures of any camera as pixels: ``sensor_msgs/Image`` in the encodings of drivers, and ``CompressedImage``.

Only field names matter, so that a bag is read as a topic is. What an encoding does not say (which of three channels is
red in 8UC3) and what a codec has lost (depth in a JPEG) is refused by name, never guessed.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any, NamedTuple

import cv2
import numpy as np

from dadu.core.errors import NotUsable, choices


class _Layout(NamedTuple):
    """How pixels lie in a message."""

    dtype: type[np.generic]
    channels: int
    to_rgb: int | None = None
    """OpenCV's conversion to red, green, blue; None: as they are, or no colours"""
    color: bool = True
    planes: tuple[int, int] = (1, 1)
    """rows of the data for so many of the picture: chroma in planes of their own takes half as many again"""


_BYTE, _WORD = np.uint8, np.uint16
_LAYOUTS: Mapping[str, _Layout] = {
    "rgb8": _Layout(_BYTE, 3), "bgr8": _Layout(_BYTE, 3, cv2.COLOR_BGR2RGB),
    "rgba8": _Layout(_BYTE, 4, cv2.COLOR_RGBA2RGB), "bgra8": _Layout(_BYTE, 4, cv2.COLOR_BGRA2RGB),
    "rgb16": _Layout(_WORD, 3), "bgr16": _Layout(_WORD, 3, cv2.COLOR_BGR2RGB),
    "rgba16": _Layout(_WORD, 4, cv2.COLOR_RGBA2RGB), "bgra16": _Layout(_WORD, 4, cv2.COLOR_BGRA2RGB),
    "mono8": _Layout(_BYTE, 1, cv2.COLOR_GRAY2RGB), "8UC1": _Layout(_BYTE, 1, cv2.COLOR_GRAY2RGB),
    "mono16": _Layout(_WORD, 1, cv2.COLOR_GRAY2RGB),
    # OpenCV names a Bayer pattern by the second row's second and third pixel: theirs is shifted by one against ROS's.
    **{f"bayer_{pattern}{bits}": _Layout(dtype, 1, code) for bits, dtype in ((8, _BYTE), (16, _WORD))
       for pattern, code in (("rggb", cv2.COLOR_BayerBG2RGB), ("bggr", cv2.COLOR_BayerRG2RGB),
                             ("gbrg", cv2.COLOR_BayerGR2RGB), ("grbg", cv2.COLOR_BayerGB2RGB))},
    "uyvy": _Layout(_BYTE, 2, cv2.COLOR_YUV2RGB_UYVY), "yuv422": _Layout(_BYTE, 2, cv2.COLOR_YUV2RGB_UYVY),
    "yuyv": _Layout(_BYTE, 2, cv2.COLOR_YUV2RGB_YUYV), "yuv422_yuy2": _Layout(_BYTE, 2, cv2.COLOR_YUV2RGB_YUYV),
    "nv12": _Layout(_BYTE, 1, cv2.COLOR_YUV2RGB_NV12, planes=(3, 2)),
    "nv21": _Layout(_BYTE, 1, cv2.COLOR_YUV2RGB_NV21, planes=(3, 2)),
    "16UC1": _Layout(_WORD, 1, color=False), "32FC1": _Layout(np.float32, 1, color=False),
    "32SC1": _Layout(np.int32, 1, color=False),
}
_MILLIMETRES = ("16UC1", "mono16")
"""encodings of depth that count millimetres (REP 118)"""
_FARTHEST = 65.0
"""[m] that no depth camera looks: what 16 bits of millimetres hold"""
_FULL = 65535
"""of 16 bits: no reading, as some drivers have it, or one beyond them"""
_DARK = 1 << 14
"""brightness of 16 bits that no picture of so many stays below"""
_DEPTH_HEADER = struct.Struct("<iff")
"""before the PNG of image_transport's ``compressedDepth``: a number, and the two parameters by which depth in floating
point was made whole numbers: number = first / depth + second"""
_SHADE = 4
"""brightnesses of 256 that are taken for one: a camera's noise is about 2"""
_THINNED = 37
"""every so-manieth value is looked at where a glance is enough"""


def stored(message: Any) -> np.ndarray:
    """(H, W) or (H, W, C), unitless, of the encoding's type, as an Image holds it, mostly without a copy.

    Errors: NotUsable.
    """
    layout = _LAYOUTS.get(message.encoding)
    if layout is None:
        raise NotUsable(f"picture encoding {message.encoding!r} is not read; valid: {choices(_LAYOUTS, 40)}")
    rows = message.height * layout.planes[0] // layout.planes[1]
    itemsize = np.dtype(layout.dtype).itemsize
    width = message.width * layout.channels * itemsize
    step = message.step or width
    if not rows or not width:
        raise NotUsable(f"a picture of {message.width} x {message.height} pixels is empty")
    if step < width or len(message.data) < step * rows:
        raise NotUsable(f"a picture of {message.width} x {message.height} {message.encoding} holds too little data: "
                       f"{len(message.data)} bytes in rows of {step}")
    data = np.frombuffer(message.data, np.uint8, step * rows).reshape(rows, step)
    pixels = data[:, :width].view(layout.dtype)
    pixels = pixels.reshape((rows, message.width) + ((layout.channels,) if layout.channels > 1 else ()))
    return pixels.byteswap() if message.is_bigendian and itemsize > 1 else pixels


def color(message: Any) -> np.ndarray:
    """uint8 (H, W, 3), red first, of an Image or a CompressedImage. Errors: NotUsable."""
    if hasattr(message, "format"):
        return _decoded_color(message)
    layout, pixels = _LAYOUTS.get(message.encoding), stored(message)
    if layout is None or not layout.color:
        raise NotUsable(f"a picture in {message.encoding} has no colours; valid: "
                       f"{choices((name for name, one in _LAYOUTS.items() if one.color), 40)}")
    pixels = _bytes(pixels)
    return pixels if layout.to_rgb is None else _converted(pixels, layout.to_rgb, message.encoding)


def shades(pixels: np.ndarray) -> np.ndarray:
    """uint8 (H, W, ...): each brightness as the middle of the four that are taken for one; of shades, the same again.

    Perception looks at these, so that a bag that holds them, in half the bytes, holds all that it saw.
    """
    return pixels & np.uint8(256 - _SHADE) | np.uint8(_SHADE // 2)


def depth(message: Any) -> np.ndarray:
    """float32 (H, W) [m], 0 where there is no reading, of an Image or a CompressedImage; 16 bits count millimetres (REP
    118). Errors: NotUsable."""
    if hasattr(message, "format"):
        return _decoded_depth(message)
    if message.encoding not in (*_MILLIMETRES, "32FC1"):
        raise NotUsable(f"a picture in {message.encoding!r} is no depth; valid: {choices((*_MILLIMETRES, '32FC1'))}")
    return _metres(stored(message))


def labels(message: Any) -> np.ndarray:
    """int32 (H, W): a number for each pixel, of an Image or a CompressedImage. Errors: NotUsable."""
    pixels = decoded(bytes(message.data)) if hasattr(message, "format") else stored(message)
    if pixels.ndim != 2 or not np.issubdtype(pixels.dtype, np.integer):
        raise NotUsable("a picture of instances has one whole number for each pixel")
    return pixels.astype(np.int32)


def decoded(data: bytes) -> np.ndarray:
    """uint8 or uint16 (H, W) or (H, W, C) of a PNG or JPEG as it is stored, blue first if it has colours.

    Errors: NotUsable.
    """
    try:
        pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED) if len(data) else None
    except cv2.error as error:
        raise NotUsable(f"{len(data)} bytes that are no picture ({error.err})") from None
    if pixels is None:
        raise NotUsable(f"{len(data)} bytes that are neither JPEG nor PNG")
    return pixels


def _decoded_color(message: Any) -> np.ndarray:
    """By `format`: ``ENCODING; CODEC compressed ORDER``, or the codec alone."""
    encoding, _, how = message.format.partition(";")
    if "Depth" in message.format or encoding in ("16UC1", "32FC1", "32SC1"):
        raise NotUsable(f"a picture in {message.format!r} has no colours")
    pixels = _bytes(decoded(bytes(message.data)))
    channels = pixels.shape[2] if pixels.ndim == 3 else 1
    if pixels.dtype != np.uint8 or channels not in (1, 3, 4):
        raise NotUsable(f"a picture in {message.format!r} holds {channels} channels of {pixels.dtype}")
    if "compressed rgb" in how and channels == 3:  # the codec was given red for blue
        return pixels
    return _converted(pixels, {1: cv2.COLOR_GRAY2RGB, 3: cv2.COLOR_BGR2RGB, 4: cv2.COLOR_BGRA2RGB}[channels], encoding)


def _bytes(pixels: np.ndarray) -> np.ndarray:
    """The upper 8 of 16 bits. Errors: NotUsable where the upper two are never set: 10, 12 or 14 bits, who knows?"""
    if pixels.dtype != np.uint16:
        return pixels
    if (brightest := int(pixels.max(initial=0))) < _DARK:
        raise NotUsable(f"a picture of 16 bits a channel reaches {brightest} of 65535: it is dark, or holds fewer "
                        "bits; have the driver send 8 bits, or shift them up")
    return (pixels >> 8).astype(np.uint8)


def _decoded_depth(message: Any) -> np.ndarray:
    encoding, _, how = message.format.partition(";")
    data = bytes(message.data)
    if "compressedDepth" not in message.format:
        pixels = decoded(data)
        if pixels.dtype != np.uint16 or pixels.ndim != 2 or encoding == "32FC1":
            raise NotUsable(f"depth in {message.format!r} is not read: what the codec has lost cannot be told; valid: "
                           "16UC1 in a PNG, and compressedDepth")
        return _metres(pixels)
    if "rvl" in how or len(data) <= _DEPTH_HEADER.size:
        raise NotUsable(f"depth in {message.format!r} is not read; valid: compressedDepth png")
    _, first, second = _DEPTH_HEADER.unpack_from(data)
    numbers = decoded(data[_DEPTH_HEADER.size:])
    if numbers.dtype != np.uint16 or numbers.ndim != 2:
        raise NotUsable(f"depth in {message.format!r} holds no 16-bit numbers")
    if encoding != "32FC1":
        return _metres(numbers)
    if not (first > 0 and np.isfinite((first, second)).all()):
        raise NotUsable(f"depth in {message.format!r} was quantised by {first:g} and {second:g}, which nobody can undo")
    with np.errstate(divide="ignore", invalid="ignore"):
        return _metres(np.where(numbers > 0, first / (numbers - np.float32(second)), 0).astype(np.float32))


def _metres(pixels: np.ndarray) -> np.ndarray:
    """float32 [m] of whole millimetres or of metres. Errors: NotUsable for metres that can only be something else."""
    if pixels.dtype == np.uint16:
        return np.where(pixels == _FULL, 0, pixels).astype(np.float32) * np.float32(1e-3)
    some = pixels.ravel()[::_THINNED]
    some = some[np.isfinite(some) & (some > 0)]
    if len(some) and (float(np.median(some)) > _FARTHEST or np.ptp(some) > 1 and not (some % 1).any()):
        raise NotUsable(f"depth in 32FC1 is in metres (REP 118), and half of this is beyond {_FARTHEST:g}, or all of "
                        "it whole numbers: are these millimetres?")
    return np.where(np.isfinite(pixels) & (pixels > 0), pixels, np.float32(0)).astype(np.float32, copy=False)


def _converted(pixels: np.ndarray, code: int, encoding: str) -> np.ndarray:
    try:
        return cv2.cvtColor(np.ascontiguousarray(pixels), code)
    except cv2.error as error:
        raise NotUsable(f"a picture in {encoding}, {pixels.shape[1]} wide, cannot be converted ({error.err})") from None
