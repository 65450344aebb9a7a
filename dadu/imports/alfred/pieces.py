"""The furniture of a scene: receptacles that belong together as one piece, and where it stands, if that is known."""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from dadu.house.catalogue import Size, furniture_category
from dadu.house.furniture.articulated import REACHABLE_TOP
from dadu.imports.alfred.kinds import FurnitureKind, kinds, snake_case
from dadu.imports.alfred.layout import Layout, Receptacle
from dadu.imports.alfred.source import Spot
from dadu.imports.report import ImportReport

_SAME = 0.3
"""two records of one class so near to each other are of the same receptacle [m]"""
_BOARD = 0.03
"""a shelf's highest board is so far below its top [m]"""


@dataclass
class ScenePiece:
    """One piece of furniture."""

    name: str
    kind: str
    """ALFRED's class"""
    size: Size
    spots: tuple[tuple[float, float, float], ...]
    """x, y [m] and height [m] of its receptacles, map; none where nothing says where it stands"""
    front: tuple[float, float] | None
    """whence it is used: (x, y) of length 1"""
    boards: tuple[float, ...] = ()

    @property
    def middle(self) -> np.ndarray:
        """(2,) map [m]"""
        return np.mean([spot[:2] for spot in self.spots], axis=0)

    @property
    def known(self) -> FurnitureKind:
        return kinds().furniture[self.kind]


def pieces_of(layout: Layout, used: Iterable[Spot], sizes: Mapping[str, Size], report: ImportReport
              ) -> list[ScenePiece]:
    """All furniture of a scene that things can be put on or in, and its lamps. `sizes` by class, where known."""
    found: list[ScenePiece] = []
    for kind, receptacles in sorted(_by_kind(layout, used).items()):
        groups = _lowered(kind, _groups(receptacles, kinds().furniture[kind].within), report)
        size = _size(kind, sizes)
        found += (_piece(f"{snake_case(kind)}_{i}", kind, size, group) for i, group in enumerate(groups))
        if len(receptacles) > len(groups):
            report.change(kind, "receptacles joined with others in one piece", len(receptacles) - len(groups), "pieces")
    placed = {piece.kind for piece in found}
    for kind in sorted({_named(kind) for kind in layout.classes} & kinds().furniture.keys() - placed):
        found.append(ScenePiece(f"{snake_case(kind)}_0", kind, _size(kind, sizes), (), None))
        report.change(kind, "pieces of furniture put where there is room: the layout does not say where", 1, "pieces")
    return found


def _by_kind(layout: Layout, used: Iterable[Spot]) -> dict[str, list[Receptacle]]:
    """Of the layout, and of demonstrations where the layout has none there."""
    found: dict[str, list[Receptacle]] = defaultdict(list)
    for one in (*layout.receptacles, *(Receptacle(spot, None) for spot in used)):
        kind = _named(one.spot.kind)
        if kind in kinds().furniture and all(math.dist(one.spot.at, o.spot.at) > _SAME for o in found[kind]):
            found[kind].append(one)
    return found


def _groups(receptacles: list[Receptacle], within: float) -> list[list[Receptacle]]:
    """Each so small that all its members are within a distance of each other, seen from above."""
    groups: list[list[Receptacle]] = []
    for one in sorted(receptacles, key=lambda one: one.spot.at[::2]):
        near = (g for g in groups if all(math.dist(one.spot.at[::2], o.spot.at[::2]) <= within for o in g))
        group = next(near, None)
        if group is None:
            groups.append([one])
        else:
            group.append(one)
    return groups


def _lowered(kind: str, groups: list[list[Receptacle]], report: ImportReport) -> list[list[Receptacle]]:
    """Without what hangs on walls out of reach, as long as something of the kind is left; else that comes down."""
    low = [[one for one in group if one.spot.at[1] <= REACHABLE_TOP] for group in groups]
    if not any(low):
        for group in groups:
            highest = max(one.spot.at[1] for one in group)
            report.change(kind, "pieces of furniture lowered into reach", highest - REACHABLE_TOP)
        return groups
    for one in (one for group in groups for one in group if one.spot.at[1] > REACHABLE_TOP):
        report.leave_out(f"{kind} {one.spot.at}", "receptacles", "hangs out of a robot's reach")
    return [group for group in low if group]


def _piece(name: str, kind: str, size: Size, group: list[Receptacle]) -> ScenePiece:
    spots = tuple((one.spot.at[0], one.spot.at[2], min(one.spot.at[1], REACHABLE_TOP)) for one in group)
    fronts = [one.front for one in group if one.front is not None]
    front = statistics.mode(fronts) if fronts else None
    if kind != "Shelf":
        return ScenePiece(name, kind, size, spots, front)
    boards = tuple(sorted({round(height, 2) for _, _, height in spots if height > 0.05}))
    height = round(max(boards, default=size[2]) + _BOARD, 3)
    return ScenePiece(name, kind, (size[0], size[1], height), spots, front, boards)


def _size(kind: str, sizes: Mapping[str, Size]) -> Size:
    """The usual one of its category, where nothing else is known."""
    return sizes.get(kind) or furniture_category(kinds().furniture[kind].category).size


def _named(kind: str) -> str:
    return kinds().same.get(kind, kind)
