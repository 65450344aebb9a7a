"""Words under a picture."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

_BAND = 0.21
"""of the picture's height: the strip below it"""
_INK, _QUIET, _OK, _BAD, _PAPER = (236, 235, 231), (160, 164, 172), (95, 207, 154), (240, 138, 128), (24, 26, 31)


@dataclass(frozen=True)
class Caption:
    """What is said under one picture."""

    title: str
    """what was asked"""
    line: str
    """what is done"""
    outcome: str
    corner: str
    """in small letters"""
    ok: bool | None = None
    """how the outcome is meant"""


def captioned(pixels: np.ndarray, caption: Caption) -> np.ndarray:
    """uint8 (H', W, 3) with H' even, from uint8 (H, W, 3): the picture and a strip of words below it."""
    height, width = pixels.shape[:2]
    band = 2 * round(height * _BAND / 2) + (height % 2)
    image = Image.new("RGB", (width, height + band), _PAPER)
    image.paste(Image.fromarray(pixels))
    draw, size = ImageDraw.Draw(image), round(height / 26)
    margin, small = size // 2, _font(round(size * 0.85), False)
    second = height + band - round(1.6 * size)
    draw.text((margin, height + size // 3), _wrapped(draw, f"\u201c{caption.title}\u201d", small, width - 2 * margin),
              _INK, small)
    corner = draw.textlength(caption.corner, small)
    draw.text((width - margin - corner, second), caption.corner, _QUIET, small)
    draw.text((margin, second), caption.line, _INK, _font(size, True))
    if caption.outcome:
        at = margin + draw.textlength(f"{caption.line}   ", _font(size, True))
        room = width - margin - corner - size - at
        draw.text((at, second), _fitted(draw, caption.outcome, _font(size, True), room),
                  {True: _OK, False: _BAD, None: _QUIET}[caption.ok], _font(size, True))
    return np.asarray(image)


def _wrapped(draw: ImageDraw.ImageDraw, text: str, font: ImageFont.FreeTypeFont, width: float) -> str:
    """In at most two lines."""
    words = text.split()
    count = next((n for n in range(len(words), 0, -1) if draw.textlength(" ".join(words[:n]), font) <= width), 1)
    rest = " ".join(words[count:])
    return "\n".join(filter(None, (" ".join(words[:count]), rest and _fitted(draw, rest, font, width))))


def _fitted(draw: ImageDraw.ImageDraw, text: str, font: ImageFont.FreeTypeFont, width: float) -> str:
    """As much of it as has room [px]."""
    if draw.textlength(text, font) <= width:
        return text
    while text and draw.textlength(f"{text}\u2026", font) > width:
        text = text[:-1]
    return f"{text}\u2026"


@lru_cache
def _font(size: int, bold: bool) -> ImageFont.FreeTypeFont:
    """The one that comes with matplotlib: there on any machine."""
    import matplotlib

    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return ImageFont.truetype(str(Path(matplotlib.get_data_path(), "fonts", "ttf", name)), size)
