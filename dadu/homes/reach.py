"""Can the robot use what stands in a room? A cheaper check that asks of navigation what the skills will ask.

A stance counts when it is one of navigation's own candidates, square to the walls, and the base gets there from a door.
This is a little stricter than `dadu.navigation.standing.base_placement.place_base`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from dadu.core.geometry import Pose2
from dadu.core.robot import RobotDescription
from dadu.homes.standing import StandingRoom
from dadu.house.format import Door, Furniture, House, Room
from dadu.house.layout import build_graph
from dadu.house.rasterize import rasterize
from dadu.navigation.costmap import Costmap
from dadu.navigation.standing.base_poses import BasePoseCandidate, pick_base_poses
from dadu.navigation.standing.candidates import candidates
from dadu.navigation.standing.open_parts import open_parts
from dadu.skills.outcome import SkillResult
from dadu.skills.scene import Scene
from dadu.world.graph import Entity, points_in_polygon

_IN_ROOM = 0.55
"""from a door into the room, where routes start [m]"""
_BEST = 8
"""stances to which a way is sought"""
OPENED = 0.85
"""share of its range to which a part is taken to be opened"""


class RoomReach:
    """One furnished room, its doors open to the robot."""

    def __init__(self, room: Room, doors: Sequence[Door], furniture: Sequence[Furniture], robot: RobotDescription
                 ) -> None:
        """Errors: ValueError for a room without doors."""
        if not doors:
            raise ValueError(f"{room.name} has no door")
        house = House(house="check", rooms=(room,), doors=tuple(doors), furniture=tuple(furniture))
        self._robot, self._room = robot, room
        map = rasterize(house, height=robot.height)
        self._scene = Scene(build_graph(house, "layout"), map=map)
        self._costmap = Costmap(map, robot)
        self._entrances = [_entrance(room, door) for door in doors]
        self._closed = StandingRoom(self._costmap, self._entrances[0])

    def connected(self) -> bool:
        """True if the robot gets from every door to every other."""
        return all(self._costmap.turns(pose) and self._closed.connected(self._entrances[0], pose)
                   for pose in self._entrances)

    def unusable(self, piece: Furniture) -> str:
        """Why the robot cannot use a piece; empty where it can: parts open and a surface within reach, also inside."""
        entity = self._scene.graph[piece.name]
        for part in entity.parts:
            if not self._any(candidates(self._scene, self._robot, entity, "open", "", part.name, "", None)):
                return f"{piece.name}: {part.name} cannot be opened"
        outside = [s for s in entity.surfaces if not s.inside]
        if outside and not self._any(candidates(self._scene, self._robot, entity, "place", "on", "", "", None)):
            return f"{piece.name}: nothing can be put on it"
        if len(outside) < len(entity.surfaces) and not self._inside(entity):
            return f"{piece.name}: nothing can be put in it"
        return ""

    def can_pick(self, position: np.ndarray, piece: Furniture) -> bool:
        """True if the arm reaches something at `position` (3,) [m] in map that stands on a piece, from one of its
        sides: what is within reach over a corner alone is too little for a home that is made."""
        if not self._robot.reach_height[0] <= position[2] <= self._robot.reach_height[1]:
            return False
        entity = self._scene.graph[piece.name]
        return self._any(pick_base_poses(self._robot, position[:2], entity, False, None, corners=False))

    def _inside(self, entity: Entity) -> bool:
        """True if something can be put into a container once it is open."""
        if not entity.parts:
            return self._any(candidates(self._scene, self._robot, entity, "place", "in", "", "", None))
        opened = replace(entity, parts=tuple(replace(p, value=OPENED * p.range) for p in entity.parts))
        self._scene.graph.put(opened)
        self._costmap.block(open_parts(self._scene.graph))
        room = StandingRoom(self._costmap, self._entrances[0])
        reached = self._any(candidates(self._scene, self._robot, opened, "place", "in", "", "", None), room)
        self._scene.graph.put(entity)
        self._costmap.block([])
        return reached

    def _any(self, stances: Iterable[BasePoseCandidate] | SkillResult, room: StandingRoom | None = None) -> bool:
        """True if the base gets to one of the best free stances; navigation does not try them all either."""
        if isinstance(stances, SkillResult):
            return False
        room = room or self._closed
        free = (stance for stance in sorted(stances, key=lambda stance: stance.cost)
                if room.stands(stance.pose) and points_in_polygon(self._room.floor, stance.pose[:2])
                and all(room.stands(pose) for pose in stance.track))
        return any(room.reaches(stance.pose) for stance in islice(free, _BEST))


def _entrance(room: Room, door: Door) -> Pose2:
    """Just inside a door, looking in."""
    corners = np.array(room.floor)
    low, high = corners.min(axis=0), corners.max(axis=0)
    x, y = door.at
    for yaw, off_wall in ((0.0, x - low[0]), (np.pi, high[0] - x), (np.pi / 2, y - low[1]), (-np.pi / 2, high[1] - y)):
        if abs(off_wall) < 1e-3:
            return Pose2(x + _IN_ROOM * np.cos(yaw), y + _IN_ROOM * np.sin(yaw), float(yaw))
    raise ValueError(f"the door at {door.at} is not on a wall of {room.name}")
