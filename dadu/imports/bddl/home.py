"""An activity as a home and a task: the rooms and furniture that it names, its things where it says that they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import cycle
from typing import Any

import numpy as np

from dadu.core.geometry import Pose2
from dadu.goals.predicates.predicate import Family
from dadu.goals.suite_goal import SuiteGoal, SuiteProposition
from dadu.house.catalogue import Affordance
from dadu.house.files import parse_house
from dadu.house.format import Furniture, House, Room
from dadu.house.furniture.pieces import furniture_model
from dadu.house.layout import build_graph
from dadu.house.states import affordances_of
from dadu.imports.bddl.goal import Untranslatable, goal_in
from dadu.imports.bddl.kinds import KindHere, room_category
from dadu.imports.bddl.source import BddlProblem
from dadu.imports.bddl.taken import Taken, taken
from dadu.imports.bddl.things import growth, size_of, thing_of
from dadu.imports.bddl.words import sentence
from dadu.imports.drafts import DraftThing
from dadu.imports.floor import FloorPlaces
from dadu.imports.instructed.rows import RowPiece, RowRoom, home
from dadu.imports.instructed.task import Task
from dadu.imports.report import ImportReport
from dadu.skills.table import SKILLS
from dadu.world.graph import Kind

_STATES = {"open": ("open", True, "open"), "not open": ("open", False, "open"),
           "toggled_on": ("powered", True, "power_on"), "not toggled_on": ("powered", False, "power_on")}
"""a state, its value, and what one has to be able to do with a thing that has it"""
_WHERE = ("ontop", "inside", "inroom", "nextto")
_BRINGS = ("is_on_top", "is_inside", "is_on_floor", "is_in_room", "is_next_to")
_APART = 0.5
"""things on the floor, where there is room [m]"""
_LEVELS = ((2, "one or two"), (5, "three to five"))
"""by how many things have to stand somewhere"""


@dataclass(frozen=True)
class BddlTask:
    """A task, and what their judge needs to be asked about it."""

    task: Task
    problem: BddlProblem
    names: Mapping[str, str]
    """theirs to ours"""
    either: Mapping[str, str]
    """the predicate that stands for *ontop* and *inside*, of our furniture that has no inside, or no top"""


def task_of(problem: BddlProblem, report: ImportReport) -> BddlTask:
    """Errors: Untranslatable, naming the predicate, the category or what else stands in the way."""
    goal, found = goal_in(problem), ImportReport(problem.name)
    here = taken(problem, {name for name in goal.names if name in problem.category_of}, found)
    content = _home(here, goal, found)
    house = parse_house({**content}, problem.name)
    able = _able(here, house)
    for p in goal.propositions:
        for name in p.arguments[0]:
            _check(p, here.kinds[name], able[name])
    either = _either(house)
    said = _said(goal, here, either)
    floor = FloorPlaces(house, ImportReport("floor"))
    things = _things(here, house, goal, floor, found)
    content["robot"] = {"pose": list(floor.robot(Pose2(*house.robot.pose)).pose)}
    _set_states(here, able, [*content["furniture"], *things], found)
    number = sum(p.numbers[0] for p in goal.propositions)
    level = next((name for most, name in _LEVELS if number <= most), "six and more")
    words = {here.names[name]: here.words(name) for name in here.names}
    report.changes += found.changes
    report.left_out += found.left_out
    task = Task(problem.name, level, sentence(said, words), content, things, [said], problem.name)
    return BddlTask(task, problem, here.names, either)


def _able(here: Taken, house: House) -> dict[str, set[str]]:
    """What can be done with each thing; with furniture that has neither door nor drawer: not opened."""
    parted = {piece.id for piece in build_graph(house).of(Kind.FURNITURE) if piece.parts}
    return {name: {word for word in affordances_of(kind.category) if word != Affordance.OPEN.value or
                   here.names[name] in parted} for name, kind in here.kinds.items()}


def _check(p: SuiteProposition, subject: KindHere, able: set[str]) -> None:
    """Errors: Untranslatable for what no skill does to such a thing."""
    kind = Kind.FURNITURE if subject.furniture else Kind.OBJECT
    if p.predicate in _BRINGS and subject.furniture:
        raise Untranslatable(f"furniture that is to be moved: {subject.category}")
    needs = {Affordance.OPEN.value} if p.definition.family is Family.PART else {
        SKILLS[skill].arguments[0].affordance for skill in p.definition.skills(kind)} - {"", Affordance.PICK.value}
    if needs and p.definition.maker is None and not needs & able:
        raise Untranslatable(f"{p.predicate}: not made for it here: {subject.category}")


def _home(here: Taken, goal: SuiteGoal, report: ImportReport) -> dict[str, Any]:
    """The content of a house file, without things. The agent's room comes first."""
    rooms: dict[str, list[RowPiece]] = {room: [] for room in (here.start, *here.problem.rooms.values()) if room}
    for name, kind in here.kinds.items():
        if kind.furniture:
            aliases = () if here.words(name) == kind.category.replace("_", " ") else (here.words(name),)
            piece = RowPiece(here.names[name], kind.category, aliases, kind.size)
            decks = furniture_model(Furniture.model_validate(piece.at("room", 0, 0, 0))).decks
            factor = growth(name, here, goal, [(*deck.size, deck.inside) for deck in decks])
            if factor > 1:
                depth, width, height = piece.extent
                piece = replace(piece, size=(round(depth * factor, 3), round(width * factor, 3), height))
                report.change(f"{here.problem.name} {name}", "furniture made larger for what goes on or in it",
                              factor - 1, "of its size")
            rooms[here.room(name) or ""].append(piece)
    return home(f"bddl_{''.join(c if c.isalnum() else '_' for c in here.problem.name)}",
                [RowRoom(room, room_category(room), pieces) for room, pieces in rooms.items()])


