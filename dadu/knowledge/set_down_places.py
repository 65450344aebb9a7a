"""Where a thing can be set down for want of a better place."""

from __future__ import annotations

from dadu.knowledge.vocabulary import Vocabulary
from dadu.world.graph import Entity, Kind, WorldGraph

LEVEL = (0.35, 1.0)
"""heights of surfaces that arms get at with ease [m]"""
_HEADROOM = 0.4
"""free height over them [m]"""
_UNSUITED = ("seat", "bed", "sink", "washbasin", "bathtub")
_HOT = "heat"


def is_handy(piece: Entity, vocabulary: Vocabulary) -> bool:
    """True if furniture has a free top at a table's height and is meant for things: no seat, no bed, no sink, no
    stove."""
    level = any(LEVEL[0] <= s.height <= LEVEL[1] and not s.inside and s.clearance > _HEADROOM for s in piece.surfaces)
    return level and not vocabulary.has_affordance(piece.category, _HOT) and not any(
        vocabulary.is_a(piece.category, word) for word in _UNSUITED)


def places_to_set_down(graph: WorldGraph, vocabulary: Vocabulary) -> list[Entity]:
    """Furniture on which a thing stands well; where there is none such, all that has a top."""
    tops = [e for e in graph.of(Kind.FURNITURE) if any(not s.inside for s in e.surfaces)]
    return [piece for piece in tops if is_handy(piece, vocabulary)] or tops
