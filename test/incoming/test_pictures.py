"""Pictures in the encodings of other people's cameras come out as what was before them, or are refused by name."""

import struct
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from dadu.core.errors import NotUsable
from dadu.incoming import pictures

RED, GREEN, BLUE, GREY = (220, 30, 40), (30, 200, 50), (40, 60, 210), (128, 128, 128)


def scene(width=48, height=32):
    """uint8 (H, W, 3): four fields of colour, so that channels and sides that are swapped are seen."""
    rgb = np.zeros((height, width, 3), np.uint8)
    rgb[: height // 2, : width // 2], rgb[: height // 2, width // 2:] = RED, GREEN
    rgb[height // 2:, : width // 2], rgb[height // 2:, width // 2:] = BLUE, GREY
    return rgb


def image(data, encoding, width=48, height=32, step=0, bigendian=False):
    data = np.ascontiguousarray(data)
    return SimpleNamespace(width=width, height=height, encoding=encoding, is_bigendian=bigendian,
                           step=step or data.nbytes // len(data), data=data.tobytes())


def bayer(rgb, pattern):
    """What a sensor with this pattern of filters counts: `pattern` names the first two pixels of its first two rows."""
    raw = np.zeros(rgb.shape[:2], np.uint8)
    for place, colour in enumerate(pattern):
        row, column = divmod(place, 2)
        raw[row::2, column::2] = rgb[row::2, column::2, "rgb".index(colour)]
    return raw


def chroma(rgb, order):
    """(H, W, 2): 4:2:2 as a camera sends it."""
    y, cr, cb = cv2.split(cv2.cvtColor(rgb, cv2.COLOR_RGB2YCrCb).astype(float))
    y = 16 + y * 219 / 255  # the narrow range of BT.601, which video cameras have
    u, v = (128 + (c - 128) * 224 / 255 for c in (cb, cr))
    packed = np.zeros((*rgb.shape[:2], 2), np.uint8)
    luma, colour = (1, 0) if order == "uyvy" else (0, 1)
    packed[..., luma] = np.rint(y)
    packed[:, 0::2, colour], packed[:, 1::2, colour] = np.rint(u[:, 0::2]), np.rint(v[:, 0::2])
    return packed


def planes(rgb, first):
    packed = chroma(rgb, "uyvy").astype(int)
    u, v = packed[::2, 0::2, 0], packed[::2, 1::2, 0]
    pair = np.stack([u, v] if first == "u" else [v, u], axis=2).reshape(len(u), -1)
    return np.vstack([packed[..., 1], pair]).astype(np.uint8)


ENCODED = {
    "rgb8": lambda rgb: rgb, "bgr8": lambda rgb: rgb[..., ::-1],
    "rgba8": lambda rgb: np.dstack([rgb, np.full(rgb.shape[:2], 255, np.uint8)]),
    "bgra8": lambda rgb: np.dstack([rgb[..., ::-1], np.full(rgb.shape[:2], 255, np.uint8)]),
    "rgb16": lambda rgb: rgb.astype(np.uint16) * 257, "bgr16": lambda rgb: rgb[..., ::-1].astype(np.uint16) * 257,
    **{f"bayer_{pattern}8": lambda rgb, pattern=pattern: bayer(rgb, pattern)
       for pattern in ("rggb", "bggr", "gbrg", "grbg")},
    "bayer_rggb16": lambda rgb: bayer(rgb, "rggb").astype(np.uint16) * 257,
    "uyvy": lambda rgb: chroma(rgb, "uyvy"), "yuv422": lambda rgb: chroma(rgb, "uyvy"),
    "yuyv": lambda rgb: chroma(rgb, "yuyv"), "yuv422_yuy2": lambda rgb: chroma(rgb, "yuyv"),
    "nv12": lambda rgb: planes(rgb, "u"), "nv21": lambda rgb: planes(rgb, "v"),
}


@pytest.mark.parametrize("encoding", ENCODED)
def test_colours_come_out_as_they_were(encoding):
    rgb, message = scene(), image(ENCODED[encoding](scene()), encoding)
    message.step = message.step if "nv" not in encoding else 48
    seen = pictures.color(message)
    assert (seen.dtype, seen.shape) == (np.uint8, rgb.shape)
    for rows, columns in (((4, 12), (4, 20)), ((4, 12), (28, 44)), ((20, 28), (4, 20)), ((20, 28), (28, 44))):
        there, was = seen[slice(*rows), slice(*columns)], rgb[rows[0], columns[0]]
        assert np.abs(there.reshape(-1, 3).mean(axis=0) - was).max() < 14, (encoding, there[0, 0], was)


def test_grey_pictures_are_grey_and_rows_may_be_padded():
    grey = np.arange(32 * 48, dtype=np.uint16).reshape(32, 48) % 200
    assert (pictures.color(image(grey.astype(np.uint8), "mono8")) == grey[..., None]).all()
    assert (pictures.color(image(grey * 256, "mono16")) == grey[..., None]).all()
    padded = np.hstack([scene().reshape(32, -1), np.full((32, 7), 9, np.uint8)])
    assert (pictures.color(image(padded, "rgb8")) == scene()).all()
    longer = image(padded, "rgb8")
    longer.data += b"rest of the buffer"
    assert (pictures.color(longer) == scene()).all()


@pytest.mark.parametrize("bits", [8, 10, 12, 14])
@pytest.mark.parametrize("encoding", ["mono16", "bayer_rggb16", "rgb16"])
def test_fewer_bits_in_sixteen_are_no_dark_picture(encoding, bits):
    rgb = scene().astype(np.uint16) * 257
    pixels = ENCODED[encoding](scene()) if encoding in ENCODED else rgb[..., 0]
    assert pictures.color(image(pixels, encoding)).any()
    with pytest.raises(NotUsable, match="fewer bits"):
        pictures.color(image(pixels >> 16 - bits, encoding))


@pytest.mark.parametrize("encoding", ["8UC3", "nv24", "16UC1", "32FC1", "", "jpeg", "8UC4", "32SC1"])
def test_what_has_no_known_colours_is_refused_by_name(encoding):
    with pytest.raises(NotUsable, match=f"{encoding}.*valid: .*rgb8" if encoding else "rgb8"):
        pictures.color(image(np.zeros((32, 192), np.uint8), encoding, width=12))


@pytest.mark.parametrize("bigendian", [False, True])
def test_depth_is_metres(bigendian):
    order = ">" if bigendian else "<"
    mm = np.array([[0, 1500, 60000]], f"{order}u2")
    assert np.allclose(pictures.depth(image(mm, "16UC1", 3, 1, bigendian=bigendian)), [[0, 1.5, 60.0]])
    assert not pictures.depth(image(np.full((1, 1), 65535, f"{order}u2"), "16UC1", 1, 1, bigendian=bigendian)).any()
    metres = np.array([[np.nan, 1.5, np.inf, -1.0]], f"{order}f4")
    assert pictures.depth(image(metres, "32FC1", 4, 1, bigendian=bigendian)).tolist() == [[0, 1.5, 0, 0]]


def test_depth_that_is_something_else_is_refused():
    with pytest.raises(NotUsable, match="millimetres"):
        pictures.depth(image(np.full((8, 8), 1500, np.float32), "32FC1", 8, 8))
    near = np.tile(np.arange(20, 60, dtype=np.float32), (8, 1))
    with pytest.raises(NotUsable, match="millimetres"):
        pictures.depth(image(near, "32FC1", 40, 8))
    assert pictures.depth(image(near / 16, "32FC1", 40, 8)).any()
    with pytest.raises(NotUsable, match="rgb8.*is no depth"):
        pictures.depth(image(scene(), "rgb8"))


def compressed(pixels, format, kind=".png", header=b""):
    return SimpleNamespace(format=format, data=header + cv2.imencode(kind, pixels)[1].tobytes())


def test_compressed_colours():
    rgb = scene()
    bgr = rgb[..., ::-1]
    alpha = np.dstack([bgr, np.full(rgb.shape[:2], 255, np.uint8)])
    for message in (compressed(bgr, "png"), compressed(bgr, "rgb8; png compressed bgr8"), compressed(alpha, "png"),
                    compressed(rgb, "bgr8; png compressed rgb8")):
        assert (pictures.color(message) == rgb).all(), message.format
    assert np.abs(pictures.color(compressed(bgr, "rgb8; jpeg compressed bgr8", ".jpg")).astype(int) - rgb).mean() < 5
    for data in (b"", b"garbage", b"\xff\xd8\xff"):
        with pytest.raises(NotUsable):
            pictures.color(SimpleNamespace(format="jpeg", data=data))


def test_what_a_codec_quantised_is_undone_or_refused_and_never_metres():
    metres = np.array([[0.5, 1.0, 2.0, 4.0]], np.float32)
    first, second = 10.0 * (10.0 + 1.0), 1.0 - 110.0 / 10.0  # compressed_depth_image_transport's, of 10 m at most
    numbers = np.rint(first / metres + second).astype(np.uint16)
    header = struct.pack("<iff", 0, first, second)
    message = compressed(numbers, "32FC1; compressedDepth png", header=header)
    assert np.allclose(pictures.depth(message), metres, rtol=0.03)
    mm = (metres * 1000).astype(np.uint16)
    for whole in (compressed(mm, "16UC1; compressedDepth png", header=bytes(12)),
                  compressed(mm, "16UC1; png compressed ")):
        assert np.allclose(pictures.depth(whole), metres)
    for bad in (compressed(numbers, "32FC1; compressedDepth png", header=bytes(12)),
                compressed(numbers, "32FC1; png compressed "),
                compressed(mm.astype(np.uint8), "16UC1; jpeg compressed mono8", ".jpg"),
                SimpleNamespace(format="16UC1; compressedDepth rvl", data=bytes(40)),
                SimpleNamespace(format="16UC1; compressedDepth png", data=bytes(3))):
        with pytest.raises(NotUsable, match="depth|no picture|neither"):
            pictures.depth(bad)
