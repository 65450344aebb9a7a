"""Doors and drawers of furniture that nobody told of, from the handles that were seen on it.

That a kind of furniture opens is common sense; where, its handles say. Bars of one piece are gathered over the pictures
that show it shut; those that several pictures show before one face make its parts (`dadu.memory.association.openings`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.optimize import linear_sum_assignment

from dadu.core.geometry import vector3
from dadu.memory.association.openings import bars_of, fronted
from dadu.memory.association.states import PICTURES
from dadu.world.bars import HandleBar
from dadu.world.detection import Detection
from dadu.world.graph import Entity

SHARE = 0.15
"""...and of the pictures that show the bar seen most"""
SAME = 0.15
"""between where a bar was seen and where it is seen now, at most: the map was still drifting [m]"""
ONE_FACE = 0.06
"""between the planes of bars of one face [m]"""
ALIKE = np.cos(np.radians(12.0))
"""of two normals of one face"""
_STEADY = 8.0
"""newer pictures count as much as so many older ones together: of two maps the later is better"""
_MOVED = 0.01
"""less does not change what is known of a part [m]"""


@dataclass
class _SeenBar:
    """One bar, over pictures."""

    bar: HandleBar
    """mean of them"""
    weight: float = 1.0
    pictures: int = 1

    def add(self, bar: HandleBar) -> None:
        """One picture more. The face reaches as far as any of them has shown."""
        share = 1.0 / (self.weight + 1.0)
        normal = (1 - share) * np.array(self.bar.normal) + share * np.array(bar.normal)
        self.bar = replace(
            bar, centre=vector3((1 - share) * np.array(self.bar.centre) + share * np.array(bar.centre)),
            normal=vector3(normal / np.linalg.norm(normal)),
            length=max(self.bar.length, bar.length),
            left=max(self.bar.left, bar.left), right=max(self.bar.right, bar.right))
        self.weight = min(self.weight + 1.0, _STEADY)
        self.pictures += 1


@dataclass
class ArticulationEstimator:
    """What was seen of the fronts of furniture, by its id."""

    _seen: dict[str, list[_SeenBar]] = field(default_factory=dict)
    _stuck: dict[str, set[str]] = field(default_factory=dict)
    """doors that did not turn about the side that they seemed to be hinged on, by their furniture's id"""

    def see(self, piece: Entity, detection: Detection, hand: np.ndarray | None) -> Entity:
        """The found piece with the parts that its bars show. Where one stands open, or the `hand` (3,) [m, map] is at
        it, bars are not where they belong."""
        if not detection.bars or piece.provenance != "detection" or not all(part.closed for part in piece.parts):
            return piece
        if hand is not None and any(np.linalg.norm(hand - bar.centre) < 0.4 for bar in detection.bars):
            return piece
        known = self._seen.setdefault(piece.id, _recalled(piece))
        for bar in _unmatched(known, detection.bars):
            known.append(_SeenBar(bar))
        bars = believed(known)
        known_already = len(piece.parts) == len(bars) and all(
            min(np.linalg.norm(np.subtract(part.handle, bar.centre)) for part in piece.parts) <= _MOVED for bar in bars)
        return piece if known_already else self._fronted(piece, bars)

    def did_not_open(self, piece: Entity, door: str) -> Entity:
        """The found piece with `door` hinged on its other side, as far as it can be, until that does not open either:
        what was seen of its front may have been too little."""
        bars = believed(self._seen.setdefault(piece.id, _recalled(piece)))
        if piece.provenance != "detection" or not bars:
            return piece
        self._stuck.setdefault(piece.id, set()).symmetric_difference_update({door})
        return self._fronted(piece, bars)

    def _fronted(self, piece: Entity, bars: Sequence[HandleBar]) -> Entity:
        return fronted(piece, bars, self._stuck.get(piece.id, ()))


def _recalled(piece: Entity) -> list[_SeenBar]:
    """The bars that the parts of a piece, known from before this process began, were made of."""
    return [_SeenBar(bar, pictures=PICTURES) for bar in bars_of(piece)]


def _unmatched(known: Sequence[_SeenBar], bars: Sequence[HandleBar]) -> list[HandleBar]:
    """Those of a picture's bars that were not seen before; the others are added to what was `known`."""
    if not known:
        return list(bars)
    apart = np.array([[_apart(old.bar, bar) for bar in bars] for old in known])
    matched = {int(j): int(i) for i, j in zip(*linear_sum_assignment(np.minimum(apart, 1.0)), strict=True)
               if apart[i, j] < SAME}
    for j, i in matched.items():
        known[i].add(bars[j])
    return [bar for j, bar in enumerate(bars) if j not in matched]


def _apart(a: HandleBar, b: HandleBar) -> float:
    """[m]; infinite where they cannot be one."""
    if a.upright != b.upright or np.dot(a.normal, b.normal) < ALIKE:
        return np.inf
    return float(np.linalg.norm(np.subtract(a.centre, b.centre)))


def believed(seen: Sequence[_SeenBar]) -> list[HandleBar]:
    """The bars of the one face that most pictures show."""
    if not seen:
        return []
    most = max(seen, key=lambda s: s.pictures)
    least = max(PICTURES, SHARE * most.pictures)
    return [s.bar for s in seen if s.pictures >= least and np.dot(s.bar.normal, most.bar.normal) >= ALIKE
            and abs(np.dot(np.subtract(s.bar.centre, most.bar.centre), most.bar.normal)) < ONE_FACE]
