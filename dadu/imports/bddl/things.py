"""A thing as a suite has it. What is to hold something has an inside, and room for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dadu.goals.suite_goal import SuiteGoal
from dadu.house.catalogue import Affordance, Size, object_categories
from dadu.house.format import Object
from dadu.house.objects import object_model
from dadu.imports.bddl.kinds import kinds
from dadu.imports.bddl.taken import Taken
from dadu.imports.report import ImportReport

_ROOM, _GAP = 2.0, 0.05
"""things that are set down one after the other need so many times their own area, with so much about them [m]"""
_EDGE = 0.03
"""of a vessel beyond the longest thing in it [m]"""


def thing_of(name: str, taken: Taken, goal: SuiteGoal, report: ImportReport) -> dict[str, Any]:
    """Without its place. What is not as the catalogue has it is in the `report`."""
    kind, item = taken.kinds[name], f"{taken.problem.name} {name}"
    said = {"name": taken.names[name], **_make(name, taken, goal)}
    if kind.shape is not None and kind.size is not None:
        report.change(item, "things of a category of their own, as large as a kin of theirs", max(kind.size))
    if said["category"] != kind.category:
        report.change(item, "vessels without an inside made open boxes", 1, "vessel")
    usual, wanted = size_of(said), size_here(name, taken, goal)
    if wanted != usual:
        said["size"] = list(wanted)
        report.change(item, "vessels made larger for what goes in", wanted[0] / usual[0] - 1, "of their size")
    if taken.words(name) != said["category"].replace("_", " "):
        said["aliases"] = [taken.words(name)]
    return said


def _make(name: str, taken: Taken, goal: SuiteGoal) -> dict[str, Any]:
    """Its category, and where that is one of its own its shape and size."""
    kind = taken.kinds[name]
    hollow = any(p.predicate == "is_inside" and name in p.arguments[1] for p in goal.propositions)
    known = object_categories().get(kind.category)
    if hollow and Affordance.PLACE_IN.value not in (known.affordances if known is not None else ()):
        return {"category": kinds().vessel}
    if kind.shape is None or kind.size is None:
        return {"category": kind.category}
    return {"category": kind.category, "shape": kind.shape.value, "size": list(kind.size)}


def size_here(name: str, taken: Taken, goal: SuiteGoal, holders: frozenset[str] = frozenset()) -> Size:
    """A thing's with room for what goes in or on it [m]; `holders`: what itself is to have room for it."""
    x, y, z = size_of({"name": "x", **_make(name, taken, goal)})
    factor = growth(name, taken, goal, [(x, y, True)], holders)
    return (x, y, z) if factor == 1 else (round(x * factor, 3), round(y * factor, 3), z)


def size_of(said: dict[str, Any]) -> Size:
    """[m]"""
    return object_model(Object.model_validate(said)).size


def growth(name: str, taken: Taken, goal: SuiteGoal, places: Sequence[tuple[float, float, bool]],
           holders: frozenset[str] = frozenset()) -> float:
    """By what factor its sides have to grow so that all has room that is on or in it at first, or is to be in the end.
    `places`: extents of where things stand on or in it [m], whether inside; `holders`: as in `size_here`."""
    held = {one: support[0] for one in taken.kinds if (support := taken.support(one))[1] == name}
    for p in goal.propositions:
        if p.predicate in ("is_inside", "is_on_top") and name in p.arguments[1]:
            held |= dict.fromkeys(p.arguments[0][:p.numbers[0]], "inside" if p.predicate == "is_inside" else "ontop")
    factor, within = 1.0, holders | {name}
    for relation in ("inside", "ontop"):
        sizes = [size_here(one, taken, goal, within) for one, how in held.items()
                 if how == relation and not taken.kinds[one].furniture and one not in within]
        room = [place[:2] for place in places if place[2] == (relation == "inside")] or [place[:2] for place in places]
        if sizes and room:
            needed = _ROOM * sum((x + _GAP) * (y + _GAP) for x, y, _ in sizes)
            factor = max(factor, (needed / sum(x * y for x, y in room)) ** 0.5,
                         (max(max(x, y) for x, y, _ in sizes) + _EDGE) / max(max(place) for place in room))
    return factor
