"""Buttons that switch furniture on and off: pressed by a finger, they spring back."""

from __future__ import annotations

from dadu.core.geometry import Vector3
from dadu.house.furniture.model import Part, SolidBox

TRAVEL = 0.008
"""[m]"""
_THICK, _SIDE, _FREE = 0.008, 0.03, 0.002
"""of the button, and how far it stays off the face when pressed [m]"""
STANDS_OUT = TRAVEL + _FREE + _THICK
"""of the face behind it [m]"""
_SPRING = 400.0
"""[N/m]: 3 N press it, as with a doorbell's"""


def push_button(face: Vector3, color: str = "silver", side: float = _SIDE) -> Part:
    """Before a point of a face that looks along +x [m]; `side`: its extents [m]."""
    x, y, z = face
    front = x + STANDS_OUT
    box = SolidBox("switch", (front - _THICK / 2, y, z), (_THICK, side, side), color)
    return Part("switch", "slide", (front, y, z), (-1.0, 0.0, 0.0), TRAVEL, (box,), (front, y, z), (0.0, 1.0, 0.0),
                mass=0.02, friction=0.05, damping=3.0, spring=_SPRING)
