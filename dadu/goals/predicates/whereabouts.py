"""Where a thing is: on, in, in which room, on the floor, in a hand. Definitions: PARTNR, table 6.

What is held is on and in nothing, and in no room: carried past a table is not put there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dadu.goals.predicates.predicate import Family, Predicate
from dadu.goals.predicates.view import Answer, WorldView, all_of, any_of, negated
from dadu.world.graph import Kind, Relation

REST_TOLERANCE = 0.03
"""[m] between the underside of a thing and what it rests on"""
FLOOR_TOLERANCE = 0.04
"""[m] between the underside of a thing and the floor"""

_OBJECT = frozenset((Kind.OBJECT,))
_CARRIES = frozenset((Kind.OBJECT, Kind.FURNITURE))


def is_on_top(view: WorldView, subject: str, support: str) -> Answer:
    """It rests on it, or on or in an object that does: a cup on a tray, an apple in a bowl on the table."""
    return _carried(view, subject, Relation.ON, support)


def is_inside(view: WorldView, subject: str, container: str) -> Answer:
    """It lies in it, or on or in an object that does."""
    return _carried(view, subject, Relation.IN, container)


def is_on_floor(view: WorldView, subject: str, _: str = "") -> Answer:
    """It lies there, or on or in an object that does."""
    return any_of(view.lies_on_floor(id) for id in carriers(view, subject))


def is_in_room(view: WorldView, subject: str, room: str) -> Answer:
    rooms = view.rooms(subject)
    return all_of((negated(view.held(subject)), None if rooms is None else room in rooms))


def is_held(view: WorldView, subject: str, _: str = "") -> Answer:
    return view.held(subject)


def is_held_by(view: WorldView, subject: str, agent: str) -> Answer:
    return view.held_by(subject, agent)


def carriers(view: WorldView, id: str) -> Iterator[str]:
    """An object, and the objects that it rests on or in, directly or not, as far as that is known."""
    seen, queue = {id}, [id]
    while queue:
        top = queue.pop(0)
        yield top
        below = [edge.object for edge in view.supports(top) or () if view.kind(edge.object) is Kind.OBJECT]
        queue += [other for other in below if other not in seen]
        seen |= set(below)


def containers(view: WorldView, id: str) -> frozenset[str] | None:
    """The furniture that a thing is in, itself or with what carries it."""
    edges = [view.supports(carrier) for carrier in carriers(view, id)]
    if None in edges:
        return None
    return frozenset(edge.object for of in edges for edge in of or ()
                     if edge.relation is Relation.IN and view.kind(edge.object) is Kind.FURNITURE)


def place_of(view: WorldView, id: str, _: Sequence[str] = ()) -> str:
    """``milk_0 is in fridge_0``, ``milk_0 is on the floor in hall``..."""
    return f"{id} is {whereabouts(view, id)}"


def whereabouts(view: WorldView, id: str) -> str:
    """Where a thing is, for a sentence: ``in fridge_0``, ``held by the robot``..."""
    if view.held(id):
        return "in a hand"
    edges = [edge for carrier in carriers(view, id) for edge in view.supports(carrier) or ()
             if view.kind(edge.object) is Kind.FURNITURE]
    for relation in (Relation.IN, Relation.ON):
        holder = next((edge.object for edge in edges if edge.relation is relation), "")
        if holder:
            return f"{relation.value} {holder}"
    room = min(view.rooms(id) or (), default="")
    if view.kind(id) is not Kind.OBJECT:
        return f"in {room}" if room else "in no room"
    place = "on the floor" if is_on_floor(view, id) else "somewhere"
    return f"{place} in {room}" if room else place


def _carried(view: WorldView, subject: str, relation: Relation, holder: str) -> Answer:
    """True if it, or an object that carries it, stands in this relation to the holder."""
    return any_of(_rests(view, carrier, relation, holder) for carrier in carriers(view, subject))


def _rests(view: WorldView, id: str, relation: Relation, holder: str) -> Answer:
    edges = view.supports(id)
    if edges is None:
        return None
    return any(edge.relation is relation and edge.object == holder for edge in edges)


ROWS = (
    Predicate(
        "is_on_top", Family.WHEREABOUTS, (_OBJECT, _CARRIES), is_on_top, place_of, skill="place", relation=Relation.ON,
        tolerance=REST_TOLERANCE,
        means=f"its underside is within {REST_TOLERANCE} m of an open surface below it, such as a table or the "
              "bottom of a sink, or it is on or in an object that rests so"),
    Predicate(
        "is_inside", Family.WHEREABOUTS, (_OBJECT, _CARRIES), is_inside, place_of, skill="place", relation=Relation.IN,
        means="its centre or two of its corners are between the walls, or it is on or in an object that is inside"),
    Predicate(
        "is_in_room", Family.WHEREABOUTS, (_CARRIES | {Kind.AGENT}, frozenset((Kind.ROOM,))), is_in_room, place_of,
        skill="place", means="a quarter of its corners and centre are in it, and nobody holds it"),
    Predicate(
        "is_on_floor", Family.WHEREABOUTS, (_OBJECT,), is_on_floor, place_of, tolerance=FLOOR_TOLERANCE,
        means=f"its underside is within {FLOOR_TOLERANCE} m of the floor, or it is on or in an object that lies there"),
    Predicate("is_held", Family.WHEREABOUTS, (_OBJECT,), is_held, place_of, skill="pick", means="it is in a hand"),
    Predicate("is_held_by", Family.WHEREABOUTS, (_OBJECT, frozenset((Kind.AGENT,))), is_held_by, place_of,
              skill="handover", means="it is in this agent's hand"),
)
