"""A thing's size and turn here: the catalogue's shapes lie with their long side along x."""

from __future__ import annotations

import math
from typing import Any

from dadu.core.geometry import wrap
from dadu.house.catalogue import Size, object_categories
from dadu.imports.drafts import DraftThing

_ROUND = 1.1
"""sides that differ by less than this factor are alike"""


def object_fields(thing: DraftThing) -> tuple[Size, float, dict[str, Any]]:
    """Its size [m] and yaw [rad], long side where the catalogue's shape has it, and what its entry in a house file says
    beside its place."""
    (x, y, z), yaw, category = thing.size, thing.pose.yaw, object_categories().get(thing.category)
    if category is not None:
        length, width = category.size[:2]
        if length > _ROUND * width and y > x or width > _ROUND * length and x > y:
            x, y, yaw = y, x, wrap(yaw + math.pi / 2)
    said = {"category": thing.category, "size": (x, y, z)}
    return (x, y, z), yaw, said if category is not None else said | {"shape": thing.shape or "box"}
