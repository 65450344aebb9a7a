"""The true world as a view: everything is known, and measured on boxes. Definitions: PARTNR, table 6."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from dadu.goals.predicates.view import Answer, told
from dadu.goals.predicates.whereabouts import FLOOR_TOLERANCE, REST_TOLERANCE
from dadu.house.catalogue import Affordance, object_categories
from dadu.world.boxes import OrientedBox
from dadu.world.graph import ROBOT, Articulation, Edge, Entity, Kind, Relation, points_in_polygon
from dadu.world.state import ObjectState, TrueWorld

CORNERS_INSIDE = 2
"""that make a thing lie inside although its centre does not"""
WALL = 0.01
"""[m] by which a thing may stick into the walls of what it is in"""
DRAWN_OUT = 1.0
"""[m] beyond its furniture that no drawer, and no surface, reaches"""
ROOM_SHARE = 0.25
"""of a thing's corners and centre that must lie in the room"""


class TruthView:
    """One state of the simulated world. Privileged: for judging alone. Answers are never None."""

    unheard: Answer = False
    exact = True

    def __init__(self, world: TrueWorld) -> None:
        self.world = world
        self._supports: dict[str, tuple[Edge, ...]] = {}

    def kind(self, id: str) -> Kind | None:
        if id in self.world.state.bodies:
            return Kind.OBJECT
        if id == ROBOT or id in self.world.state.others:
            return Kind.AGENT
        if id in self.world.state.parts:
            return Kind.FURNITURE
        entity = self.world.entity(id)
        return entity.kind if entity is not None else None

    def category(self, id: str) -> str:
        found = self.world.body(id) or self.world.entity(id)
        return found.category if found is not None else ""

    def held(self, id: str) -> bool:
        body = self.world.body(id)
        return body is not None and body.held

    def held_by(self, id: str, agent: str) -> bool:
        body = self.world.body(id)
        return body is not None and body.held and agent == (body.holder or ROBOT)

    def lies_on_floor(self, id: str) -> bool:
        body = self.world.body(id)
        return body is not None and not body.held and body.box.is_down_to(0.0, FLOOR_TOLERANCE)

    def rooms(self, id: str) -> frozenset[str]:
        """Those in which a quarter of its corners and centre lie."""
        box = self.box(id)
        if box is None:
            return frozenset()
        points = keypoints(box)[:, :2]
        return frozenset(room.id for room in self.world.layout.of(Kind.ROOM)
                         if np.mean(points_in_polygon(room.polygon, points)) >= ROOM_SHARE)

    def box(self, id: str) -> OrientedBox | None:
        """None for what takes up no space of its own, such as a room."""
        solid = self.kind(id) in (Kind.OBJECT, Kind.FURNITURE, Kind.AGENT) and id not in self.world.state.parts
        return self.world.box(id) if solid else None

    def state(self, id: str, name: str, opposite: str = "") -> bool:
        return bool(told(self.world.states(id), name, opposite))

    def parts(self, id: str) -> tuple[Articulation, ...]:
        furniture, _, name = id.partition("/")
        entity, values = self.world.entity(furniture), self.world.state.parts
        return tuple(replace(part, value=values.get(f"{furniture}/{part.name}", part.value))
                     for part in (entity.parts if entity is not None else ()) if name in ("", part.name))

    def supports(self, id: str) -> tuple[Edge, ...]:
        """*On*: a ray straight down from a corner or the centre meets an open surface of furniture (the bottom of a
        sink is one), or the top of an object, right below its underside. *In*: opposing rays meet the walls of an
        enclosed space of furniture (a drawer's moves with it), or of an object's box: from the centre, or from two
        corners."""
        if id not in self._supports:
            body = self.world.body(id)
            self._supports[id] = tuple(self._find_supports(body)) if body is not None and not body.held else ()
        return self._supports[id]

    def _find_supports(self, body: ObjectState) -> Iterator[Edge]:
        for other in self.world.state.bodies.values():
            if other.name != body.name and _meet(body.box, other.box):
                yield from (Edge(body.name, relation, other.name) for relation in _held_up(body.box, other))
        pieces = self.world.layout.of(Kind.FURNITURE)
        for piece in (p for p in pieces if _meet(body.box, p.box, DRAWN_OUT)):
            yield from (Edge(body.name, relation, piece.id) for relation in self._held_up_by(body.box, piece))

    def _held_up_by(self, box: OrientedBox, piece: Entity) -> Iterator[Relation]:
        if any(_rests(box, space.bottom, space) for space in self.world.carrying_boxes(piece)):
            yield Relation.ON
        if any(_meet(box, space) and _enclosed(box, space) for space in self.world.inner_boxes(piece)):
            yield Relation.IN


def keypoints(box: OrientedBox) -> np.ndarray:
    """(9, 3) [m] in map: the corners, then the centre."""
    return np.vstack([box.corners, box.centre])


def _held_up(box: OrientedBox, other: ObjectState) -> Iterator[Relation]:
    """What is let into a flat thing, a tray or a plate, is on it. What is of no category in the catalogue may be a
    vessel, however shallow. Of two boxes that hold each other's middle, the lower one is the vessel."""
    category = object_categories().get(other.category)
    affords = category.affordances if category is not None else ()
    flat = Affordance.PLACE_ON.value in affords and Affordance.PLACE_IN.value not in affords
    on_top = _rests(box, other.box.top, other.box)
    enclosed = box.bottom >= other.box.bottom and _enclosed(box, other.box)
    if on_top or flat and enclosed:
        yield Relation.ON
    if enclosed and not flat and (not on_top or category is None):
        yield Relation.IN


def _rests(box: OrientedBox, height: float, place: OrientedBox) -> bool:
    """On something at this height [m] that reaches as far as `place`, seen from above."""
    return box.is_down_to(height, REST_TOLERANCE) and any(place.covers(p) for p in keypoints(box)[:, :2])


def _enclosed(box: OrientedBox, space: OrientedBox) -> bool:
    within = np.all(np.abs(space.local(keypoints(box))) <= space.size / 2 + WALL, axis=1)
    return bool(within[-1] or within[:-1].sum() >= CORNERS_INSIDE)


def _meet(a: OrientedBox, b: OrientedBox, slack: float = REST_TOLERANCE) -> bool:
    """True if the balls around two boxes meet, or miss each other by no more than `slack` [m]: if not, neither holds
    the other."""
    return bool(np.linalg.norm(a.centre - b.centre) <= a.radius + b.radius + slack)
