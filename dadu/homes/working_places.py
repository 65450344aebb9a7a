"""Places to stand for what the robot is to do in a house: asked of navigation's own base placement."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from scipy.ndimage import label

from dadu.core.robot import RobotDescription
from dadu.homes.reach import OPENED
from dadu.house.catalogue import Affordance
from dadu.house.format import Furniture, House
from dadu.house.furniture.pieces import size_of
from dadu.house.layout import build_graph
from dadu.house.rasterize import rasterize
from dadu.house.states import affordances_of
from dadu.navigation.costmap import Costmap
from dadu.navigation.standing.base_placement import place_base
from dadu.skills.call import SkillCall
from dadu.skills.outcome import SkillResult
from dadu.skills.scene import Scene
from dadu.skills.table import SKILLS
from dadu.world.graph import ROBOT, Entity, Kind, WorldGraph
from dadu.world.occupancy import OCCUPIED, UNKNOWN

_SUSPECTS = 5
"""pieces that may be in the way of one, the nearest"""


class WorkingPlaces:
    """Of one house, for one robot."""

    def __init__(self, house: House, robot: RobotDescription) -> None:
        self._robot, self._map = robot, rasterize(house, height=robot.height)
        self._map.grid[self._map.grid == UNKNOWN] = OCCUPIED  # of a house nothing is unseen
        self._graph = build_graph(house, "all")
        self._parts, _ = label(np.isfinite(Costmap(self._map, robot).costs()))

    def missing(self, graph: WorldGraph, call: SkillCall) -> str:
        """Why the robot, from where `graph` has it, gets to no place from which it could carry out `call`; empty where
        it does, and for skills that need none."""
        for target in call.arguments:
            entity = graph.entities.get(target)
            purpose = SKILLS[call.skill].purpose(call.arguments, target, entity.kind) if entity is not None else None
            if purpose in ("pick", "place", "open", "close"):
                relation = call.arguments[0] if purpose == "place" else ""
                return self._none(graph, target, purpose, relation=relation)
        return ""

    def unusable(self) -> Iterator[str]:
        """A sentence for every piece of furniture whose parts cannot be opened, or that nothing can be put on or in
        though it has surfaces as low as the arm reaches; seats are for people, see `unreachable`."""
        for piece in self._graph.of(Kind.FURNITURE):
            if not _is_seat(piece):
                yield from self.faults(piece.id)

    def faults(self, name: str) -> Iterator[str]:
        """The same of one piece of furniture."""
        piece = self._graph[name]
        for part in piece.parts:
            if self._nowhere(name, "open", self._graph, part=part.name):
                yield f"{name}: {part.name} cannot be opened; there is no place for the robot to do it"
        for relation, inside in (("on", False), ("in", True)):
            graph = self._opened(piece) if inside else self._graph
            low = any(s.inside is inside and s.height < self._robot.reach_height[1] for s in piece.surfaces)
            if low and self._nowhere(name, "place", graph, relation=relation):
                yield f"{name}: the robot can put nothing {relation} it"

    def unreachable(self) -> Iterator[str]:
        """A sentence for every seat that the robot cannot put things on, and for every thing that it cannot take from
        where it is, what it is in being open."""
        for piece in filter(_is_seat, self._graph.of(Kind.FURNITURE)):
            yield from self.faults(piece.id)
        for thing in self._graph.of(Kind.OBJECT):
            support = self._graph.support(thing.id)
            graph = self._opened(self._graph[support.object]) if support is not None else self._graph
            if why := self._nowhere(thing.id, "pick", graph):
                yield f"{thing.id}: {why}"

    def _opened(self, piece: Entity) -> WorldGraph:
        graph = self._graph.copy()
        graph.put(replace(piece, parts=tuple(replace(p, value=OPENED * p.range) for p in piece.parts)))
        return graph

    def _nowhere(self, target: str, purpose: str, graph: WorldGraph, relation: str = "", part: str = "") -> str:
        """As `_none`, of the house as it is; ways are planned only where floor that hangs together does not tell."""
        if self._robot.fixed:
            return self._none(graph, target, purpose, relation, part)
        placeless = graph.copy()
        placeless.remove(ROBOT)
        found = place_base(Scene(placeless, map=self._map), self._robot, target, purpose, relation=relation,
                           part=part)
        if isinstance(found, SkillResult):
            return _reason(found)
        if self._at(found[:2]) == self._at(graph[ROBOT].position[:2]) > 0:
            return ""
        return self._none(graph, target, purpose, relation, part)

    def _at(self, place: tuple[float, float]) -> int:
        """Number of the stretch of free floor about a place; 0: there is none."""
        return int(self._parts[tuple(self._map.cells(place))])

    def _none(self, graph: WorldGraph, target: str, purpose: str, relation: str = "", part: str = "") -> str:
        found = place_base(Scene(graph, map=self._map), self._robot, target, purpose, relation=relation, part=part)
        return _reason(found) if isinstance(found, SkillResult) else ""


def in_the_way(house: House, robot: RobotDescription, name: str) -> str:
    """The nearest piece of furniture without which the robot could use the one of that `name`; empty where it is not
    one alone, or a wall."""
    piece = house.piece(name)
    near = sorted((other for other in house.furniture if other.name != name),
                  key=lambda other: math.dist(other.pose[:2], piece.pose[:2]))
    for other in near[:_SUSPECTS]:
        gone = carried_along(house, other) - {name}
        left = tuple(p for p in house.furniture if p.name not in gone)
        if not any(WorkingPlaces(house.model_copy(update={"furniture": left, "objects": ()}), robot).faults(name)):
            return other.name
    return ""


def carried_along(house: House, piece: Furniture) -> set[str]:
    """Names of a piece and of the furniture that stands on it."""
    return {piece.name, *(p.name for p in house.furniture if p.elevation > 0 and _carries(piece, p))}


def _carries(lower: Furniture, upper: Furniture) -> bool:
    here = np.abs(lower.pose2.inverse().apply(upper.pose[:2]))
    return bool((here <= np.array(size_of(lower)[:2]) / 2).all()) and upper.elevation <= size_of(lower)[2] + 0.01


def _is_seat(piece: Entity) -> bool:
    return Affordance.SIT.value in affordances_of(piece.category)


def _reason(found: SkillResult) -> str:
    return found.message.partition(";")[0]
