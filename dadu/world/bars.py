"""Handles as the camera sees them: bars that stand off an upright face."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dadu.core.geometry import Vector3

_NAME = "bar "
"""how the names begin under which bars stand among a detection's attributes in messages"""


@dataclass(frozen=True)
class HandleBar:
    """A bar before an upright face of furniture, where both are now; map [m]."""

    centre: Vector3
    upright: bool
    """it stands, as those of doors do; else it lies, as those of drawers do"""
    normal: Vector3
    """unit vector out of the face, level"""
    length: float
    left: float
    """how far the face reaches to the left of the bar's middle, as who stands before it sees it"""
    right: float

    @property
    def across(self) -> np.ndarray:
        """(3,), unitless, of unit length: along the face, to the right of who stands before it, in map."""
        return np.cross((0.0, 0.0, 1.0), self.normal)

    @property
    def axis(self) -> np.ndarray:
        """(3,), unitless, of unit length: along the bar, in map."""
        return np.array((0.0, 0.0, 1.0)) if self.upright else self.across


def bars_as_text(bars: Sequence[HandleBar]) -> dict[str, str]:
    """As messages have them, in which things have attributes and no bars."""
    return {f"{_NAME}{i}": " ".join(f"{value:.4f}" for value in (
        *bar.centre, *bar.normal, bar.length, bar.left, bar.right, float(bar.upright))) for i, bar in enumerate(bars)}


def bars_from_text(said: Mapping[str, str]) -> tuple[HandleBar, ...]:
    """Those among what a message says of a thing. Errors: ValueError where one is not as `bars_as_text` writes them."""
    return tuple(_parsed(value) for name, value in said.items() if is_bar(name))


def is_bar(name: str) -> bool:
    """True if under this name of an attribute there is a bar."""
    return name.startswith(_NAME)


def _parsed(text: str) -> HandleBar:
    x, y, z, nx, ny, nz, length, left, right, upright = map(float, text.split())
    return HandleBar((x, y, z), bool(upright), (nx, ny, nz), length, left, right)
