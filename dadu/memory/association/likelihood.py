"""How much likelier two sightings are of one thing than of two: all that speaks for or against it, in one number.

A log-likelihood ratio in nats, the sum of its terms: place, the room that both would fill, size, names, look, colour. A
detection and a known thing, two parts of one thing in a picture, two entries that may be doubles, and what turns up
elsewhere are all compared by it. The figures were chosen by how pairs of sightings differ that a learned
detector made, of one thing and of neighbours within half a metre. Over four recorded episodes a logistic regression on
these terms (``python -m bench.association pairs DIR``) tells 98 of 100 of either right; its weights: place 1.1, room
1.3, names 0.6, look 0.35, size -0.3. Look and size count more here, so that what stands in a thing, or a mask of all
that is about it, is not taken for it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dadu.memory.association.labels import Labels
from dadu.world.detection import Detection
from dadu.world.graph import Entity

AT_PLACE, SIGMA = 2.1, 0.05
"""ratio where nothing lies between both places, and the standard deviation of these [m]"""
MOVED, STILL, AROUND = 0.05, 1e-3, 0.3
"""chance that a thing was pushed a little while nobody looked, or has been all the same; and how far then [m]"""
ONE_ROOM = 0.95
"""chance that two things are not inside each other, where their boxes are"""
NAMES = 50.0
"""names among which a neighbour's is found: things of one kind stand together more often than chance has it"""
NEVER = 1e-4
"""chance that a detector errs which is sure"""
LOOK, EVEN = 5.0, 0.5
"""ratio by unit of the cosine of two embeddings, and where it says nothing"""
WITH_LOOK = 0.5
"""names are chosen by the embedding: where that is compared, they have little more to say"""
LARGER, SMALLER = 0.35, 0.7
"""standard deviations of the logarithm of size: masks take in a little of what is about a thing; parts are hidden"""
OTHER_COLOUR = -3.5
_RIM = 0.01
"""by which boxes are off, each way [m]"""
_WHEEL = ("red", "orange", "yellow", "green", "teal", "blue", "purple", "pink")


@dataclass(frozen=True)
class Features:
    """What is compared, of a detection or of a known thing."""

    centre: np.ndarray
    """(3,) [m, map]"""
    size: np.ndarray
    """(3,) [m], along the axes of the map"""
    names: Mapping[str, float]
    """how likely each is; what is left of 1 is any other"""
    look: np.ndarray | None = None
    """embedding (D,) of unit length; None where there is none"""
    color: str = ""
    cut: bool = False
    """by the picture's border"""


def seen(detection: Detection) -> Features:
    """Of what one picture shows."""
    return Features(detection.centroid, detection.size, detection.names,
                      detection.embedding, detection.attributes.get("color", ""), detection.truncated)


def remembered(entity: Entity, labels: Labels) -> Features:
    """Of a known thing, all views of it together."""
    low, high = entity.bounds()
    return Features((low + high) / 2, high - low, labels.shares(entity), labels.look(entity.id),
                      entity.attributes.get("color", ""))


def same_thing(a: Features, b: Features) -> float:
    """Of what is seen, `a`, and what is known, `b`, neither of which has been moved."""
    boxes = a.centre, a.size, b.centre, b.size
    here = at_place(gap(*boxes), SIGMA, STILL) + in_one_room(*boxes)
    return float(here) + likeness(a, b)


def likeness(a: Features, b: Features) -> float:
    """Of what is seen, `a`, and what is known, `b`, wherever they are."""
    names, looks = name_ratio(a.names, b.names), 0.0
    if a.look is not None and b.look is not None and a.look.shape == b.look.shape:
        looks = LOOK * (float(a.look @ b.look) - EVEN)
        names *= WITH_LOOK if names > math.log(2 * NEVER) else 1.0  # who is sure, is
    return names + looks + size_ratio(a, b) + OTHER_COLOUR * _differ(a.color, b.color)


def gap(centre: np.ndarray, size: np.ndarray, known_centre: np.ndarray, known_size: np.ndarray) -> np.ndarray:
    """From where something seen is to where it could be a part of what is known [m], (...) of (..., 3): what is seen of
    a thing lies within it."""
    slack = np.maximum(known_size - size, 0.0) / 2
    away: np.ndarray = np.linalg.norm(np.maximum(np.abs(centre - known_centre) - slack, 0.0), axis=-1)
    return away


def at_place(gap: np.ndarray, sigma: np.ndarray | float, moved: np.ndarray | float) -> np.ndarray:
    """Of two places `gap` [m] apart, (...), known to `sigma` [m], of something that was `moved` with that chance; float
    (...). Where a place is hardly known, it says nothing of what is near."""
    near = np.maximum(AT_PLACE - 3 * np.log(np.divide(sigma, SIGMA)), 0.0) - 0.5 * (gap / sigma) ** 2
    ratio: np.ndarray = np.logaddexp(np.log1p(-moved) + near, np.log(moved) - 0.5 * (gap / AROUND) ** 2)
    return ratio


def in_one_room(centre: np.ndarray, size: np.ndarray, known_centre: np.ndarray, known_size: np.ndarray) -> np.ndarray:
    """Two things cannot fill the same room: by the share of the smaller box that lies in the other; (...) of centres
    and sizes (..., 3) [m, map]."""
    low = np.maximum(centre - size / 2, known_centre - known_size / 2) - _RIM
    high = np.minimum(centre + size / 2, known_centre + known_size / 2) + _RIM
    smaller = np.minimum((size + 2 * _RIM).prod(axis=-1), (known_size + 2 * _RIM).prod(axis=-1))
    share = np.minimum(np.maximum(high - low, 0.0).prod(axis=-1) / smaller, 1.0)
    ratio: np.ndarray = -np.log1p(-ONE_ROOM * share)
    return ratio


def name_ratio(a: Mapping[str, float], b: Mapping[str, float]) -> float:
    """Of the same name being drawn twice rather than two: a name that is not said is any of the others."""
    both = sum(chance * b[name] for name, chance in a.items() if name in b)
    return math.log(max(NAMES * both + 1.0 - min(sum(a.values()), 1.0) * min(sum(b.values()), 1.0), NEVER))


def size_ratio(a: Features, b: Features) -> float:
    """Of what is seen, `a`, being as large as what is known, `b`."""
    if not b.size.any():
        return 0.0
    larger = math.log(max(float(a.size.max()), _RIM) / max(float(b.size.max()), _RIM))
    if larger < 0 and a.cut:
        return 0.0
    return -0.5 * (larger / (LARGER if larger > 0 else SMALLER)) ** 2


def _differ(a: str, b: str) -> bool:
    """Two or more steps apart on the wheel. Neighbours, neutrals and brown change into each other with the light; names
    beside these cannot be compared."""
    if a not in _WHEEL or b not in _WHEEL:
        return False
    apart = abs(_WHEEL.index(a) - _WHEEL.index(b))
    return min(apart, len(_WHEEL) - apart) >= 2
