"""How doors and drawers stand. ``FURNITURE/PART`` asks for one of them."""

from __future__ import annotations

from collections.abc import Sequence

from dadu.goals.predicates.predicate import Family, Predicate
from dadu.goals.predicates.view import Answer, WorldView
from dadu.world.graph import Kind

_THING = frozenset((Kind.OBJECT, Kind.FURNITURE))


def is_open(view: WorldView, subject: str, _: str = "") -> Answer:
    """Any part of it is open."""
    parts = view.parts(subject)
    return None if parts is None else any(part.open for part in parts)


def is_closed(view: WorldView, subject: str, _: str = "") -> Answer:
    """It has parts, and all of them are shut: more than "not open"."""
    parts = view.parts(subject)
    return None if parts is None else bool(parts) and all(part.closed for part in parts)


def how_open(view: WorldView, subject: str, _: Sequence[str]) -> str:
    """``fridge_0 is open``, ``closed``, ``half open``, or that it cannot be either."""
    if not view.parts(subject):
        return f"{subject} has nothing to open"
    word = "open" if is_open(view, subject) else "closed" if is_closed(view, subject) else "half open"
    return f"{subject} is {word}"


ROWS = (
    Predicate(
        "is_open", Family.PART, (_THING,), is_open, how_open, opposite="is_closed", skill="open",
        means="a door or drawer of it is open by 60 % of its range or more"),
    Predicate(
        "is_closed", Family.PART, (_THING,), is_closed, how_open, opposite="is_open", skill="close",
        means="it has doors or drawers, none of them open by more than 10 % of its range"),
)
