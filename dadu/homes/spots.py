"""Candidate spots for a piece of furniture, the best first: against walls, in corners, or by another piece."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from dadu.homes.floor_space import BACK, FloorSpace, FloorSpot, spot
from dadu.homes.front_clearance import FrontClearance
from dadu.homes.preferences import PieceWish, WallPosition
from dadu.house.catalogue import Size
from dadu.house.format import Furniture
from dadu.house.furniture.pieces import size_of

_T = TypeVar("_T")
_STEP = 0.1
_SLIVER = (0.03, 0.6)
"""a gap between these beside a piece is of no use to anybody [m]"""


@dataclass(frozen=True)
class Reference:
    """What another piece goes by."""

    piece: Furniture

    @property
    def size(self) -> Size:
        return size_of(self.piece)

    @property
    def quarter(self) -> int:
        """Its yaw in right angles."""
        return round(self.piece.pose[2] / (math.pi / 2)) % 4


@dataclass(frozen=True)
class Order:
    """A piece to be placed."""

    wish: PieceWish
    size: Size
    clearance: FrontClearance
    by: Reference | None = None

    @property
    def reference(self) -> Reference:
        """What the piece goes by. Errors: ValueError where the wish names nothing."""
        if self.by is None:
            raise ValueError(f"{', '.join(self.wish.category)}: {self.wish.where.value} what? `of` has to say")
        return self.by


def spots(order: Order, space: FloorSpace, rng: np.random.Generator) -> Iterator[FloorSpot]:
    """Every place that comes into question; those that fit are for the caller to find."""
    yield from _KINDS[order.wish.where](order, space, rng)
    if order.wish.otherwise is not None:
        yield from _KINDS[order.wish.otherwise](order, space, rng)


def _wall_spots(order: Order, space: FloorSpace, rng: np.random.Generator) -> Iterator[FloorSpot]:
    """Along all walls, ends of walls preferred over gaps that nobody can use."""
    yield from _sorted(_spots_along_walls(order, space), order, space, rng, corner=1.0)


def _corner_spots(order: Order, space: FloorSpace, rng: np.random.Generator) -> Iterator[FloorSpot]:
    yield from _sorted(_spots_along_walls(order, space), order, space, rng, corner=4.0)


def _sorted(candidates: Iterator[tuple[FloorSpot, int]], order: Order, space: FloorSpace, rng: np.random.Generator,
            corner: float) -> list[FloorSpot]:
    priced = []
    for place, quarter in candidates:
        if not space.fits(place):
            continue
        gaps = space.gaps(place, quarter)
        slivers = sum(_SLIVER[0] < gap < _SLIVER[1] for gap in gaps)
        priced.append((slivers + corner * (min(gaps) > _SLIVER[0]) + rng.random(), place))
    return [place for _, place in sorted(priced, key=lambda pair: pair[0])]


def _spots_along_walls(order: Order, space: FloorSpace) -> Iterator[tuple[FloorSpot, int]]:
    (x0, y0), (x1, y1) = space.area.low, space.area.high
    depth, width = order.size[:2]
    for quarter, (low, high) in enumerate(((y0, y1), (x0, x1), (y0, y1), (x0, x1))):
        first, last = low + width / 2 + BACK, high - width / 2 - BACK
        if last < first:
            continue
        for along in _stops(first, last, width / 2, space.ends(1 if quarter % 2 == 0 else 0)):
            out = depth / 2 + BACK
            x, y = ((x0 + out, along), (along, y0 + out), (x1 - out, along), (along, y1 - out))[quarter]
            yield spot(x, y, quarter, order.size, order.clearance), quarter


def _stops(first: float, last: float, half: float, ends: list[float]) -> list[float]:
    """Places along a wall: at its ends, flush with what stands there, and every so often."""
    flush = (round(end + side * half, 4) for end in ends for side in (-1, 1))
    return sorted({*np.arange(first, last, _STEP).round(4).tolist(), round(last, 4),
                   *(place for place in flush if first <= place <= last)})


def _middle_spots(order: Order, space: FloorSpace, rng: np.random.Generator) -> Iterator[FloorSpot]:
    (x0, y0), (x1, y1) = space.area.low, space.area.high
    centre = space.area.centre
    places = [(math.dist((x, y), centre) + 0.3 * rng.random(), spot(float(x), float(y), q, order.size, order.clearance))
              for q in (0, 1) for x in np.arange(x0, x1, 0.2).round(3) for y in np.arange(y0, y1, 0.2).round(3)]
    yield from (place for _, place in sorted(places, key=lambda pair: pair[0]) if space.fits(place))


def _spots_beside(order: Order, space: FloorSpace, rng: np.random.Generator) -> Iterator[FloorSpot]:
    """Left or right of the reference, backs in line."""
    out = (order.size[0] - order.reference.size[0]) / 2
    aside = (order.size[1] + order.reference.size[1]) / 2 + order.wish.gap
    for side in _shuffled((-1, 1), rng):
        yield _spot_at_reference(order, out, side * aside, 0)


def _spots_in_front(order: Order, space: FloorSpace, rng: np.random.Generator) -> Iterator[FloorSpot]:
    """In front of the reference, facing it; off its middle too, where it is wide."""
    out = (order.size[0] + order.reference.size[0]) / 2 + order.wish.gap
    slack = max(0.0, (order.reference.size[1] - order.size[1]) / 2)
    sideways = [0.0] if order.wish.gap > 0.3 else _shuffled((-slack, slack, 0.0), rng)
    for aside in sideways:
        yield _spot_at_reference(order, out, aside, 2)


def _opposite(order: Order, space: FloorSpace, rng: np.random.Generator) -> Iterator[FloorSpot]:
    """Against the wall that the reference faces, as level with it as may be."""
    quarter = order.reference.quarter
    axis = 1 if quarter % 2 == 0 else 0
    level = order.reference.piece.pose[axis]
    places = [(abs(place.pose[axis] - level), place) for place, q in _spots_along_walls(order, space)
              if q == (quarter + 2) % 4]
    yield from (place for off, place in sorted(places, key=lambda pair: pair[0]) if off < 1.2)


def _spots_around(order: Order, space: FloorSpace, rng: np.random.Generator) -> Iterator[FloorSpot]:
    """On both long sides of the reference, facing it."""
    depth, width = order.reference.size[:2]
    out = (depth + order.size[0]) / 2 + order.wish.gap
    seats = (-width / 4, width / 4) if width > 2 * order.size[1] + 0.2 else (0.0,)
    for side, aside in _shuffled([(side, aside) for side in (0, 2) for aside in seats], rng):
        yield _spot_at_reference(order, out if side == 0 else -out, aside, 2 - side)


def _spot_at_reference(order: Order, out: float, aside: float, turn: int) -> FloorSpot:
    """At `out`, `aside` [m] in the reference's frame, turned against it by `turn` right angles."""
    x, y = order.reference.piece.pose2.apply([out, aside])
    return spot(float(x), float(y), order.reference.quarter + turn, order.size, order.clearance)


def _shuffled(items: Sequence[_T], rng: np.random.Generator) -> list[_T]:
    return [items[i] for i in rng.permutation(len(items))]


_KINDS: dict[WallPosition, Callable[[Order, FloorSpace, np.random.Generator], Iterator[FloorSpot]]] = {
    WallPosition.wall: _wall_spots, WallPosition.corner: _corner_spots, WallPosition.centre: _middle_spots,
    WallPosition.beside: _spots_beside,
    WallPosition.before: _spots_in_front, WallPosition.opposite: _opposite, WallPosition.around: _spots_around,
}
