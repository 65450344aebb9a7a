"""A scene's room as a house, and what an episode has in it."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from dadu.core.errors import ConfigError
from dadu.core.geometry import Pose2
from dadu.core.robot import RobotDescription
from dadu.house.catalogue import Size, object_categories
from dadu.house.colors import UNKNOWN
from dadu.house.format import House, Object
from dadu.house.furniture.articulated import REACHABLE_TOP
from dadu.house.furniture.pieces import furniture_model
from dadu.imports.alfred.arrange import arranged
from dadu.imports.alfred.kinds import kinds
from dadu.imports.alfred.layout import Layout
from dadu.imports.alfred.pieces import ScenePiece, pieces_of
from dadu.imports.alfred.source import AlfredTrial, Spot
from dadu.imports.boards import Boards
from dadu.imports.drafts import DraftHome, DraftPiece, DraftRoom, DraftThing
from dadu.imports.fit import fitted
from dadu.imports.floor import FloorPlaces
from dadu.imports.procthor.home import kinds as thor_kinds
from dadu.imports.report import ImportReport

_SAID = 0.05
"""less than this is no move worth saying [m]"""
_FLOOR = 0.15
"""what lies lower, and near no receptacle, lies on the floor [m]"""
_NEAR = 0.5
"""to a receptacle, seen from above [m]"""


@dataclass
class SceneRoom:
    """The furniture of one scene in a room of ours, without things."""

    house: House
    pieces: Mapping[str, ScenePiece]
    """by name in the house"""
    moves: Mapping[str, tuple[float, float]]
    """of pieces, by how much they stand elsewhere than in the layout, map [m]"""

    @cached_property
    def named(self) -> dict[str, list[str]]:
        """Furniture by ALFRED's class."""
        found = defaultdict(list)
        for name, piece in self.pieces.items():
            found[piece.kind].append(name)
        return dict(found)


def scene_of(layout: Layout, used: Iterable[Spot], sizes: Mapping[str, Size], report: ImportReport,
             robot: RobotDescription | None = None) -> SceneRoom:
    """Errors: ConfigError where it cannot be a house."""
    pieces = pieces_of(layout, used, sizes, report)
    plan = arranged(layout, pieces)
    (x0, y0), (x1, y1) = plan.low, plan.high
    category = kinds().room(layout.name)
    home = DraftHome(layout.name, [DraftRoom(layout.name, category, ((x0, y0), (x1, y0), (x1, y1), (x0, y1)))])
    if plan.grown > _SAID:
        report.change(layout.name, "rooms made larger, so that a robot gets to all furniture", plan.grown)
    moves = {}
    placed = [piece for piece in pieces if piece.name in plan.poses]
    for piece in pieces:
        if piece not in placed:
            report.leave_out(piece.name, "furniture", "no room left in the largest room")
    for piece in placed:
        pose = plan.poses[piece.name]
        home.pieces.append(DraftPiece(piece.name, piece.known.category, pose, piece.size, boards=piece.boards))
        if piece.spots:
            by = np.array(pose[:2]) - piece.middle
            moves[piece.name] = float(by[0]), float(by[1])
            if (away := float(np.linalg.norm(by))) > _SAID:
                report.change(piece.name, "pieces of furniture moved", away)
    house = fitted(home, report, robot)
    return _renamed(house, {piece.name: piece for piece in placed}, moves)


def _renamed(house: House, pieces: dict[str, ScenePiece], moves: dict[str, tuple[float, float]]) -> SceneRoom:
    """`fitted` gives names by category, in the order of the pieces."""
    furniture = tuple(piece.model_copy(update={"name": name, "aliases": known.known.aliases, "color": UNKNOWN})
                      for piece, (name, known) in zip(house.furniture, pieces.items(), strict=True))
    return SceneRoom(house.model_copy(update={"furniture": furniture}), pieces, moves)


