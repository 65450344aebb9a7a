"""Shapes as data: ``data/shapes/*.yaml``, each a list of pieces in centimetres."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import Field, NonNegativeFloat, PositiveFloat, model_validator

from dadu.core.config import Settings, parse, read_yaml
from dadu.core.errors import ConfigError, choices

Extents = tuple[PositiveFloat, PositiveFloat, PositiveFloat]
Ring = tuple[PositiveFloat, float]
"""diameter and height"""

_DATA = Path(__file__).parents[1] / "data" / "shapes"


class Barrel(Settings):
    """A hollow round of upright boards, with a floor unless that is left out."""

    diameter: PositiveFloat
    """at the rim"""
    height: PositiveFloat
    wall: PositiveFloat
    flare: NonNegativeFloat = 0.0
    """lean of the boards outwards [deg]"""
    floor: bool = True
    boards: Annotated[int, Field(ge=6)] = 16


class Crate(Settings):
    """A box open above."""

    size: Extents
    wall: PositiveFloat


class Piece(Settings):
    """One piece of a shape; exactly one of its forms is given. Lengths in cm, angles in degrees."""

    box: Extents | None = None
    rounded: Extents | None = None
    wedge: Extents | None = None
    ellipsoid: Extents | None = None
    sphere: PositiveFloat | None = None
    cylinder: tuple[PositiveFloat, PositiveFloat] | None = None
    """diameter, height"""
    hexagon: tuple[PositiveFloat, PositiveFloat] | None = None
    """across its corners, height"""
    lathe: Annotated[tuple[Ring, ...], Field(min_length=2)] | None = None
    staves: Barrel | None = None
    crate: Crate | None = None
    at: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """centre; of lathe, staves and crate: where their z = 0 is"""
    turn: float = 0.0
    lean: float = 0.0
    round: PositiveFloat = 0.3
    """share of a rounded box's half extents"""
    mirror: Annotated[str, Field(pattern="^(x|y|xy|)$")] = ""
    color: str = "body"
    eye: bool = False
    lit: str = ""
    """colour while it shines, of a piece that does when the thing is switched on"""

    @property
    def form(self) -> str:
        """Which of its forms is given."""
        return next(name for name in FORMS if getattr(self, name) is not None)

    @model_validator(mode="after")
    def _one_form(self) -> Piece:
        given = [name for name in FORMS if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(f"give exactly one of {choices(FORMS)}")
        return self


FORMS = ("box", "rounded", "wedge", "ellipsoid", "sphere", "cylinder", "hexagon", "lathe", "staves", "crate")


@cache
def shape_pieces() -> Mapping[str, tuple[Piece, ...]]:
    """All shapes by name. Errors: ConfigError naming file and shape."""
    table: dict[str, tuple[Piece, ...]] = {}
    for path in sorted(_DATA.glob("*.yaml")):
        for name, pieces in read_yaml(path).items():
            if name in table:
                raise ConfigError(f"{path}: {name}: is in another file of this folder already")
            table[name] = tuple(parse(Piece, piece, f"{path}: {name}.{i}") for i, piece in enumerate(pieces))
    return table
