"""ALFRED: crowd workers' descriptions of a task, with the task's own parameters as the goal.

Of an annotation these are used: ``task_type`` and ``pddl_params`` (the goal), where the demonstration took things from
(so that "from the sink" is true), what lies about in the scene (the rest of the house), and ``task_desc``. Each scene
becomes one room of the same kind, with its kinds of furniture along two walls. What people call like the wanted thing
(a pen beside a pencil) is left out of the rest: the workers had seen which was meant.

Goals are those of the corpus: heated, then placed; two in one place; the thing in the container and the container at
its place. *Examined in light* is the lamp on and the thing in the hand, or beside the lamp. In a sink, a bathtub or a
container things may be in or on it: what the corpus does not tell apart is no mistake.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from bench.corpora.alfred_copy import Trial, read_layout
from bench.corpora.rooms import Piece, PlannedRoom, home
from bench.corpora.task import Task
from dadu.house.catalogue import furniture_categories, object_categories

_ROOMS = (("kitchen", 0), ("living_room", 200), ("bedroom", 300), ("bathroom", 400))
_STATES = {"pick_clean_then_place_in_recep": "is_clean", "pick_heat_then_place_in_recep": "is_hot",
           "pick_cool_then_place_in_recep": "is_cold"}
_REST = 14
"""things that lie about besides the wanted ones"""
_AREA = 0.06
"""of a surface for one thing [m2]"""


@cache
def words() -> Mapping[str, Any]:
    """``alfred.yaml``"""
    content: Mapping[str, Any] = yaml.safe_load((Path(__file__).parent / "alfred.yaml").read_text())
    return content


def task_of(trial: Trial, sentence: int, layout: Iterable[str], seed: int) -> Task:
    """One sentence of a trial as an episode in the house of its scene; the same for the same arguments."""
    house = _House(layout, trial, np.random.default_rng([seed, int(trial.id.rpartition("_")[2])]))
    return Task(id=f"alfred-{trial.id}-{sentence}", level=trial.kind + ("-sliced" if trial.sliced else ""),
                instruction=trial.sentences[sentence].strip(), house=house_name(trial.floor_plan),
                objects=house.objects, goals=house.goals(), group=f"{trial.floor_plan} {trial.kind} {trial.object} "
                f"{trial.parent} {trial.movable} {trial.lamp}")


def house_name(floor_plan: str) -> str:
    """``alfred_floor_plan_12``"""
    return f"alfred_floor_plan_{floor_plan.removeprefix('FloorPlan')}"


def house_of(floor_plan: str, classes: Iterable[str]) -> dict[str, Any]:
    """The house file of a scene that holds these classes."""
    number = int(floor_plan.removeprefix("FloorPlan"))
    kind = next(room for room, first in reversed(_ROOMS) if number >= first)
    return home(house_name(floor_plan), [PlannedRoom(kind, kind, _pieces(classes))])


def layouts(copy: Path, trials: Iterable[Trial]) -> dict[str, frozenset[str]]:
    """Of every scene of the trials the classes of furniture that stand in it, by layout file and by what was done."""
    found: dict[str, set[str]] = defaultdict(set)
    for trial in trials:
        if trial.floor_plan not in found:
            found[trial.floor_plan] |= read_layout(copy, trial.floor_plan)
        taken = (place for places in trial.taken_from.values() for place in places)
        found[trial.floor_plan] |= {trial.parent, trial.lamp, *taken}
    return {plan: frozenset(classes & words()["furniture"].keys()) for plan, classes in found.items()}


def _pieces(classes: Iterable[str]) -> list[Piece]:
    out = []
    for name in sorted(classes):
        known = words()["furniture"][name]
        size = tuple(known["size"]) if "size" in known else None
        out += [Piece(f"{_snake(name)}_{i}", known["is"], tuple(known.get("aliases", ())), size)
                for i in range(known.get("count", 1))]
    return out


def _snake(name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() and i and not name[i - 1].isupper() else c.lower()
                   for i, c in enumerate(name))


class _House:
    """The things of a trial, and its goal among them."""

    def __init__(self, layout: Iterable[str], trial: Trial, rng: np.random.Generator) -> None:
        self.trial, self.rng = trial, rng
        self.pieces = {name: [p for p in _pieces([name])] for name in sorted(layout)}
        self.room = {p.name: _room_on(p) for pieces in self.pieces.values() for p in pieces}
        self.objects: list[dict[str, Any]] = []
        self.names: dict[str, list[str]] = defaultdict(list)
        self._wanted()
        self._rest()

    def goals(self) -> list[dict[str, Any]]:
        """All readings of the corpus's goal."""
        trial = self.trial
        thing = self.names[trial.object]
        if trial.lamp:
            lamps = [p.name for p in self.pieces.get(trial.lamp, ())] or self.names[trial.lamp]
            on = {"is_powered_on": [lamps]}
            near = [{"is_held": [thing]}, {"is_next_to": [thing, lamps]}]
            return [{"propositions": [on, one], "constraints": [{"terminal": [0, 1]}]} for one in near]
        holder = self.names[trial.movable] if trial.movable else thing
        inner = [[{way: [thing, holder]}] for way in ("is_inside", "is_on_top")] if trial.movable else [[]]
        ways = _ways(trial.parent)
        parents = [p.name for p in self.pieces[trial.parent]]
        two = {"number": 2, "same_target": True} if trial.kind == "pick_two_obj_and_place" else {}
        return [self._goal([*first, {way: [holder, parents], **two}]) for first, way in product(inner, ways)]

    def _goal(self, placed: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """What is changed first, then placed; it stays where it was placed."""
        trial, thing = self.trial, self.names[self.trial.object]
        number = {"number": 2} if trial.kind == "pick_two_obj_and_place" else {}
        before: list[dict[str, Any]] = [{"is_sliced": [thing], **number}] if trial.sliced else []
        if trial.kind in _STATES:
            before.append({_STATES[trial.kind]: [thing]})
        propositions, count = [*before, *placed], len(before)
        after = list(range(count, len(propositions)))
        goal: dict[str, Any] = {"propositions": propositions, "constraints": [{"terminal": after}]}
        if before and trial.kind in _STATES:
            goal["dependencies"] = [{"propositions": after, "depends_on": [count - 1], "relation": "after_satisfied"}]
        of_thing = [i for i, p in enumerate(propositions) if next(iter(p.values()))[0] == thing]
        if len(of_thing) > 1 and not number:
            goal["constraints"].append({"same_arg": {"propositions": of_thing, "arg": 0}})
        return goal

    def _wanted(self) -> None:
        trial = self.trial
        for name in dict.fromkeys(n for n in (trial.object, trial.movable) if n):
            count = 2 if name == trial.object and trial.kind == "pick_two_obj_and_place" else 1
            places = (*trial.taken_from.get(name, ()), *("" for _ in range(count)))[:count]
            for place in places:
                self._add(name, place)
        if trial.lamp and trial.lamp not in self.pieces:
            self._add(trial.lamp, next((c for c in ("Desk", "Dresser", "SideTable", "Shelf") if c in self.pieces), ""))

    def _rest(self) -> None:
        """What else lies about, as far as there is room; none of it makes the goal true from the start."""
        trial, known = self.trial, words()["objects"]
        wanted = {trial.object, trial.movable, trial.lamp} - {""}
        said = {word for name in wanted for word in known[name]["called"]} if wanted <= known.keys() else set()
        rest = [name for name in dict.fromkeys(trial.things)
                if name in known and name not in wanted and not said & set(known[name]["called"])]
        if trial.sliced:
            rest = [name for name in rest if name not in ("Knife", "ButterKnife")]
            self._add("Knife", "")
        for i in self.rng.permutation(len(rest))[:_REST]:
            self._add(rest[int(i)], "")

    def _add(self, name: str, place: str) -> None:
        known = words()["objects"][name]
        found = self._free(name, place)
        if found is None:
            return
        relation, piece = found
        id = f"{known['is']}_{len(self.names[name])}"
        thing: dict[str, Any] = {"name": id, "category": known["is"], relation: piece}
        if "shape" in known:
            thing |= {"shape": known["shape"], "size": list(known["size"])}
        if self.trial.kind == "pick_clean_then_place_in_recep" and name == self.trial.object:
            thing["states"] = {"clean": False}
        self.names[name].append(id)
        self.objects.append(thing)
        self.room[piece] -= 1

    def _free(self, name: str, place: str) -> tuple[str, str] | None:
        """Where a thing goes: where it was, or on something that is not its goal; in what has only an inside."""
        if place in self.pieces:
            piece = self.pieces[place][0].name
            return ("in" if words()["furniture"][place].get("inside") else "on"), piece
        tops = [p.name for c, pieces in self.pieces.items() for p in pieces
                if self.room[p.name] > 0 and c != self.trial.parent and c in _TOPS]
        if not tops:
            return None
        return "on", tops[int(self.rng.integers(len(tops)))]


_TOPS = ("CounterTop", "DiningTable", "SideTable", "CoffeeTable", "Desk", "Dresser", "Shelf", "TVStand", "Sofa", "Bed",
         "ArmChair", "Cart", "Chair", "StoveBurner", "Toilet")
"""what the rest lies on"""


def _ways(parent: str) -> tuple[str, ...]:
    known = words()["furniture"][parent]
    if known.get("both"):
        return "is_inside", "is_on_top"
    return ("is_inside",) if known.get("inside") else ("is_on_top",)


def _room_on(piece: Piece) -> int:
    """For how many things there is room, about."""
    depth, width, _ = piece.extent
    return max(1, min(8, int(depth * width / _AREA / 2)))


def unknown_categories() -> list[str]:
    """What the table calls a category, but neither the catalogue nor the table says what it is like."""
    found = [e["is"] for e in words()["objects"].values() if e["is"] not in object_categories() and "shape" not in e]
    return found + [e["is"] for e in words()["furniture"].values()
                    if e["is"] not in furniture_categories() and "size" not in e]
