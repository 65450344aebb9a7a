"""Things put onto the boards of a piece of furniture, as near as can be to where another's file has them."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from dadu.core.geometry import wrap
from dadu.house.format import Furniture, Object
from dadu.house.furniture.model import Deck
from dadu.house.furniture.pieces import furniture_model
from dadu.house.placement import Occupied, half_extents
from dadu.imports.drafts import DraftThing
from dadu.imports.report import ImportReport

_STEP = 0.02
"""of the places that are tried round the wanted one [m]"""
_SAID = 0.01
"""less than this is no change worth saying [m]"""
_HEADROOM = 0.01


class Boards:
    """Of one piece, and what stands on them so far."""

    def __init__(self, piece: Furniture, report: ImportReport) -> None:
        self._piece, self._report = piece, report
        self._decks = furniture_model(piece).decks
        self._occupied = {deck.name: Occupied() for deck in self._decks}

    def put(self, thing: DraftThing, name: str) -> Iterator[Object]:
        """The object, or none where there is no room for it."""
        local = self._piece.pose2.inverse()
        wanted = local.apply(thing.pose[:2])
        yaw = wrap(thing.pose.yaw - self._piece.pose2.yaw)
        half = half_extents(thing.size, yaw)
        fitting = [deck for deck in self._decks if deck.clearance > thing.size[2] + _HEADROOM]
        for deck in sorted(fitting, key=lambda deck: abs(deck.height - thing.bottom)):
            spot = self._nearest(deck, wanted, half)
            if spot is None:
                continue
            self._occupied[deck.name].items.append((spot, half))
            self._say(thing, deck, math.dist(spot, wanted))
            yield Object.model_validate({
                "name": name, "category": thing.category, "in" if deck.inside else "on": self._piece.name,
                "at": (round(spot[0], 4), round(spot[1], 4)), "surface": deck.name, "yaw": round(yaw, 4),
                "size": thing.size, "shape": thing.shape})
            return
        reason = "no room left on or in its furniture" if fitting else "its furniture has no board with room for it"
        self._report.leave_out(thing.source, "objects", reason)

    def _nearest(self, deck: Deck, wanted: np.ndarray, half: tuple[float, float]) -> tuple[float, float] | None:
        room = np.maximum(np.array(deck.size) / 2 - half, 0.0)
        low, high = np.array(deck.centre) - room, np.array(deck.centre) + room
        grid = [np.unique(np.clip([*np.arange(a, b, _STEP), b, w], a, b))
                for a, b, w in zip(low, high, wanted, strict=True)]
        spots = np.stack(np.meshgrid(*grid, indexing="ij"), axis=-1).reshape(-1, 2)
        for x, y in spots[np.argsort(np.linalg.norm(spots - wanted, axis=1), kind="stable")]:
            if self._occupied[deck.name].free((float(x), float(y)), half, 0.0):
                return float(x), float(y)
        return None

    def _say(self, thing: DraftThing, deck: Deck, moved: float) -> None:
        if moved > _SAID:
            self._report.change(thing.source, "objects moved to where there is room", moved)
        if abs(deck.height - thing.bottom) > 2 * _SAID:
            self._report.change(thing.source, "objects raised or lowered to a board", deck.height - thing.bottom)
