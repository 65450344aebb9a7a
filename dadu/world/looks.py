"""What people call a thing whose name they do not know: by colour, shape and size."""

from __future__ import annotations

from collections.abc import Sequence

_FLAT, _LONG = 0.3, 2.5
"""of the height to the narrower side, below which a thing is flat; of the longest to the next side, above which it is
tall or long"""
_ROUNDED, _SMALL = 5, 0.1
"""sizes are told to so many centimetres, of what is smaller than that [m] to one"""


def looks(color: str, size: Sequence[float]) -> str:
    """``tall red thing, 25 cm``; `size`: (3,) [m], the last one its height; zeros where it is not known."""
    width, depth = sorted(size[:2])
    height, longest = size[2], max(size)
    words = [word for word in (_shape(width, depth, height), color) if word]
    if longest <= 0:
        return " ".join([*words, "thing"])
    step = 1 if longest < _SMALL else _ROUNDED
    return " ".join([*words, f"thing, {max(step * round(100 * longest / step), 1)} cm"])


def _shape(width: float, depth: float, height: float) -> str:
    if min(width, height) <= 0:
        return ""
    if height > _LONG * depth:
        return "tall"
    if depth > _LONG * max(width, height):
        return "long"
    return "flat" if height < _FLAT * width else ""
