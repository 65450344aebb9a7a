"""Which detection is which remembered thing: one to one, within gates (global nearest neighbour)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from dadu.world.detection import Detection
from dadu.world.graph import UNIDENTIFIED, Entity

COLOR_PENALTY = 0.15
"""a colour that differs counts as much as this distance [m]"""

_WHEEL = ("red", "orange", "yellow", "green", "teal", "blue", "purple", "pink")
_FORBIDDEN = 1e6


def assign(detections: Sequence[Detection], entities: Sequence[Entity],
           places: Mapping[str, tuple[np.ndarray, float]]) -> dict[int, Entity]:
    """The entity of each detection that has one, by the detection's index.

    `places` gives, by id, where an entity is expected (3,) [m] and within what distance [m].
    """
    if not detections or not entities:
        return {}
    from scipy.optimize import linear_sum_assignment  # 0.2 s that a planner does not need
    cost = np.array([[_cost(d, e, *places[e.id]) for e in entities] for d in detections])
    rows, columns = linear_sum_assignment(cost)
    return {int(r): entities[c] for r, c in zip(rows, columns, strict=True) if cost[r, c] < _FORBIDDEN}


def _cost(detection: Detection, entity: Entity, expected: np.ndarray, gate: float) -> float:
    if entity.category not in (detection.label, UNIDENTIFIED):
        return _FORBIDDEN
    distance = float(np.linalg.norm(detection.centroid - expected))
    if distance > gate:
        return _FORBIDDEN
    return distance + COLOR_PENALTY * colors_differ(detection.attributes, entity.attributes)


def colors_differ(a: Mapping[str, str], b: Mapping[str, str]) -> bool:
    """True if two things certainly differ in colour: two or more steps apart on the wheel. Neighbours, neutrals and
    brown change into each other with the light; names beside these cannot be compared."""
    first, second = a.get("color", ""), b.get("color", "")
    if first not in _WHEEL or second not in _WHEEL:
        return False
    apart = abs(_WHEEL.index(first) - _WHEEL.index(second))
    return min(apart, len(_WHEEL) - apart) >= 2


def same_kind(detection: Detection, entity: Entity) -> bool:
    """True if a detection elsewhere could be this thing: category, colour, and size within a factor of two."""
    if detection.label != entity.category or colors_differ(detection.attributes, entity.attributes):
        return False
    largest = max(entity.size)
    return largest == 0 or 0.5 <= max(detection.size) / largest <= 2.0
