"""The world graph: house, rooms, furniture, objects and agents, and how they stand to each other.

Source: PARTNR's house > room > furniture > object graph. Positions are in map [m], yaw [rad]; stamps in seconds on the
clock in use.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dadu.core.errors import DaduError, choices
from dadu.core.geometry import Pose2, rotation
from dadu.world.boxes import OrientedBox
from dadu.world.looks import looks

AGENT_SIZE = (0.35, 0.35, 1.4)
"""[m]: what counts as an agent's body where something is next to it"""
LIGHTNESS = "lightness"
"""the attribute that says how light a thing was seen to be: 0 to 1, to two places"""
UNIDENTIFIED = "thing"
"""category of what is known to be there, but not what it is: the hand feels it, or the eyes know no name for it"""
_LEAST = 1e-6
"""[m]: extent of what has none that is known"""


ROBOT = "robot"
"""id of the agent whose graph it is: what everybody calls oneself, in plans, memory and goals"""


class Kind(str, Enum):
    """What an entity is; the value is its name in messages and files."""

    HOUSE = "house"
    ROOM = "room"
    FURNITURE = "furniture"
    OBJECT = "object"
    AGENT = "agent"
    SUSPECT = "suspect"
    """what may be a piece of furniture, and was seen too little to be believed"""


class Relation(str, Enum):
    """A directed edge: subject, relation, object."""

    ON = "on"
    IN = "in"
    NEXT_TO = "next_to"
    HELD_BY = "held_by"
    IN_ROOM = "in_room"


@dataclass(frozen=True)
class Surface:
    """A level rectangle on or in a piece of furniture where things can stand."""

    name: str
    """unique within the furniture: ``top``, ``board_1``, ``inside``..."""
    pose: Pose2
    """centre in map; x axis out of the furniture's front, as the furniture's own"""
    height: float
    """[m] above the floor"""
    size: tuple[float, float]
    """extent along the surface's x and y [m]"""
    clearance: float
    """free height above it [m]; 2 or more where open above"""
    inside: bool = False
    """enclosed: things here are *in* the furniture rather than *on* it"""
    part: str = ""
    """the articulated part that must be open to reach it, or empty"""

    @property
    def carries(self) -> bool:
        """True if what stands here is *on* the furniture: so it is in a sink or a basket too, which nothing shuts."""
        return not (self.inside and self.part)


OPEN, CLOSED = 0.6, 0.1
"""shares of its range: a part open by at least the one is open, by at most the other closed"""
BLUR = 0.04
"""share of its range by which a part may stand otherwise than it is seen to"""


@dataclass(frozen=True)
class Articulation:
    """A hinged or sliding part. Opening turns it by `value` about `axis`, or shifts it along `axis`."""

    name: str
    kind: str
    """``hinge`` (value [rad]) or ``slide`` (value [m])"""
    origin: tuple[float, float, float]
    """a point of the axis, map [m]"""
    axis: tuple[float, float, float]
    """unit vector in map; positive values open"""
    handle: tuple[float, float, float]
    """centre of the handle when closed, map [m]"""
    handle_axis: tuple[float, float, float]
    """unit vector along the bar of the handle, map"""
    normal: tuple[float, float, float]
    """unit vector out of the closed part's face at the handle, map"""
    range: float
    """value when fully open"""
    value: float = 0.0
    """last known"""

    @property
    def open(self) -> bool:
        """Open enough to reach in: at least 60 % of its range."""
        return self.value >= OPEN * self.range

    @property
    def closed(self) -> bool:
        """By no more than 10 % of its range."""
        return self.value <= CLOSED * self.range

    @property
    def surely_open(self) -> bool:
        """Open even if `value` is what was seen, which may be a little off."""
        return self.value >= (OPEN + BLUR) * self.range

    @property
    def surely_closed(self) -> bool:
        """Closed even if `value` is what was seen, which may be a little off."""
        return self.value <= (CLOSED - BLUR) * self.range

    def handle_at(self, value: float) -> np.ndarray:
        """Centre (3,) [m, map] of the handle where the part is open by `value` [rad or m]."""
        axis, origin, handle = (np.array(v, float) for v in (self.axis, self.origin, self.handle))
        if self.kind == "slide":
            return handle + value * axis
        turned: np.ndarray = rotation((*(math.sin(value / 2) * axis), math.cos(value / 2))) @ (handle - origin)
        return origin + turned


