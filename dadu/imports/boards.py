"""Things put onto the boards of a piece of furniture, as near as can be to where another's file has them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from dadu.core.geometry import wrap
from dadu.house.format import Furniture, Object
from dadu.house.furniture.model import Deck
from dadu.house.furniture.pieces import furniture_model
from dadu.house.placement import LEVEL, Occupied, half_extents, standing_on
from dadu.imports.drafts import DraftPiece, DraftThing
from dadu.imports.report import ImportReport
from dadu.imports.sizes import object_fields

_STEP = 0.02
"""of the places that are tried round the wanted one [m]"""
_SAID = 0.01
"""less than this is no change worth saying [m]"""
_HEADROOM = 0.01


class Boards:
    """Of one piece, and what stands on them so far."""

    def __init__(self, piece: Furniture, others: Sequence[Furniture], report: ImportReport) -> None:
        self._piece, self._report = piece, report
        self._decks = furniture_model(piece).decks
        taken = standing_on((piece, *others))
        self._occupied = {deck.name: taken.get((piece.name, deck.name), Occupied()) for deck in self._decks}

    def put(self, thing: DraftThing, name: str) -> Iterator[Object]:
        """The object, or none where there is no room for it."""
        size, turn, said = object_fields(thing)
        yaw = wrap(turn - self._piece.pose2.yaw)
        found = self._place(thing, half_extents(size, yaw), size[2])
        if found is None:
            self._report.leave_out(thing.source, "objects", "no room left on or in its furniture")
            return
        deck, spot = found
        yield Object.model_validate({
            "name": name, "in" if deck.inside else "on": self._piece.name,
            "at": (round(spot[0], 4), round(spot[1], 4)), "surface": deck.name, "yaw": round(yaw, 4), **said})

    def stand(self, raised: DraftPiece) -> float | None:
        """Moves a piece of furniture to where it stands on this one; the height there [m], or None without room."""
        yaw = raised.pose.yaw - self._piece.pose2.yaw
        found = self._place(raised, half_extents(raised.size, yaw), raised.size[2], shut=False)
        if found is None:
            return None
        deck, spot = found
        raised.move(self._piece.pose2.apply(spot) - np.array(raised.pose[:2]))
        return deck.height

    def _place(self, item: DraftThing | DraftPiece, half: tuple[float, float], height: float, shut: bool = True
               ) -> tuple[Deck, tuple[float, float]] | None:
        """The board and the place on it with room that are nearest to the item's own; `shut`: in drawers, too."""
        wanted = self._piece.pose2.inverse().apply(item.pose[:2])
        fitting = [d for d in self._decks if d.clearance > height + _HEADROOM and (shut or not d.inside)]
        places = [(deck, spot) for deck in fitting if (spot := self._nearest(deck, wanted, half)) is not None]
        if not places:
            return None
        deck, spot = min(places, key=lambda p: abs(p[0].height - item.bottom) + math.dist(p[1], wanted))
        self._occupied[deck.name].items.append((spot, half))
        moved = math.dist(spot, wanted)
        if moved > _SAID:
            self._report.change(item.source, "objects moved to where there is room", moved)
        if abs(deck.height - item.bottom) > 2 * _SAID:
            self._report.change(item.source, "objects raised or lowered to a board", deck.height - item.bottom)
        return deck, spot

    def _nearest(self, deck: Deck, wanted: np.ndarray, half: tuple[float, float]) -> tuple[float, float] | None:
        room = np.maximum(np.array(deck.size) / 2 - half, 0.0)
        low, high = np.array(deck.centre) - room, np.array(deck.centre) + room
        grid = [np.unique(np.clip([*np.arange(a, b, _STEP), b, w], a, b))
                for a, b, w in zip(low, high, wanted, strict=True)]
        spots = np.stack(np.meshgrid(*grid, indexing="ij"), axis=-1).reshape(-1, 2)
        # What stands on one board reaches over to the next one round the corner.
        level = [self._occupied[d.name] for d in self._decks if abs(d.height - deck.height) < LEVEL]
        for x, y in spots[np.argsort(np.linalg.norm(spots - wanted, axis=1), kind="stable")]:
            if all(there.free((float(x), float(y)), half, 0.0) for there in level):
                return float(x), float(y)
        return None