def _inside(house: House) -> dict[str, set[bool]]:
    """Of each piece, whether its surfaces are inside it."""
    return {piece.id: {surface.inside for surface in piece.surfaces}
            for piece in build_graph(house).of(Kind.FURNITURE)}


def _either(house: House) -> dict[str, str]:
    found = _inside(house)
    return {name: "is_inside" if inside == {True} else "is_on_top" for name, inside in found.items() if len(inside) < 2}


def _said(goal: SuiteGoal, here: Taken, either: Mapping[str, str]) -> dict[str, Any]:
    """As in a suite, in the home's names. Errors: Untranslatable."""
    propositions = []
    for p in goal.propositions:
        arguments, predicate = [[here.names.get(name, name) for name in of] for of in p.arguments], p.predicate
        if predicate in ("is_on_top", "is_inside"):
            meant = {either.get(target, predicate) for target in arguments[1]}
            if len(meant) > 1:
                raise Untranslatable("in some, on others")
            predicate = meant.pop()
        rest = p.model_dump(mode="json", exclude_defaults=True, exclude={"predicate", "arguments"})
        propositions.append({predicate: arguments, **rest})
    constraints = [c.model_dump(mode="json", exclude_none=True) for c in goal.constraints]
    return {"propositions": propositions, "constraints": constraints}


def _things(here: Taken, house: House, goal: SuiteGoal, floor: FloorPlaces, report: ImportReport
            ) -> list[dict[str, Any]]:
    """As in a suite. Errors: Untranslatable."""
    inside = _inside(house)
    things: list[dict[str, Any]] = []
    along = {room.name: _along(room) for room in house.rooms}
    for name, kind in here.kinds.items():
        if kind.furniture:
            continue
        thing = thing_of(name, here, goal, report)
        relation, holder, passed = here.support(name)
        if passed:
            report.change(f"{here.problem.name} {name}", "things beside what they are in or on at first", passed,
                          "steps")
        if holder is not None:
            piece = here.names[holder]
            within = inside[piece] == {True} or relation == "inside" and True in inside[piece]
            things.append({**thing, "in" if within else "on": piece})
            continue
        room = house.room(here.room(name) or "")
        draft = DraftThing(name, kind.category, next(along[room.name]), 0.0, size_of(thing), kind.shape)
        lain = next(iter(floor.put(draft, thing["name"])), None)
        if lain is None:
            raise Untranslatable("no room left on the floor")
        things.append({**thing, "room": lain.room, "at": list(lain.at or ()), "yaw": lain.yaw})
    return things


def _along(room: Room) -> Iterator[Pose2]:
    """Places along its middle, over and over [m]."""
    (left, low), (right, high) = room.floor[0], room.floor[2]
    return cycle(Pose2(x, (low + high) / 2, 0.0) for x in np.arange(left + _APART, right - _APART / 2, _APART))


def _set_states(here: Taken, able: Mapping[str, set[str]], entries: list[dict[str, Any]], report: ImportReport) -> None:
    """How things are at first."""
    named = {entry["name"]: entry for entry in entries}
    for fact in here.problem.init:
        head, atom = (f"not {fact[1][0]}", fact[1]) if fact[0] == "not" else (fact[0], fact)
        entry = named.get(here.names.get(atom[1], ""))
        state, value, needs = _STATES.get(head, ("", False, ""))
        if entry is not None and needs and needs in able[atom[1]]:
            entry.setdefault("states", {})[state] = value
        elif head not in _WHERE:
            report.leave_out(f"{here.problem.name} {atom[1]}", "facts of the beginning", f"predicate {head}")
