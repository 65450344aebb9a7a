"""From a ProcTHOR house to a draft: axes, words, sizes. x to x, z to y; a front along their z is along our x."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

import numpy as np

from dadu.core.config import Settings, load
from dadu.core.geometry import Pose2, wrap
from dadu.house.catalogue import Shape, Size
from dadu.house.format import Notch
from dadu.imports.drafts import DraftDoor, DraftHome, DraftPiece, DraftRoom, DraftThing
from dadu.imports.procthor.assets import Asset
from dadu.imports.procthor.source import Rotation, SourceHouse, SourceObject, SourceOpening, SourceVector
from dadu.imports.report import ImportReport
from dadu.world.graph import points_in_polygon

_ON_FLOOR = 0.02
"""what is higher than this does not stand on the floor [m]"""
_PANEL = 0.04
"""thickness of windows and doors that stay shut [m]"""
_LEAST = 0.002
"""of an extent: cards and sheets of paper have none [m]"""


class ObjectKind(Settings):
    category: str
    shape: Shape | None = None
    """of a category that the catalogue lacks"""


class NotchedAsset(Settings):
    run: float
    """depth of the board all along the footprint [m]"""
    side: Literal["left", "right", "middle"]


class ThorKinds(Settings):
    """Their types in our words."""

    notched: dict[str, NotchedAsset]
    """by the beginning of an asset's name"""
    furniture: dict[str, str]
    objects: dict[str, ObjectKind | str]
    colors: dict[str, str]
    """of what the catalogue has none for"""

    def object(self, kind: str) -> ObjectKind:
        entry = self.objects[kind]
        return ObjectKind(category=entry) if isinstance(entry, str) else entry


@dataclass(frozen=True)
class _Place:
    """Of a door or window."""

    middle: Pose2
    """in the wall, x into the room"""
    width: float
    bottom: float
    top: float


@cache
def kinds() -> ThorKinds:
    return load(ThorKinds, Path(__file__).with_name("kinds.yaml"))


class Translation:
    """Of one house."""

    def __init__(self, name: str, house: SourceHouse, assets: Mapping[str, Asset],
                 boards: Mapping[str, tuple[float, ...]], report: ImportReport) -> None:
        self._house, self._assets, self._boards, self._report = house, assets, boards, report
        self.home = DraftHome(name)

    def draft(self) -> DraftHome:
        """The whole house; what has no counterpart is in the report."""
        heights = {wall.id: max(corner.y for corner in wall.polygon) for wall in self._house.walls}
        for room in self._house.rooms:
            outline = tuple((c.x, c.z) for c in room.floorPolygon)
            own = [h for id, h in heights.items() if id.startswith(f"wall|{room.id.rpartition('|')[2]}|")]
            self.home.rooms.append(DraftRoom(room.id, re.sub(r"(?<=[a-z])(?=[A-Z])", "_", room.roomType).lower(),
                                             outline, max(own, default=2.5)))
        for door in self._house.doors:
            self._door(door)
        for window in self._house.windows:
            place = self._opening(window, "windows")
            if place is not None:
                self._hang(window, place, "window")
        for thing in self._house.objects:
            self._take(thing, None)
        agent = self._house.metadata.agent
        if agent is not None:
            self.home.robot = _pose(agent.position, agent.rotation)
        return self.home

    def _door(self, door: SourceOpening) -> None:
        place = self._opening(door, "doors")
        if place is None:
            return
        if door.room0 == door.room1:
            self._hang(door, place, "front_door")
            return
        self.home.doors.append(DraftDoor(door.id, (door.room0, door.room1), (place.middle.x, place.middle.y),
                                         place.width, place.top))

    def _opening(self, opening: SourceOpening, kind: str) -> _Place | None:
        wall = next((w for w in self._house.walls if w.id == opening.wall0), None)
        if wall is None:
            self._report.leave_out(opening.id, kind, "its wall is not in the file")
            return None
        start, end = (np.array([c.x, c.z]) for c in wall.polygon[:2])
        along, up = [c.x for c in opening.holePolygon], [c.y for c in opening.holePolygon]
        direction = (end - start) / max(float(np.linalg.norm(end - start)), 1e-9)
        x, y = start + direction * (min(along) + max(along)) / 2
        yaw = math.atan2(direction[1], direction[0]) + math.pi / 2
        room = next((r for r in self.home.rooms if r.source == opening.room0), None)
        if room is not None and not points_in_polygon(room.outline, (x + 0.1 * math.cos(yaw), y + 0.1 * math.sin(yaw))):
            yaw += math.pi
        return _Place(Pose2(float(x), float(y), wrap(yaw)), max(along) - min(along), min(up), max(up))

    def _hang(self, opening: SourceOpening, place: _Place, category: str) -> None:
        """Something flat on a wall, facing the room."""
        size = (_PANEL, round(place.width, 3), round(place.top - place.bottom, 3))
        if min(size) <= 0:
            self._report.leave_out(opening.id, f"{category}s", "has no size")
            return
        pose = place.middle * Pose2(_PANEL / 2, 0.0, 0.0)
        self.home.pieces.append(DraftPiece(opening.id, category, pose, size, round(place.bottom, 3),
                                           color=kinds().colors[category]))

    def _take(self, thing: SourceObject, parent: DraftPiece | None) -> None:
        asset = self._assets.get(thing.assetId)
        if asset is None:
            self._report.leave_out(thing.id, "objects", "its asset is not in the database")
        elif asset.objectType in kinds().furniture:
            self._piece(thing, asset, parent)
        elif asset.objectType in kinds().objects:
            self._object(thing, asset, parent)
            for child in thing.children:  # goes beside it, on what carries both
                self._take(child, parent)
        else:
            self._report.leave_out(thing.id, "objects", f"there is no counterpart to a {asset.objectType}")

    def _piece(self, thing: SourceObject, asset: Asset, parent: DraftPiece | None) -> None:
        size = _size(asset)
        piece = DraftPiece(thing.id, kinds().furniture[asset.objectType], _pose(thing.position, thing.rotation), size,
                           _bottom(thing, size), boards=self._boards.get(asset.assetId, ()), notch=_notch(asset, size),
                           color=kinds().colors.get(asset.objectType))
        (self.home.pieces if parent is None else parent.pieces).append(piece)
        for child in thing.children:
            self._take(child, piece)

    def _object(self, thing: SourceObject, asset: Asset, parent: DraftPiece | None) -> None:
        kind, size = kinds().object(asset.objectType), _size(asset)
        draft = DraftThing(thing.id, kind.category, _pose(thing.position, thing.rotation), _bottom(thing, size), size,
                           kind.shape)
        (self.home.on_floor if parent is None else parent.things).append(draft)


def _notch(asset: Asset, size: Size) -> Notch | None:
    shape = next((shape for prefix, shape in kinds().notched.items() if asset.assetId.startswith(prefix)), None)
    if shape is None:
        return None
    legs = 2 if shape.side == "middle" else 1
    return Notch(depth=round(size[0] - shape.run, 3), width=round(size[1] - legs * shape.run, 3), side=shape.side)


def _bottom(thing: SourceObject, size: Size) -> float:
    bottom = thing.position.y - size[2] / 2
    return bottom if bottom > _ON_FLOOR else 0.0


def _size(asset: Asset) -> Size:
    box = asset.boundingBox
    x, y, z = (round(max(v, _LEAST), 3) for v in (box.z, box.x, box.y))
    return x, y, z


def _pose(position: SourceVector, turn: Rotation) -> Pose2:
    return Pose2(position.x, position.z, wrap(math.radians(90.0 - turn.y)))
