"""What a goal's words mean in the true world. Definitions: PARTNR, table 6, cast against boxes.

Beyond PARTNR, what is held is on, in and next to nothing and in no room: carried past a table is not put there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from dadu.world.boxes import Box, horizontal_gap, overlap_vertically
from dadu.world.graph import Articulation, Kind, inside
from dadu.world.state import ROBOT, World

REST_TOLERANCE = 0.03
"""[m] between an object's underside and what it rests on"""
FLOOR_TOLERANCE = 0.04
NEXT_TO = 0.5
"""[m] between two boxes, seen from above"""
AT_FURNITURE = 1.5
"""[m] from the robot's centre to what it stands at: arm's length plus the base"""
CORNERS_INSIDE = 2
"""that make a thing lie inside although its centre does not"""
ROOM_SHARE = 0.25
"""of an object's corners and centre that must lie in the room"""

Test = Callable[[World, str, str], bool]


def is_on_top(world: World, subject: str, support: str) -> bool:
    """A ray straight down from a key point meets an open surface of furniture, or the top of an object, right below
    the underside; or it stands on something that does."""
    return any(_rests_on(world, s, support) for s in _pile(world, subject))


def is_inside(world: World, subject: str, container: str) -> bool:
    """Opposing rays meet the walls of an enclosed space of furniture (a drawer's moves with it), or of an object's box:
    from the centre, or from two corners. Between its walls is where all of them do."""
    body = world.body(subject)
    if body is None or body.held or subject == container:
        return False
    return any(_enclosed(body.box, space) for space in _inner(world, container))


def is_in_room(world: World, subject: str, room: str) -> bool:
    """A quarter of its corners and centre lie in the room; carried through a room is not brought there."""
    body, area = world.body(subject), world.entity(room)
    if area is None or area.kind is not Kind.ROOM or body is not None and body.held:
        return False
    return float(np.mean([inside(area.polygon, p[:2]) for p in keypoints(world.box(subject))])) >= ROOM_SHARE


def is_next_to(world: World, subject: str, reference: str) -> bool:
    """Boxes overlap in height and lie within reach of each other; the robot: where it can work on the reference."""
    body = world.body(subject)
    if subject == reference or body is not None and body.held:
        return False
    a, b = world.box(subject), world.box(reference)
    if subject == ROBOT:
        return horizontal_gap(Box(a.centre, a.R, np.full(3, 1e-6)), b) <= AT_FURNITURE
    return overlap_vertically(a, b) and horizontal_gap(a, b) <= NEXT_TO


def is_on_floor(world: World, subject: str, _: str = "") -> bool:
    body = world.body(subject)
    return body is not None and not body.held and abs(body.box.bottom) <= FLOOR_TOLERANCE


def is_held(world: World, subject: str, _: str = "") -> bool:
    body = world.body(subject)
    return body is not None and body.held


def is_open(world: World, subject: str, _: str = "") -> bool:
    """Any part of it is open; ``FURNITURE/PART`` asks for one."""
    return any(part.open for part in _parts(world, subject))


def is_closed(world: World, subject: str, _: str = "") -> bool:
    """It has parts, and all of them are shut."""
    parts = list(_parts(world, subject))
    return bool(parts) and all(part.closed for part in parts)


def _state(name: str, opposite: str = "") -> Test:
    """A state, which also tells of its opposite. As in PARTNR what is not known of a thing is not so: it is not clean
    (dirty), not filled (empty), not powered (off)."""
    negative = name in ("is_dirty", "is_empty", "is_powered_off")

    def test(world: World, subject: str, _: str = "") -> bool:
        states = world.states(subject)
        if opposite in states:
            return not states[opposite]
        return states.get(name, negative and subject in world.names)
    return test


TESTS: Mapping[str, Test] = {
    "is_on_top": is_on_top, "is_inside": is_inside, "is_in_room": is_in_room, "is_next_to": is_next_to,
    "is_on_floor": is_on_floor, "is_held": is_held, "is_open": is_open, "is_closed": is_closed,
    "is_clustered": is_next_to,
    "is_clean": _state("is_clean", "is_dirty"), "is_dirty": _state("is_dirty", "is_clean"),
    "is_filled": _state("is_filled", "is_empty"), "is_empty": _state("is_empty", "is_filled"),
    "is_powered_on": _state("is_powered_on", "is_powered_off"),
    "is_powered_off": _state("is_powered_off", "is_powered_on"),
    "is_sliced": _state("is_sliced"), "is_hot": _state("is_hot"), "is_cold": _state("is_cold"),
}
"""Test by predicate; is_clustered is built from is_next_to by whoever counts."""


def whereabouts(world: World, subject: str) -> str:
    """Where a thing is, for a sentence: ``in fridge_0``, ``held by the robot``..."""
    if is_held(world, subject):
        return "held by the robot"
    furniture = [e.id for e in world.layout.of(Kind.FURNITURE)]
    for word, test in (("in", is_inside), ("on", is_on_top)):
        for id in furniture:
            if test(world, subject, id):
                return f"{word} {id}"
    place = "on the floor" if is_on_floor(world, subject) else "somewhere"
    room = next((r.id for r in world.layout.of(Kind.ROOM) if is_in_room(world, subject, r.id)), "")
    return f"{place} in {room}" if room else place


def keypoints(box: Box) -> np.ndarray:
    """(9, 3) [m]: the corners, then the centre."""
    return np.vstack([box.corners, box.centre])


def _enclosed(box: Box, space: Box) -> bool:
    within = np.all(np.abs(space.local(keypoints(box))) <= space.size / 2 + 0.01, axis=1)
    return bool(within[-1] or within[:-1].sum() >= CORNERS_INSIDE)


def _pile(world: World, subject: str) -> Iterator[str]:
    """The object and whatever objects it rests on, top to bottom."""
    seen: set[str] = set()
    queue = [subject]
    while queue:
        top = queue.pop()
        if top not in seen:
            seen.add(top)
            yield top
            queue += [other for other in world.state.bodies if other not in seen and _rests_on(world, top, other)]


def _rests_on(world: World, subject: str, support: str) -> bool:
    body = world.body(subject)
    if body is None or body.held or subject == support:
        return False
    bottom, points = body.box.bottom, keypoints(body.box)[:, :2]
    return any(abs(bottom - height) <= REST_TOLERANCE and any(place.covers(p) for p in points)
               for height, place in _tops(world, support))


def _tops(world: World, id: str) -> Iterator[tuple[float, Box]]:
    """Height [m] and place of every level where something can rest *on* a thing."""
    body, entity = world.body(id), world.entity(id)
    if body is not None and not body.held:
        yield body.box.top, body.box
    elif entity is not None and entity.kind is Kind.FURNITURE:
        yield from ((space.bottom, space) for space in world.surface_boxes(entity, inside=False))


def _inner(world: World, id: str) -> list[Box]:
    body, entity = world.body(id), world.entity(id)
    if body is not None:
        return [body.box]
    return world.surface_boxes(entity, inside=True) if entity is not None else []


def _parts(world: World, id: str) -> Iterator[Articulation]:
    furniture, _, name = id.partition("/")
    entity = world.entity(furniture)
    for part in entity.parts if entity is not None else ():
        if name in ("", part.name):
            yield replace(part, value=world.state.parts.get(f"{furniture}/{part.name}", part.value))
