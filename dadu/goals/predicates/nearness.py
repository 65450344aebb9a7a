"""What a thing is next to."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dadu.goals.predicates.predicate import Family, Predicate
from dadu.goals.predicates.view import Answer, WorldView, all_of
from dadu.goals.predicates.whereabouts import REST_TOLERANCE, containers, place_of
from dadu.world.boxes import OrientedBox, boxes_within, horizontal_gap, overlap_vertically
from dadu.world.graph import Kind

NEXT_TO = 0.5
"""[m] between two boxes, seen from above: up to here a thing is next to another, for the judge as for the robot"""
AT_FURNITURE = 1.5
"""[m] from the middle of an agent to what it stands at: arm's length plus the base"""

_POINT = np.full(3, 1e-6)
_THINGS = frozenset((Kind.OBJECT, Kind.FURNITURE))
_ANY = _THINGS | {Kind.AGENT}


def is_next_to(view: WorldView, subject: str, reference: str) -> Answer:
    """Their boxes are near and on a level, no wall or door of furniture between them; an agent: it can work on it.
    Next to the bed is also what stands on a night table that is higher."""
    if subject == reference:
        return False
    a, b = _body(view, subject), view.box(reference)
    if view.kind(subject) is Kind.AGENT:
        return None if a is None or b is None else boxes_within(a, b, AT_FURNITURE)
    if view.held(subject) or view.held(reference):
        return False
    if a is None or b is None:
        return None
    furniture = Kind.FURNITURE in (view.kind(subject), view.kind(reference))
    level = overlap_vertically(a, b, NEXT_TO if furniture else REST_TOLERANCE)
    return boxes_within(a, b, NEXT_TO) and level and all_of((
        _in_one_room(view, subject, reference), _in_the_same(view, subject, reference)))


def _body(view: WorldView, id: str) -> OrientedBox | None:
    """Its box; the middle of an agent."""
    box = view.box(id)
    return OrientedBox(box.centre, box.R, _POINT) if box is not None and view.kind(id) is Kind.AGENT else box


def _in_one_room(view: WorldView, subject: str, reference: str) -> bool:
    """What stands across a wall is not next to it; where rooms are not known, nothing speaks against it."""
    here, there = view.rooms(subject), view.rooms(reference)
    return not here or not there or bool(here & there)


def _in_the_same(view: WorldView, subject: str, reference: str) -> Answer:
    """What is shut in a fridge is next to nothing outside, not even the fridge."""
    here, there = containers(view, subject), containers(view, reference)
    return None if here is None or there is None else here == there


def how_far(view: WorldView, subject: str, references: Sequence[str]) -> str:
    """``milk_0 is on table_0, 1.20 m from mug_0``."""
    here = _body(view, subject)
    apart = [(horizontal_gap(here, there), r) for r in references
             if here is not None and r != subject and (there := view.box(r)) is not None]
    near = f", {min(apart)[0]:.2f} m from {min(apart)[1]}" if apart else ""
    return f"{place_of(view, subject)}{near}"


ROWS = (
    Predicate(
        "is_next_to", Family.COMPANY, (_ANY, _ANY), is_next_to, how_far, skill="place", tolerance=NEXT_TO,
        means=f"boxes at most {NEXT_TO} m apart seen from above, on a level (next to furniture: up to {NEXT_TO} m "
              "above it), in one room, in the same furniture or in none; of the robot: at most "
              f"{AT_FURNITURE} m from its middle"),
    Predicate(
        "is_clustered", Family.COMPANY, (_THINGS,), is_next_to, how_far, skill="place", tolerance=NEXT_TO, lists=True,
        means="each is next to another of them, and all hang together"),
)