@dataclass(frozen=True)
class Entity:
    """One thing the robot knows of."""

    id: str
    """unique, such as ``milk_0``"""
    kind: Kind
    category: str
    """catalogue name, such as ``milk_carton``, ``fridge``, ``kitchen``"""
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """objects: centre of the bounding box; furniture: centre of the footprint on the floor; map [m]"""
    yaw: float = 0.0
    size: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """bounding box along the entity's own axes [m]; a visible estimate where sensed"""
    aliases: tuple[str, ...] = ()
    attributes: dict[str, str] = field(default_factory=dict)
    """such as color, material, brand; seen things also have a `LIGHTNESS`, which is no word"""
    states: dict[str, bool] = field(default_factory=dict)
    """is_open, is_clean, is_filled, is_powered_on...: only what is known"""
    polygon: tuple[tuple[float, float], ...] = ()
    """rooms: outline in map [m]"""
    surfaces: tuple[Surface, ...] = ()
    parts: tuple[Articulation, ...] = ()
    provenance: str = "prior"
    """prior, detection, skill or operator: what its last change rests on"""
    stamp: float = 0.0
    """when it was last confirmed [s]"""
    confidence: float = 1.0
    """0 to 1; decays for what moves and is not seen again"""
    pixels: int = 0
    """evidence of the last sighting"""
    may_be: dict[str, float] = field(default_factory=dict)
    """what else it may be, by category, likeliest first, with the share of what was seen of it that says so"""
    seen_here: dict[str, float] = field(default_factory=dict)
    """rooms (for what is on the floor) and furniture: how often things of a category were met here, in this task and
    those before it, the older the less (`dadu.memory.semantic_map`)"""

    @property
    def pose(self) -> Pose2:
        return Pose2(self.position[0], self.position[1], self.yaw)

    @property
    def called(self) -> str:
        """What it is, in words; where nobody knows that, what it looks like."""
        if self.category == UNIDENTIFIED:
            return looks(self.attributes.get("color", ""), self.size)
        return self.category.replace("_", " ")

    def share_of(self, categories: Collection[str]) -> float:
        """Share of what was seen of it that calls it one of these, beside its own name."""
        return sum(share for category, share in self.may_be.items() if category in categories)

    @property
    def told(self) -> dict[str, str]:
        """Its attributes that are words."""
        return {name: value for name, value in self.attributes.items() if name != LIGHTNESS}

    @cached_property
    def values(self) -> frozenset[str]:
        """Its attributes' values, as an instruction would say them."""
        said = [value.lower() for value in self.told.values()]
        return frozenset((*said, *(word for value in said for word in value.replace("_", " ").split())))

    @property
    def is_container(self) -> bool:
        """True if something must be opened to reach inside."""
        return bool(self.parts)

    @property
    def closed(self) -> bool:
        """A container whose every part is shut (or not known to be open)."""
        return bool(self.parts) and not any(part.open for part in self.parts)

    def part_of(self, surface: Surface) -> Articulation | None:
        return next((part for part in self.parts if part.name == surface.part), None)

    def surface_pose(self, surface: Surface) -> Pose2:
        """Where a surface is now, in map: a drawer's moves with the drawer."""
        part = self.part_of(surface)
        if part is None or part.kind != "slide":
            return surface.pose
        x, y, yaw = surface.pose
        return Pose2(x + part.axis[0] * part.value, y + part.axis[1] * part.value, yaw)

    @cached_property
    def box(self) -> OrientedBox:
        """The space that it takes up, as far as its extents are known; furniture and agents stand on their position."""
        x, y, z = self.position
        size = np.array(AGENT_SIZE) if self.kind is Kind.AGENT else np.maximum(self.size, _LEAST)
        return OrientedBox.upright(x, y, z - size[2] / 2 if self.kind is Kind.OBJECT else z, self.yaw, size)

    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Lowest and highest corner (3,) of the upright box in map [m], to read; furniture stands on its position."""
        return self._bounds

    @cached_property
    def _bounds(self) -> tuple[np.ndarray, np.ndarray]:
        c, s = abs(np.cos(self.yaw)), abs(np.sin(self.yaw))
        half = np.array([c * self.size[0] + s * self.size[1], s * self.size[0] + c * self.size[1], self.size[2]]) / 2
        centre = np.array(self.position, float)
        if self.kind in (Kind.FURNITURE, Kind.SUSPECT):
            centre[2] += half[2]
        corners = centre - half, centre + half
        for corner in corners:
            corner.flags.writeable = False
        return corners


@dataclass(frozen=True)
class Edge:
    """``subject relation object``, both ids; `part` names the surface where the relation is on or in."""

    subject: str
    relation: Relation
    object: str
    part: str = ""


class UnknownEntity(DaduError):
    """An id that the graph does not hold (outcome code 31)."""


class WorldGraph:
    """Entities and edges. Not thread-safe; nodes hand over copies or messages."""

    def __init__(self, entities: Iterable[Entity] = (), edges: Iterable[Edge] = ()) -> None:
        self.entities: dict[str, Entity] = {e.id: e for e in entities}
        self.edges: set[Edge] = set(edges)

    def __contains__(self, id: str) -> bool:
        return id in self.entities

    def __getitem__(self, id: str) -> Entity:
        """Errors: UnknownEntity naming what there is."""
        try:
            return self.entities[id]
        except KeyError:
            raise UnknownEntity(f"nothing called {id!r} is known; known: {choices(e.id for e in self)}") from None

    def __iter__(self) -> Iterator[Entity]:
        """What is believed: no suspects, which are asked for by `of`."""
        return (e for e in self.entities.values() if e.kind is not Kind.SUSPECT)

    def of(self, kind: Kind) -> list[Entity]:
        return [e for e in self.entities.values() if e.kind is kind]

    def put(self, entity: Entity) -> None:
        """Adds or replaces."""
        self.entities[entity.id] = entity

    def change(self, id: str, **fields: Any) -> Entity:
        """Replaces some fields of one entity and returns it."""
        self.entities[id] = entity = replace(self[id], **fields)
        return entity

    def remove(self, id: str) -> None:
        """Drops an entity and every edge that names it."""
        self.entities.pop(id, None)
        self.edges = {e for e in self.edges if id not in (e.subject, e.object)}

    def support(self, id: str) -> Edge | None:
        """The one edge (on, in or held_by) that says where an object is, or None."""
        for edge in self.edges:
            if edge.subject == id and edge.relation in (Relation.ON, Relation.IN, Relation.HELD_BY):
                return edge
        return None

    def set_support(self, id: str, edge: Edge | None) -> None:
        """Replaces where an object is."""
        self.edges = {e for e in self.edges if not (e.subject == id and e.relation is not Relation.IN_ROOM)}
        if edge is not None:
            self.edges.add(edge)

    def contents(self, id: str, *relations: Relation) -> list[Entity]:
        """What is on, in or held by `id` (all three unless `relations` narrows it), sorted by id."""
        wanted = relations or (Relation.ON, Relation.IN, Relation.HELD_BY)
        subjects = sorted(e.subject for e in self.edges if e.object == id and e.relation in wanted)
        return [self.entities[s] for s in subjects if s in self.entities]

    def held(self, agent: str = ROBOT) -> Entity | None:
        """What the agent has in its hand."""
        return next(iter(self.contents(agent, Relation.HELD_BY)), None)

    def room_of(self, id: str) -> Entity | None:
        """The room an entity is in (a room: itself): by edge, else by where its support is, else by position."""
        if id in self.entities and self.entities[id].kind is Kind.ROOM:
            return self.entities[id]
        for edge in self.edges:
            if edge.subject == id and edge.relation is Relation.IN_ROOM:
                return self.entities.get(edge.object)
        support = self.support(id)
        if support is not None:
            return self.room_of(support.object)
        entity = self.entities.get(id)
        return self.room_at(entity.position[:2]) if entity else None

    def room_at(self, xy: Sequence[float] | np.ndarray) -> Entity | None:
        """The room whose outline holds a point (2,) of the map [m]."""
        x, y = float(xy[0]), float(xy[1])
        return next((r for r in self.of(Kind.ROOM) if _holds(r.polygon, x, y)), None)

    def copy(self) -> WorldGraph:
        return WorldGraph(self.entities.values(), self.edges)


def _holds(polygon: Sequence[tuple[float, float]], x: float, y: float) -> bool:
    """`points_in_polygon` of one point, which is too little for arrays."""
    if len(polygon) < 3:
        return False
    crossed = False
    for (x0, y0), (x1, y1) in zip(polygon, (*polygon[1:], polygon[0])):
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) / (y1 - y0) * (x1 - x0):
            crossed = not crossed
    return crossed


def points_in_polygon(polygon: ArrayLike, xy: ArrayLike) -> np.ndarray:
    """bool (...): whether points (..., 2) lie in a polygon (N, 2), both in one frame [m]: even-odd rule."""
    p, points = np.asarray(polygon, float), np.asarray(xy, float)
    if len(p) < 3:
        return np.zeros(points.shape[:-1], bool)
    q = np.roll(p, -1, axis=0)
    x, y = points[..., 0, None], points[..., 1, None]
    straddles = (p[:, 1] > y) != (q[:, 1] > y)
    with np.errstate(divide="ignore", invalid="ignore"):
        crossing = p[:, 0] + (y - p[:, 1]) / (q[:, 1] - p[:, 1]) * (q[:, 0] - p[:, 0])
    return np.count_nonzero(straddles & (x < crossing), axis=-1) % 2 == 1
