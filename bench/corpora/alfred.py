"""ALFRED: crowd workers' descriptions of a task, with the task's own parameters as the goal.

Of an annotation these are used: ``task_type`` and ``pddl_params`` (the goal), where the demonstration took things from
(so that "from the sink" is true), what lies about in the scene (the rest of the house), and ``task_desc``. Each scene
becomes one room of the same kind, with its kinds of furniture along two walls. What people call like the wanted thing
(a pen beside a pencil), or furniture that the sentence's word for the place would mean as well (a chair beside the
armchair that it calls a chair), is left out of the rest: the workers had seen which was meant. For the same reason the
wanted thing and the place have the colour that the sentence gives them.

Goals are those of the corpus: heated, then placed; two in one place; the thing in the container and the container at
its place. *Examined in light* is the lamp on and the thing in the hand, or beside the lamp. In a sink, a bathtub or a
container things may be in or on it: what the corpus does not tell apart is no mistake.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import yaml

from bench.corpora.differs import called, names, plain
from dadu.imports.alfred.goals import goals_of
from dadu.imports.alfred.kinds import kinds, snake_case
from dadu.imports.alfred.layout import read_classes
from dadu.imports.alfred.source import AlfredTrial, trials_in
from dadu.imports.instructed.rows import RowPiece, RowRoom, home
from dadu.imports.instructed.task import Task
from dadu.imports.procthor.home import kinds as thor_kinds

DATA = "data/json_2.1.0"
LAYOUTS = "gen/layouts"
_COLORS = ("white", "black", "grey", "gray", "red", "blue", "green", "yellow", "brown", "orange", "pink", "purple")
_REST = 14
"""things that lie about besides the wanted ones"""
_AREA = 0.06
"""of a surface for one thing [m2]"""


@cache
def words() -> Mapping[str, Any]:
    """``alfred.yaml``"""
    content: Mapping[str, Any] = yaml.safe_load((Path(__file__).parent / "alfred.yaml").read_text())
    return content


def read_trials(copy: Path, splits: tuple[str, ...]) -> Iterator[AlfredTrial]:
    """All demonstrations of the splits, in the order of their names. Errors: FileNotFoundError naming a split."""
    for split in splits:
        folder = copy / DATA / split
        if not folder.is_dir():
            raise FileNotFoundError(f"{folder}: no such split in this copy of ALFRED")
        yield from (replace(trial, id=f"{split}-{trial.id}") for _, trial in trials_in(folder))


def task_of(trial: AlfredTrial, sentence: int, layout: Iterable[str], seed: int) -> Task:
    """One sentence of a trial as an episode in a house like its scene; the same for the same arguments."""
    text = plain(trial.sentences[sentence])
    scene = _Scene(layout, trial, text, np.random.default_rng([seed, int(trial.id.rpartition("_")[2])]))
    return Task(id=f"alfred-{trial.id}-{sentence}", level=trial.kind + ("-sliced" if trial.sliced else ""),
                instruction=trial.sentences[sentence].strip(), house=scene.house(), objects=scene.objects,
                goals=scene.goals(), group=trial.group)


def layouts(copy: Path, trials: Iterable[AlfredTrial]) -> dict[str, frozenset[str]]:
    """Of every scene of the trials the classes of furniture that stand in it, by layout file and by what was done."""
    found: dict[str, set[str]] = defaultdict(set)
    for trial in trials:
        if trial.floor_plan not in found:
            found[trial.floor_plan] |= read_classes(copy / LAYOUTS, trial.floor_plan)
        taken = (place for places in trial.taken_from.values() for place in places)
        found[trial.floor_plan] |= {trial.parent, trial.lamp, *taken}
    return {plan: frozenset(classes & words()["furniture"].keys()) for plan, classes in found.items()}


def _pieces(name: str, color: str = "") -> list[RowPiece]:
    """All that stand in a scene which has some of this class."""
    known = kinds().furniture[name]
    return [RowPiece(f"{snake_case(name)}_{i}", known.category, known.aliases, known.size, color)
            for i in range(words()["furniture"][name].get("count", 1))]


class _Scene:
    """The furniture and things of a trial as a sentence speaks of them, and its goal among them."""

    def __init__(self, layout: Iterable[str], trial: AlfredTrial, text: str, rng: np.random.Generator) -> None:
        self.trial, self.text, self.rng = trial, text, rng
        self.pieces = {name: _pieces(name, self._color(name, "furniture")) for name in sorted(self._unlike(layout))}
        self.room = {p.name: _room_on(p) for pieces in self.pieces.values() for p in pieces}
        self.objects: list[dict[str, Any]] = []
        self.names: dict[str, list[str]] = defaultdict(list)
        self._wanted()
        self._rest()

    def house(self) -> dict[str, Any]:
        """The house file; scenes of the same furniture have the same."""
        kind, number = kinds().room(self.trial.floor_plan), self.trial.floor_plan.removeprefix("FloorPlan")
        pieces = [piece for of in self.pieces.values() for piece in of]
        return home(f"alfred_{number}_{crc32(repr(pieces).encode()):08x}", [RowRoom(kind, kind, pieces)])

    def _unlike(self, layout: Iterable[str]) -> set[str]:
        """The furniture without what the sentence's word for the place, or the lamp, would mean as well."""
        trial, known = self.trial, called(words()["furniture"])
        needed = {trial.parent, trial.lamp, *(p for places in trial.taken_from.values() for p in places)}
        lamps = known if trial.lamp in known else called(words()["objects"])
        said = {*names(self.text, known.get(trial.parent, ())), *names(self.text, lamps.get(trial.lamp, ()))}
        return {name for name in layout if name in needed or not said & set(known[name])}

    def _color(self, name: str, table: str) -> str:
        """The one that the sentence gives to the wanted thing or place, which nothing else tells."""
        if name not in (self.trial.object, self.trial.movable, self.trial.parent, self.trial.lamp):
            return ""
        for word in words()[table][name]["called"]:
            found = re.search(rf" ({'|'.join(_COLORS)}) (?:\w+ )?{word}s? ", self.text)
            if found:
                return found[1]
        return ""

    def goals(self) -> list[dict[str, Any]]:
        """All readings of the corpus's goal."""
        return goals_of(self.trial, self.names, {name: [p.name for p in of] for name, of in self.pieces.items()})

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
        rest = [name for name in dict.fromkeys(sorted(thing.kind for thing in trial.things))
                if name in known and name not in wanted and not said & set(known[name]["called"])]
        if trial.sliced:
            rest = [name for name in rest if name not in ("Knife", "ButterKnife")]
            self._add("Knife", "")
        for i in self.rng.permutation(len(rest))[:_REST]:
            self._add(rest[int(i)], "")

    def _add(self, name: str, place: str) -> None:
        found = self._free(name, place)
        if found is None:
            return
        relation, piece = found
        category = thor_kinds().object(name).category
        id = f"{category}_{len(self.names[name])}"
        thing: dict[str, Any] = {"name": id, "category": category, relation: piece}
        if color := self._color(name, "objects"):
            thing["attributes"] = {"color": color}
        if name == self.trial.movable and name in kinds().vessels:
            thing["size"] = list(kinds().vessels[name])
        if self.trial.kind == "pick_clean_then_place_in_recep" and name == self.trial.object:
            thing["states"] = {"clean": False}
        self.names[name].append(id)
        self.objects.append(thing)
        self.room[piece] -= 1

    def _free(self, name: str, place: str) -> tuple[str, str] | None:
        """Where a thing goes: where it was, or on something that is not its goal; in what has only an inside."""
        if place in self.pieces:
            piece = self.pieces[place][0].name
            return ("in" if kinds().furniture[place].inside else "on"), piece
        tops = [p.name for c, pieces in self.pieces.items() for p in pieces
                if self.room[p.name] > 0 and c != self.trial.parent and c in _TOPS]
        if not tops:
            return None
        return "on", tops[int(self.rng.integers(len(tops)))]


_TOPS = ("CounterTop", "DiningTable", "SideTable", "CoffeeTable", "Desk", "Dresser", "Shelf", "TVStand", "Sofa", "Bed",
         "ArmChair", "Cart", "Chair", "StoveBurner", "Toilet")
"""what the rest lies on"""


def _room_on(piece: RowPiece) -> int:
    """For how many things there is room, about."""
    depth, width, _ = piece.extent
    return max(1, min(8, int(depth * width / _AREA / 2)))
