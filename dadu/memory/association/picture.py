"""One picture's assignment: which detection is which known thing, one to one, as is likeliest on the whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dadu.memory.association.likelihood import (
    AROUND,
    MOVED,
    STILL,
    Features,
    at_place,
    gap,
    in_one_room,
    likeness,
)
from dadu.memory.association.visibility import Visibility
from dadu.world.graph import Entity

HAS_MOVED = {Visibility.UNSEEN: MOVED, Visibility.OCCUPIED: 0.3, Visibility.EMPTY: 0.95}
"""chance that a thing has left its place, by what is seen there, where it is not"""
ELSEWHERE, FARTHER = -1.0, 0.05
"""ratio for what has left its place, anywhere in the home; and by how much that is less for each further metre: of two
the nearer one is it"""
IN_HAND = 1.0
"""ratio for what is seen where the hand is, beyond that of its place: it hides what else may be there"""
ASTRAY = -12.0
"""ratio of an error of localisation that all things in the picture share: less than one picture in a hundred has one,
and it is any of some 500 that differ by more than a place is known to..."""
WITNESSES = 3
"""...so that it takes so many things that agree on it"""
_NEVER = -20.0


@dataclass(frozen=True)
class Track:
    """A known thing, before a picture is taken in."""

    entity: Entity
    known: Features
    sigma: float
    """to which its place is known [m]"""
    sight: Visibility
    """what the picture shows at its place"""
    held: bool = False
    """by the hand: where that is, no map tells, but the body"""
    lost: bool = False
    """its place is not known at all"""

    @property
    def moved(self) -> float:
        """Chance that it is not where it was, if it is not found there."""
        return STILL if self.held else HAS_MOVED[self.sight]

    @property
    def anywhere(self) -> bool:
        """It may be in any other place."""
        return self.lost or self.sight is Visibility.EMPTY


def assign(seen: Sequence[Features], tracks: Sequence[Track], reach: float) -> dict[int, Track]:
    """The track of each detection that has one, by the detection's index. An error of localisation is at most `reach`
    [m]."""
    if not seen or not tracks:
        return {}
    table = _Table(seen, tracks, reach)
    best, matches = table.assigned(np.zeros(3))
    for offset in table.offsets(reach):
        total, found = table.assigned(offset)
        if total + ASTRAY > best:
            best, matches = total + ASTRAY, found
    return {i: tracks[j] for i, j in matches.items()}


def likeliest(ratios: np.ndarray) -> tuple[float, dict[int, int]]:
    """The likeliest assignment by log-likelihood ratios (detections, things), and the sum of its ratios: the column of
    each row that has one. What is likelier to be none of these has none."""
    from scipy.optimize import linear_sum_assignment  # 0.2 s that a planner does not need
    rows, columns = linear_sum_assignment(-np.maximum(ratios, 0.0))
    found = {int(i): int(j) for i, j in zip(rows, columns, strict=True) if ratios[i, j] > 0}
    return float(sum(ratios[pair] for pair in found.items())), found


class _Table:
    """Log-likelihood ratios of each detection being each track rather than a thing that nobody knows."""

    def __init__(self, seen: Sequence[Features], tracks: Sequence[Track], reach: float) -> None:
        self._boxes = _column(seen, "centre")[:, None], _column(seen, "size")[:, None]
        known = [track.known for track in tracks]
        self._known = _column(known, "centre"), _column(known, "size")
        self._sigma, self._lost, self._held, self._moved, self._away = (
            _column(tracks, name) for name in ("sigma", "lost", "held", "moved", "anywhere"))
        near = self._away | (gap(*self._boxes, *self._known) < reach + 3 * np.maximum(self._sigma, AROUND))
        self._alike = np.full(near.shape, _NEVER)
        for i, j in np.argwhere(near):
            self._alike[i, j] = likeness(seen[i], known[j])

    def assigned(self, offset: np.ndarray) -> tuple[float, dict[int, int]]:
        """`likeliest`, where all that is remembered is `offset` (3,) [m] from where it is seen."""
        centres, sizes = self._known
        places = *self._boxes, centres + np.where(self._held, 0.0, 1.0)[:, None] * offset, sizes
        gaps = gap(*places)
        here = at_place(gaps, self._sigma, self._moved) + in_one_room(*places) + IN_HAND * self._held
        elsewhere = np.log(self._moved) + ELSEWHERE - FARTHER * gaps
        either = np.where(self._away, np.logaddexp(here, elsewhere), here)
        return likeliest(self._alike + np.where(self._lost, elsewhere, either))

    def offsets(self, reach: float) -> list[np.ndarray]:
        """Errors of localisation (3,) [m] that are worth a try: those of which enough things speak."""
        offsets = self._boxes[0] - self._known[0]
        far = np.linalg.norm(offsets, axis=2)
        rows, columns = np.nonzero((self._alike > 0) & (far > AROUND / 3) & (far <= reach) & ~(self._lost | self._held))
        tries = offsets[rows, columns]
        agree = np.linalg.norm(tries[:, None] - tries[None], axis=2) <= AROUND / 3
        return [tries[k] for k, row in enumerate(agree) if len({*rows[row]}) >= WITNESSES]


def _column(things: Sequence[Features | Track], name: str) -> np.ndarray:
    return np.array([getattr(thing, name) for thing in things])
