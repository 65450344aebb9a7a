"""``kinds.yaml``, typed."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from dadu.core.config import Settings, load
from dadu.house.catalogue import Size


class FurnitureKind(Settings):
    category: str
    aliases: tuple[str, ...] = ()
    inside: bool = False
    both: bool = False
    also: tuple[str, ...] = ()
    within: float = 0.05
    """[m]"""
    size: Size | None = None


class AlfredKinds(Settings):
    """Their classes in our words."""

    furniture: dict[str, FurnitureKind]
    same: dict[str, str]
    lamps: tuple[str, ...]
    rooms: dict[int, str]
    vessels: dict[str, Size]

    def room(self, floor_plan: str) -> str:
        """Category of a scene's room."""
        number = int(floor_plan.removeprefix("FloorPlan"))
        return self.rooms[max((first for first in self.rooms if first <= number), default=min(self.rooms))]


@cache
def kinds() -> AlfredKinds:
    return load(AlfredKinds, Path(__file__).with_name("kinds.yaml"))


def snake_case(kind: str) -> str:
    """``TVStand`` -> ``tvstand``, ``CoffeeTable`` -> ``coffee_table``"""
    return "".join(f"_{c.lower()}" if c.isupper() and i and not kind[i - 1].isupper() else c.lower()
                   for i, c in enumerate(kind))
