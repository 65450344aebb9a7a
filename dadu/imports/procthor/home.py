"""From a ProcTHOR house to a draft: axes, words, sizes. x to x, z to y; a front along their z is along our x."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np

from dadu.core.config import Settings, load
from dadu.core.geometry import Pose2, wrap
from dadu.house.catalogue import Shape, Size
from dadu.imports.drafts import DraftDoor, DraftHome, DraftPiece, DraftRoom, DraftThing
from dadu.imports.procthor.assets import Asset
from dadu.imports.procthor.source import Rotation, SourceHouse, SourceObject, SourceOpening, SourceVector
from dadu.imports.report import ImportReport

_ON_FLOOR = 0.02
"""what is higher than this does not stand on the floor [m]"""
_LEAST = 0.002
"""of an extent: cards and sheets of paper have none [m]"""


class ObjectKind(Settings):
    category: str
    shape: Shape | None = None
    """of a category that the catalogue lacks"""


class ThorKinds(Settings):
    """Their types in our words."""

    furniture: dict[str, str]
    objects: dict[str, ObjectKind | str]

    def object(self, kind: str) -> ObjectKind:
        entry = self.objects[kind]
        return ObjectKind(category=entry) if isinstance(entry, str) else entry


@cache
def kinds() -> ThorKinds:
    return load(ThorKinds, Path(__file__).with_name("kinds.yaml"))


class Translation:
    """Of one house."""

    def __init__(self, name: str, house: SourceHouse, assets: Mapping[str, Asset], report: ImportReport) -> None:
        self._house, self._assets, self._report = house, assets, report
        self.home = DraftHome(name)

    def draft(self) -> DraftHome:
        """The whole house; what has no counterpart is in the report."""
        heights = {wall.id: max(corner.y for corner in wall.polygon) for wall in self._house.walls}
        for room in self._house.rooms:
            outline = tuple((c.x, c.z) for c in room.floorPolygon)
            own = [h for id, h in heights.items() if id.startswith(f"wall|{room.id.rpartition('|')[2]}|")]
            self.home.rooms.append(DraftRoom(room.id, _words(room.roomType), outline, max(own, default=2.5)))
        for door in self._house.doors:
            self._door(door)
        for thing in self._house.objects:
            self._take(thing, None)
        agent = self._house.metadata.agent
        if agent is not None:
            self.home.robot = _pose(agent.position, agent.rotation)
        return self.home

    def _door(self, door: SourceOpening) -> None:
        if door.room0 == door.room1:
            self._report.leave_out(door.id, "doors", "leads outside")
            return
        wall = next((w for w in self._house.walls if w.id == door.wall0), None)
        if wall is None:
            self._report.leave_out(door.id, "doors", "its wall is not in the file")
            return
        start, end = (np.array([c.x, c.z]) for c in wall.polygon[:2])
        along = [corner.x for corner in door.holePolygon]
        middle = start + (end - start) / np.linalg.norm(end - start) * (min(along) + max(along)) / 2
        top = max(corner.y for corner in door.holePolygon)
        self.home.doors.append(DraftDoor(door.id, (door.room0, door.room1), (float(middle[0]), float(middle[1])),
                                         max(along) - min(along), top))

    def _take(self, thing: SourceObject, parent: DraftPiece | None) -> None:
        asset = self._assets.get(thing.assetId)
        if asset is None:
            self._report.leave_out(thing.id, "objects", "its asset is not in the database")
        elif asset.objectType in kinds().furniture:
            self._piece(thing, asset, parent)
        elif asset.objectType in kinds().objects:
            self._object(thing, asset, parent)
            for child in thing.children:
                self._report.leave_out(child.id, "objects", "is in or on something that can be carried")
        else:
            self._report.leave_out(thing.id, "objects", f"there is no counterpart to a {asset.objectType}")

    def _piece(self, thing: SourceObject, asset: Asset, parent: DraftPiece | None) -> None:
        size = _size(asset)
        piece = DraftPiece(thing.id, kinds().furniture[asset.objectType], _pose(thing.position, thing.rotation), size,
                           _bottom(thing, size), thing.openness > 0.5)
        (self.home.pieces if parent is None else parent.pieces).append(piece)
        for child in thing.children:
            self._take(child, piece)

    def _object(self, thing: SourceObject, asset: Asset, parent: DraftPiece | None) -> None:
        kind, size = kinds().object(asset.objectType), _size(asset)
        draft = DraftThing(thing.id, kind.category, _pose(thing.position, thing.rotation), _bottom(thing, size), size,
                           kind.shape)
        (self.home.on_floor if parent is None else parent.things).append(draft)


def _bottom(thing: SourceObject, size: Size) -> float:
    bottom = thing.position.y - size[2] / 2
    return bottom if bottom > _ON_FLOOR else 0.0


def _size(asset: Asset) -> Size:
    box = asset.boundingBox
    x, y, z = (round(max(v, _LEAST), 3) for v in (box.z, box.x, box.y))
    return x, y, z


def _pose(position: SourceVector, turn: Rotation) -> Pose2:
    return Pose2(position.x, position.z, wrap(math.radians(90.0 - turn.y)))


def _words(name: str) -> str:
    """``LivingRoom`` to ``living_room``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
