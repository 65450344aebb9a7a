"""From a draft to a house that stands: pieces out of walls, things on boards, the robot where there is room.

Others draw walls without thickness and furniture by its box; what has to give way does so by as little as will do,
and the report says by how much.
"""

from __future__ import annotations

import math
from collections import Counter

import numpy as np

from dadu.core.geometry import Pose2
from dadu.house.files import parse_house
from dadu.house.format import Door, Furniture, House, Object, RobotStart, Room
from dadu.house.walls import THICKNESS, Wall, walls
from dadu.imports.boards import Boards
from dadu.imports.drafts import DraftHome, DraftPiece
from dadu.imports.report import ImportReport
from dadu.world.graph import points_in_polygon

_CLEAR = 0.002
"""between what was moved and the wall [m]"""
_ROUNDS = 4
"""out of one wall, it may stand in the next"""


def fitted(home: DraftHome, report: ImportReport) -> House:
    """The house, checked as a house file is. Errors: ConfigError where it cannot be one."""
    return _Fitting(home, report).house()


class _Fitting:
    def __init__(self, home: DraftHome, report: ImportReport) -> None:
        self._home, self._report = home, report
        self._counts: Counter[str] = Counter()
        kinds = Counter(room.category for room in home.rooms)
        self._rooms = {room.source: Room(name=self._name(room.category) if kinds[room.category] > 1 else room.category,
                                         category=room.category, floor=_rounded(room.outline), height=room.height)
                       for room in home.rooms}
        self._doors = tuple(Door(between=(self._rooms[d.between[0]].name, self._rooms[d.between[1]].name),
                                 at=(round(d.at[0], 4), round(d.at[1], 4)), width=round(d.width, 3),
                                 height=round(d.height, 3)) for d in home.doors)
        shell = House(house=home.name, rooms=tuple(self._rooms.values()), doors=self._doors)
        self._walls = walls(shell)

    def house(self) -> House:
        self._report.take("rooms", len(self._rooms))
        self._report.take("doors", len(self._doors))
        furniture: list[Furniture] = []
        objects: list[Object] = []
        for draft in self._home.pieces:
            if draft.bottom > 0:
                self._report.leave_out(draft.source, "furniture", "hangs on a wall")
                continue
            self._out_of_walls(draft)
            piece = self._furniture(draft)
            furniture.append(piece)
            boards = Boards(piece, self._report)
            for thing in draft.things:
                objects += boards.put(thing, self._name(thing.category))
            for raised in draft.pieces:
                self._report.leave_out(raised.source, "furniture", "stands on other furniture")
        for thing in self._home.on_floor:
            self._report.leave_out(thing.source, "objects", "lies on the floor")
        self._report.take("furniture", len(furniture))
        self._report.take("objects", len(objects))
        robot = RobotStart(pose=_rounded_pose(self._home.robot)) if self._home.robot else RobotStart()
        house = House(house=self._home.name, rooms=tuple(self._rooms.values()), doors=self._doors,
                      furniture=tuple(furniture), objects=tuple(objects), robot=robot)
        return parse_house(house.model_dump(mode="json", by_alias=True, exclude_defaults=True), self._home.name)

    def _name(self, category: str) -> str:
        self._counts[category] += 1
        return f"{category}_{self._counts[category] - 1}"

    def _furniture(self, draft: DraftPiece) -> Furniture:
        return Furniture(name=self._name(draft.category), category=draft.category, room=self._room(draft),
                         pose=_rounded_pose(draft.pose), size=draft.size)

    def _room(self, draft: DraftPiece) -> str:
        here = draft.pose[:2]
        inside = [room.name for room in self._rooms.values() if points_in_polygon(room.floor, here)]
        return inside[0] if inside else next(iter(self._rooms.values())).name

    def _out_of_walls(self, draft: DraftPiece) -> None:
        start = np.array(draft.pose[:2])
        for _ in range(_ROUNDS):
            shifts = [s for wall in self._walls if (s := _shift(draft, wall)) is not None]
            if not shifts:
                break
            draft.move(max(shifts, key=lambda s: float(np.linalg.norm(s))))
        moved = float(np.linalg.norm(np.array(draft.pose[:2]) - start))
        if moved > 0:
            self._report.change(draft.source, "pieces of furniture moved out of walls", moved)


def _shift(draft: DraftPiece, wall: Wall) -> np.ndarray | None:
    """(2,) [m] that takes a piece out of a wall to the side where its middle is; None where it stands clear of it."""
    if min(draft.bottom + draft.size[2], wall.top) - max(draft.bottom, wall.bottom) <= 0:
        return None
    frame = Pose2(*wall.centre, wall.yaw)
    local = frame.inverse().apply(draft.corners)
    if (abs(local[:, 0]).min() > wall.length / 2 and np.ptp(np.sign(local[:, 0])) == 0):
        return None
    side = math.copysign(1.0, frame.inverse().apply(draft.pose[:2])[1])
    depth = THICKNESS / 2 + _CLEAR - float((side * local[:, 1]).min())
    if depth <= _CLEAR:
        return None
    return np.array([-math.sin(wall.yaw), math.cos(wall.yaw)]) * side * depth


def _rounded(outline: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
    return tuple((round(x, 4), round(y, 4)) for x, y in outline)


def _rounded_pose(pose: Pose2) -> tuple[float, float, float]:
    return round(pose.x, 4), round(pose.y, 4), round(pose.yaw, 5)
