"""From a draft to a house that stands: pieces out of walls, things on boards, the robot where there is room.

Others draw walls without thickness and furniture by its box; what has to give way does so by as little as will do,
and the report says by how much.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dadu.core.geometry import Pose2
from dadu.core.robot import RobotDescription
from dadu.house.catalogue import Size, furniture_categories
from dadu.house.files import parse_house
from dadu.house.format import Door, Furniture, House, Object, Room
from dadu.house.furniture.articulated import REACHABLE_TOP
from dadu.house.furniture.pieces import has_boards
from dadu.house.states import State
from dadu.house.walls import THICKNESS, Wall, walls
from dadu.imports.boards import Boards
from dadu.imports.drafts import DraftHome, DraftPiece, DraftThing
from dadu.imports.floor import FloorPlaces
from dadu.imports.report import ImportReport
from dadu.imports.usable import made_usable
from dadu.world.graph import points_in_polygon

_TOP = 0.03
"""things that stand this near to the top of a box [m] stand on it, or float where it has a back"""
_GAP = 0.7
"""a shelf has boards at least so near to each other [m]"""
_ONE_BOARD = ("seat", "chair", "office_chair", "bed")
_SHELVED = ("shelf", "fridge")
_ONE_TOP = ("table", "round_table", "counter", "block", "cart")


@dataclass(frozen=True)
class Make:
    size: Size
    boards: tuple[float, ...] = ()


def make_of(draft: DraftPiece, report: ImportReport) -> Make:
    """Size and boards for the house file."""
    category = furniture_categories().get(draft.category)
    if category is None:
        return Make(draft.size)
    d, w, h = draft.size
    below = [z for z in draft.boards if z < h - _TOP]
    if category.build in _ONE_BOARD:
        usual = min(category.options.get("seat_height", 0.45), 0.6 * h)
        return Make(draft.size, (round((below or list(draft.boards) or [usual])[0], 3),))
    if category.build in _SHELVED or category.boarded is not None:
        inner = tuple(sorted(round(z, 3) for z in below if 0.02 < z < h - 0.1))
        if category.build in _SHELVED and inner:
            inner = _filled(draft, inner, report)
        return Make(draft.size, inner)
    if category.build in _ONE_TOP and h > REACHABLE_TOP:
        top = next((z for z in draft.boards if 0.3 < z <= REACHABLE_TOP), category.size[2])
        report.change(draft.source, "pieces of furniture cut down to the board in use", h - top)
        return Make((d, w, round(top, 3)))
    if has_boards(draft.category) and len(below) < len(draft.boards):
        return Make(draft.size, (h,))
    return Make(draft.size)


def _filled(draft: DraftPiece, boards: tuple[float, ...], report: ImportReport) -> tuple[float, ...]:
    """Boards where nothing is known to stand, in gaps that no shelf has."""
    found: list[float] = []
    for low, high in zip((0.0, *boards), (*boards, draft.size[2]), strict=True):
        count = int((high - low) / _GAP)
        found += (round(low + (high - low) * i / (count + 1), 3) for i in range(1, count + 1))
        found += [high] if high in boards else []
    if len(found) > len(boards):
        report.change(draft.source, "shelves with boards where nothing is known to stand", len(found) - len(boards),
                      "boards")
    return tuple(found)


def fitted(home: DraftHome, report: ImportReport, robot: RobotDescription | None = None) -> House:
    """The house, checked as a house file is; for a `robot`, furniture that it could not use is moved where that helps.

    Errors: ConfigError where it cannot be a house.
    """
    return _Fitting(home, report).house(robot)


class _Fitting:
    def __init__(self, home: DraftHome, report: ImportReport) -> None:
        self._home, self._report = home, report
        self._counts: Counter[str] = Counter()
        kinds = Counter(room.category for room in home.rooms)
        self._rooms = {room.source: Room(name=self._name(room.category) if kinds[room.category] > 1 else room.category,
                                         category=room.category, floor=_rounded(room.outline),
                                         height=round(room.height, 3))
                       for room in home.rooms}
        self._doors = tuple(Door(between=(self._rooms[d.between[0]].name, self._rooms[d.between[1]].name),
                                 at=(round(d.at[0], 4), round(d.at[1], 4)), width=round(d.width, 3),
                                 height=round(d.height, 3)) for d in home.doors)

    def house(self, robot: RobotDescription | None) -> House:
        """Pieces first, the lower ones before those that stand on them; then what lies on the floor, then the robot."""
        house = House(house=self._home.name, rooms=tuple(self._rooms.values()), doors=self._doors)
        built = walls(house)
        furniture: list[Furniture] = []
        objects: list[Object] = []
        for draft in sorted(self._home.pieces, key=lambda draft: draft.bottom == 0):  # first what hangs before boards
            out_of_walls(draft, built, self._report)
            for piece, things in self._stood(draft, furniture):
                furniture.append(piece)
                objects += things
        house = house.model_copy(update={"furniture": tuple(furniture), "objects": tuple(objects)})
        if robot is not None:
            start = FloorPlaces(house, ImportReport("start")).robot(self._home.robot)
            house = made_usable(house.model_copy(update={"robot": start}), robot, self._report)
        floor = FloorPlaces(house, self._report)
        objects += (o for thing in self._home.on_floor for o in floor.put(thing, self._name(thing.category)))
        house = house.model_copy(update={"objects": tuple(objects), "robot": floor.robot(self._home.robot)})
        for kind, items in (("rooms", self._rooms), ("doors", self._doors), ("furniture", furniture),
                            ("objects", objects)):
            self._report.take(kind, len(items))
        return parse_house(house.model_dump(mode="json", by_alias=True, exclude_defaults=True), self._home.name)

    def _stood(self, draft: DraftPiece, before: Sequence[Furniture], elevation: float | None = None
               ) -> Iterator[tuple[Furniture, list[Object]]]:
        """A piece, at another height than its own where that is given, and all that stands on it; `before` it stands
        or hangs what is there."""
        make = make_of(draft, self._report)
        piece = self._furniture(draft, make, draft.bottom if elevation is None else elevation)
        boards = Boards(piece, before, self._report)
        heights = [(raised, boards.stand(raised)) for raised in draft.pieces]
        yield piece, [o for thing in draft.things for o in self._object(boards, thing)]
        for raised, height in heights:
            if height is None:
                self._report.leave_out(raised.source, "furniture", "no room left on what it stands on")
            else:
                yield from self._stood(raised, before, height)

    def _object(self, boards: Boards, thing: DraftThing) -> Iterator[Object]:
        yield from boards.put(thing, self._name(thing.category))

    def _name(self, category: str) -> str:
        self._counts[category] += 1
        return f"{category}_{self._counts[category] - 1}"

    def _furniture(self, draft: DraftPiece, make: Make, elevation: float) -> Furniture:
        pose = (round(draft.pose.x, 4), round(draft.pose.y, 4), round(draft.pose.yaw, 5))
        return Furniture(name=self._name(draft.category), category=draft.category, room=self._room(draft.pose),
                         pose=pose, size=make.size, boards=make.boards, notch=draft.notch, color=draft.color,
                         elevation=round(elevation, 4), states={State.OPEN: True} if draft.open else {})

    def _room(self, pose: Pose2) -> str:
        inside = [room.name for room in self._rooms.values() if points_in_polygon(room.floor, pose[:2])]
        return inside[0] if inside else next(iter(self._rooms.values())).name


def _rounded(outline: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
    return tuple((round(x, 4), round(y, 4)) for x, y in outline)


_CLEAR = 0.002
"""between what was moved and the wall [m]"""
_ROUNDS = 4
"""out of one wall, it may stand in the next"""


def out_of_walls(draft: DraftPiece, walls: Sequence[Wall], report: ImportReport) -> None:
    """Moves a piece, with what stands on it, to the side of each wall where its middle is."""
    start = np.array(draft.pose[:2])
    for _ in range(_ROUNDS):
        shifts = [s for wall in walls if (s := _shift(draft, wall)) is not None]
        if not shifts:
            break
        draft.move(max(shifts, key=lambda s: float(np.linalg.norm(s))))
    moved = float(np.linalg.norm(np.array(draft.pose[:2]) - start))
    if moved > 0:
        report.change(draft.source, "pieces of furniture moved out of walls", moved)


def _shift(draft: DraftPiece, wall: Wall) -> np.ndarray | None:
    """(2,) [m] that takes a piece out of a wall to the side where its middle is; None where it stands clear of it."""
    if min(draft.bottom + draft.size[2], wall.top) - max(draft.bottom, wall.bottom) <= 0:
        return None
    frame = Pose2(*wall.centre, wall.yaw)
    local = frame.inverse().apply(draft.corners)
    if local[:, 0].min() > wall.length / 2 or local[:, 0].max() < -wall.length / 2:
        return None
    side = math.copysign(1.0, frame.inverse().apply(draft.pose[:2])[1])
    near, far = float((side * local[:, 1]).min()), float((side * local[:, 1]).max())
    depth = THICKNESS / 2 + _CLEAR - near
    if depth <= _CLEAR or far <= -THICKNESS / 2:
        return None
    return np.array([-math.sin(wall.yaw), math.cos(wall.yaw)]) * side * depth