@dataclass
class RoomContents:
    """The things of a trial, put where they lie in the scene, as near as can be."""

    scene: SceneRoom
    report: ImportReport
    objects: list[Object] = field(default_factory=list)
    names: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """of things, by ALFRED's class"""

    def fill(self, trial: AlfredTrial) -> None:
        """What the task needs first, so that there is room for it."""
        needed = {trial.object, trial.movable, trial.lamp}
        for thing in sorted(self._things(trial), key=lambda thing: thing.kind not in needed):
            self._put(thing, trial)

    def _things(self, trial: AlfredTrial) -> Iterator[Spot]:
        """With the lamps that stand on furniture."""
        yield from trial.things
        lamps = [spot for spot in trial.used if spot.kind in kinds().lamps]
        yield from {spot.kind: spot for spot in lamps}.values()
        if trial.lamp in kinds().lamps and not lamps:
            raise ConfigError(f"{trial.id}: nothing says where the {trial.lamp} is")

    def _put(self, thing: Spot, trial: AlfredTrial) -> None:
        if thing.kind not in thor_kinds().objects:
            self.report.leave_out(f"{trial.id} {thing.kind}", "objects", f"there is no counterpart to a {thing.kind}")
            return
        draft, source = self._draft(thing, trial), f"{trial.id} {thing.kind}"
        name = f"{draft.category}_{sum(o.category == draft.category for o in self.objects)}"
        home = self._home(thing)
        found = next(self._floor.put(draft, name), None) if home is None else self._stood(home, draft, name)
        if found is None:
            self.report.leave_out(source, "objects", "no room left, here or on other furniture")
            return
        self.objects.append(found.model_copy(update={"attributes": {"color": UNKNOWN, **found.attributes}}))
        self.names[thing.kind].append(name)

    def _draft(self, thing: Spot, trial: AlfredTrial) -> DraftThing:
        known = thor_kinds().object(thing.kind)
        category = object_categories().get(known.category)
        usual = category.size if category is not None else (0.1, 0.1, 0.1)
        size = kinds().vessels.get(thing.kind, usual) if thing.kind == trial.movable else usual
        if size != usual:
            self.report.change(f"{trial.id} {thing.kind}", "vessels made larger, so that the thing goes in",
                               size[0] - usual[0])
        x, height, y = thing.at
        return DraftThing(f"{trial.id} {thing.kind}", known.category, Pose2(x, y, math.radians(90.0 - thing.turn)),
                          min(height, REACHABLE_TOP), size, known.shape)

    def _home(self, thing: Spot) -> str | None:
        """The piece on or in which it lies; None on the floor. Receptacles are points, whose nearest is the one."""
        x, height, y = thing.at
        best, least = None, math.inf
        for name, piece in self.scene.pieces.items():
            for spot in piece.spots:
                level = abs(height - spot[2]) if piece.kind not in _TALL else 0.0
                away = max(0.0, math.dist((x, y), spot[:2]) - max(piece.size[:2]) / 2 * _WIDE.get(piece.kind, 0.5))
                if away + level < least:
                    best, least = name, away + level
        return None if least > _NEAR and thing.at[1] < _FLOOR else best

    def _stood(self, home: str, draft: DraftThing, name: str) -> Object | None:
        """On or in its piece or, where that has no room, on the nearest other one with a top."""
        x, y = self.scene.moves.get(home, (0.0, 0.0))
        draft.pose = Pose2(draft.pose.x + x, draft.pose.y + y, draft.pose.yaw)
        order = sorted(self._tops, key=lambda other: math.dist(self.scene.house.piece(other).pose[:2], draft.pose[:2]))
        for piece in (home, *order):
            boards, said = self._boards(piece)
            said.changes.clear()
            found = next(boards.put(draft, name), None)
            if found is not None:
                self.report.changes += said.changes
                if piece != home:
                    away = math.dist(*(self.scene.house.piece(one).pose[:2] for one in (piece, home)))
                    self.report.change(draft.source, "objects put on other furniture, theirs being full", away)
                return found
        return None

    def _boards(self, piece: str) -> tuple[Boards, ImportReport]:
        """What is still free of a piece, and what that says."""
        if piece not in self._open:
            said = ImportReport(piece)
            self._open[piece] = Boards(self.scene.house.piece(piece), (), said), said
        return self._open[piece]

    @cached_property
    def _open(self) -> dict[str, tuple[Boards, ImportReport]]:
        return {}

    @cached_property
    def _floor(self) -> FloorPlaces:
        return FloorPlaces(self.scene.house, self.report)

    @cached_property
    def _tops(self) -> list[str]:
        return [p.name for p in self.scene.house.furniture if any(not d.inside for d in furniture_model(p).decks)]


_TALL = ("Fridge", "Bed", "Sofa", "ArmChair", "GarbageCan", "LaundryHamper", "Toilet", "BathtubBasin", "Dresser",
         "Desk", "SideTable", "TVStand", "DiningTable", "CoffeeTable", "Cart", "FloorLamp")
"""whose position in the layout says nothing of the height of what lies there"""
_WIDE = {"CounterTop": 1.0, "DiningTable": 1.0, "Bed": 1.0, "Sofa": 1.0, "Desk": 1.0}
"""of half their longer side, what counts as being on them; 0.5 of others"""

