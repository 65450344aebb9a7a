"""A thing as a suite has it. What is to hold something has an inside, and room for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dadu.goals.suite_goal import SuiteGoal
from dadu.house.catalogue import Affordance, Size, object_categories
from dadu.house.format import Object
from dadu.house.objects import object_model
from dadu.imports.bddl.kinds import kinds
from dadu.imports.bddl.taken import Taken
from dadu.imports.report import ImportReport

_ROOM = 1.6
"""things that stand side by side need so many times their own area"""
_EDGE = 0.03
"""of a vessel beyond the longest thing in it [m]"""


def thing_of(name: str, taken: Taken, goal: SuiteGoal, report: ImportReport) -> dict[str, Any]:
    """Without its place. What is not as the catalogue has it is in the `report`."""
    kind, item = taken.kinds[name], f"{taken.problem.name} {name}"
    said: dict[str, Any] = {"name": taken.names[name], "category": kind.category}
    if kind.shape is not None and kind.size is not None:
        said |= {"shape": kind.shape.value, "size": list(kind.size)}
        report.change(item, "things of a category of their own, as large as a kin of theirs", max(kind.size))
    hollow = any(p.predicate == "is_inside" and name in p.arguments[1] for p in goal.propositions)
    if hollow and Affordance.PLACE_IN.value not in _affordances(kind.category):
        report.change(item, "vessels without an inside made open boxes", 1, "vessel")
        said = {"name": said["name"], "category": kinds().vessel}
    held = [size for p in goal.propositions if p.predicate in ("is_inside", "is_on_top") and name in p.arguments[1]
            for size in _sizes(p.arguments[0][:p.numbers[0]], taken)]
    if held:
        usual = size_of(said)
        area, longest = _ROOM * sum(size[0] * size[1] for size in held), max(max(size[:2]) for size in held)
        factor = max((area / (usual[0] * usual[1])) ** 0.5, (longest + _EDGE) / max(usual[:2]))
        if factor > 1:
            said["size"] = [round(usual[0] * factor, 3), round(usual[1] * factor, 3), usual[2]]
            report.change(item, "vessels made larger for what goes in", factor - 1, "of their size")
    if taken.words(name) != said["category"].replace("_", " "):
        said["aliases"] = [taken.words(name)]
    return said


def size_of(said: dict[str, Any]) -> Size:
    """[m]"""
    return object_model(Object.model_validate(said)).size


def _sizes(names: Sequence[str], taken: Taken) -> Iterator[Size]:
    for name in names:
        kind = taken.kinds.get(name)
        if kind is not None and not kind.furniture:
            yield kind.size or object_categories()[kind.category].size


def _affordances(category: str) -> Sequence[str]:
    known = object_categories().get(category)
    return known.affordances if known is not None else ()
