"""How doors and drawers stand. ``FURNITURE/PART`` asks for one of them."""

from __future__ import annotations

from collections.abc import Sequence

from dadu.goals.predicates.predicate import Family, Predicate
from dadu.goals.predicates.view import Answer, WorldView, all_of, any_of
from dadu.world.graph import Kind

_THING = frozenset((Kind.OBJECT, Kind.FURNITURE))


def is_open(view: WorldView, subject: str, _: str = "") -> Answer:
    """Any part of it is open."""
    parts = view.parts(subject)
    return None if parts is None else any_of(_answer(view, part.open, part.surely_open) for part in parts)


def is_closed(view: WorldView, subject: str, _: str = "") -> Answer:
    """It has parts, and all of them are shut: more than "not open"."""
    parts = view.parts(subject)
    if not parts:
        return None if parts is None else False
    return all_of(_answer(view, part.closed, part.surely_closed) for part in parts)


def _answer(view: WorldView, so: bool, surely: bool) -> Answer:
    """What was measured to be just so may as well not be. Found by `dadu chaos`: a door at 0.998 rad, seen at 1.03, was
    told to be open already, which it is from 1.02 on."""
    return so if view.exact or so == surely else None


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
