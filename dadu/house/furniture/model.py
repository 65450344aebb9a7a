"""What a piece of furniture is made of, in its own frame: origin on the floor under its centre, front along +x."""

from __future__ import annotations

from dataclasses import dataclass

from dadu.core.geometry import Vector3


@dataclass(frozen=True)
class SolidBox:
    """One upright box, or what fills it: see `shape`."""

    name: str
    """unique within the furniture"""
    centre: Vector3
    """[m]"""
    size: Vector3
    """full extents [m]"""
    color: str
    finish: str = "paint"
    """surface look, see `dadu.sim.mujoco.scene.textures.FINISHES`"""
    shape: str = "box"
    """``box`` or ``cylinder`` (upright, as wide as deep)"""
    lit: str = ""
    """colour while it shines, where it does so when the furniture is switched on"""


@dataclass(frozen=True)
class Deck:
    """A level rectangle where things can stand."""

    name: str
    centre: tuple[float, float]
    """[m]"""
    height: float
    size: tuple[float, float]
    """extent along x and y [m]"""
    clearance: float
    """free height above [m]"""
    inside: bool = False
    part: str = ""
    """the part that gives access to it; a drawer carries it along"""


@dataclass(frozen=True)
class Part:
    """A hinged or sliding part, described as closed. Boxes are in the furniture's frame, not the part's."""

    name: str
    kind: str
    """``hinge`` or ``slide``"""
    origin: Vector3
    """a point of the axis [m]"""
    axis: Vector3
    """unit vector; positive values open"""
    range: float
    """fully open [rad or m]"""
    boxes: tuple[SolidBox, ...]
    handle: Vector3
    """centre of the bar [m]"""
    handle_axis: Vector3
    """along the bar"""
    mass: float
    """[kg]"""
    friction: float
    """dry friction [Nm or N]"""
    damping: float
    """[Nms/rad or Ns/m]"""
    seal: SolidBox | None = None
    """strip on the back of the closed part that sticks to the body"""
    seal_force: float = 0.0
    """what it takes to tear the seal off [N]"""
    spring: float = 0.0
    """what drives it back [N/m or Nm/rad]"""


@dataclass(frozen=True)
class FurnitureModel:
    """All of one piece."""

    boxes: tuple[SolidBox, ...]
    """the parts that stand still"""
    decks: tuple[Deck, ...] = ()
    parts: tuple[Part, ...] = ()
    switches: tuple[Part, ...] = ()
    """what is pressed to switch the piece on, and again to switch it off; at most one"""

    @property
    def moving(self) -> tuple[Part, ...]:
        """All that moves."""
        return (*self.parts, *self.switches)
