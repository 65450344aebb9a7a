"""A photograph of a thing, without depth: checked, and the thing cut out of it, as the namer is given what it sees."""

from __future__ import annotations

import hashlib
import struct
import warnings
import zlib
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageOps

from dadu.core.errors import DaduError
from dadu.core.paths import shared
from dadu.perception.learned.channels import FOCAL
from dadu.perception.learned.crops import Crop, View, crop
from dadu.perception.learned.detector import WEIGHTS
from dadu.perception.learned.namer import FILE, NamerWeights

Box = tuple[int, int, int, int]
"""x, y, width, height [px], of the picture as it is looked at"""
_UNREADABLE = (OSError, ValueError, SyntaxError, EOFError, LookupError, TypeError, OverflowError, struct.error,
               zlib.error, Image.DecompressionBombError,
               Image.DecompressionBombWarning)
"""what Pillow raises of damaged files"""
_LEAST = 24
"""of a thing's longer side [px]: half of what the namer looks at"""
_SIDE = 100
"""[px] of a thing's longer side that is cut out: how large a robot sees one near by, and fast to cut"""
_AROUND = 0.35
"""of that side is looked at around it: background"""
_BORDER, _MIDDLE = 0.02, 0.1
"""shares of the picture's sides that are background: of every picture, and where nobody said where the thing is"""
_ROUNDS = 5
_STANDS_OUT = 0.1
"""of its box is the thing, at least"""


def looks_of(pictures: Sequence[tuple[Path, Box | None]], weights: str = "") -> dict[str, list[float]]:
    """Of each picture, given with where the thing is in it, its look as a detector with these `weights` has it, by a
    name that the same picture has again. Errors: DaduError."""
    crops = [photographed(path, box) for path, box in pictures]
    own = weights.split(",")[0].strip()
    namer = NamerWeights((Path(own) if own else shared(*WEIGHTS.split("/"))).with_name(FILE))
    names = [hashlib.sha256(path.read_bytes() + repr(box).encode()).hexdigest()[:16] for path, box in pictures]
    return dict(zip(names, namer.embeddings(crops).tolist()))


def photographed(path: Path, box: Box | None = None) -> Crop:
    """The thing in `box` of a picture file; without one, the largest that stands out in the middle. What is
    transparent is background.

    Errors: DaduError for what is no picture, has no colours, or shows nothing that can be cut out there.
    """
    rgba = _read(path)
    height, width = rgba.shape[:2]
    if box is None:
        box = _trimmed((0, 0, width, height), rgba, _MIDDLE if rgba[..., 3].min() > 127 else 0.0)
    elif box[0] < 0 or box[1] < 0 or box[0] + box[2] > width or box[1] + box[3] > height:
        raise DaduError(f"{path} has {width} x {height} pixels, and the box {','.join(map(str, box))} (x,y,width,"
                        "height) lies not in it")
    try:
        return cut_out(rgba, box)
    except DaduError as error:
        raise DaduError(f"{path}: {error}; say where the thing is by --box, or take it before a plainer "
                        "background") from None


def cut_out(rgba: np.ndarray, box: Box) -> Crop:
    """The thing in a `box` of uint8 (H, W, 4). Errors: DaduError where it is too small or does not stand out."""
    if max(box[2:]) < _LEAST or min(box[2:]) < 1:
        raise DaduError(f"{box[2]} x {box[3]} pixels show too little of a thing, {_LEAST} is the least")
    part, inner = _scaled(rgba, box)
    mask = _standing_out(part, inner)
    if mask.sum() < _STANDS_OUT * inner[2] * inner[3]:
        raise DaduError("nothing there stands out from what is around it")
    nothing = np.zeros(mask.shape, np.float32)
    return crop(View(np.ascontiguousarray(part[..., :3]), nothing, nothing, FOCAL), mask)


def _read(path: Path) -> np.ndarray:
    """uint8 (H, W, 4), turned as the camera was held. Errors: DaduError."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)  # 90 million pixels
            with Image.open(path) as image:
                rgba = np.asarray(ImageOps.exif_transpose(image).convert("RGBA"))
    except _UNREADABLE as error:
        raise DaduError(f"{path} is no picture that can be read: {error}") from None
    seen = rgba[rgba[..., 3] > 127]
    if not len(seen):
        raise DaduError(f"{path} is transparent everywhere")
    if (seen[:, 0] == seen[:, 1]).all() and (seen[:, 1] == seen[:, 2]).all():
        raise DaduError(f"{path} has no colours, and a robot's camera sees some")
    return rgba


def _trimmed(box: Box, rgba: np.ndarray, share: float) -> Box:
    """Less of it where it reaches nearer to the picture's border than `share` of the sides."""
    (left, top, width, height), (rows, columns) = box, rgba.shape[:2]
    x, y = (max(round(share * side), 1) for side in (columns, rows))
    right, bottom = min(left + width, columns - x), min(top + height, rows - y)
    left, top = max(left, x), max(top, y)
    return left, top, max(right - left, 1), max(bottom - top, 1)


def _scaled(rgba: np.ndarray, box: Box) -> tuple[np.ndarray, Box]:
    """What is in the box and around it, so small that the box's longer side is `_SIDE`; and the box in that."""
    x, y, width, height = _trimmed(box, rgba, _BORDER if rgba[..., 3].min() > 127 else 0.0)
    more = round(_AROUND * max(width, height)) + 2
    left, top = max(x - more, 0), max(y - more, 0)
    part = rgba[top:y + height + more, left:x + width + more]
    scale = _SIDE / max(width, height)
    size = [max(round(scale * side), 1) for side in part.shape[1::-1]]
    small = cv2.resize(part, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    x, y, width, height = (round(scale * number) for number in (x - left, y - top, width, height))
    return small, (x, y, max(width, 1), max(height, 1))


def _standing_out(rgba: np.ndarray, box: Box) -> np.ndarray:
    """bool (H, W): what in the box has other colours than what is around it (Rother et al. 2004, GrabCut), of that the
    largest piece."""
    x, y, width, height = box
    there = np.zeros(rgba.shape[:2], bool)
    there[y:y + height, x:x + width] = True
    opaque = rgba[..., 3] > 127
    if opaque.all():
        marks = np.zeros(rgba.shape[:2], np.uint8)
        cv2.setRNGSeed(0)  # the same picture is cut the same way again
        cv2.grabCut(np.ascontiguousarray(rgba[..., :3]), marks, box, np.zeros((1, 65)), np.zeros((1, 65)), _ROUNDS,
                    cv2.GC_INIT_WITH_RECT)
        opaque = (marks == cv2.GC_FGD) | (marks == cv2.GC_PR_FGD)
    count, pieces, found, _ = cv2.connectedComponentsWithStats((there & opaque).astype(np.uint8))
    if count == 1:
        return there & False
    largest: np.ndarray = pieces == 1 + found[1:, cv2.CC_STAT_AREA].argmax()
    return largest
