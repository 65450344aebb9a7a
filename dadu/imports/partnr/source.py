"""PARTNR's guiding instructions of its training scenes: rearrange, spatial, temporal.

Such a file has sentences, and for each of them which things (``object_classes``, ``number``) stand at the beginning on
which furniture in which room. It has no evaluation: no propositions, no target. Derived from the fields are the house
(all rooms and furniture that the episodes of a scene name, and a few pieces that each kind of room has), the things in
it, and what the words of a sentence may refer to. Where things are to be in the end stands in the sentence alone.
`dadu.imports.partnr.targets` reads that by a few fixed patterns over the fields' own names, on purpose far simpler than
the planner's grammar and independent of it, and
gives up where any word is left over, where a place is no furniture or room of the fields (a coffee table, a closet),
where a name fits no class, or for the floor, which no furniture of ours is. So the sentences that are judged are the
plainer ones, and figures on them are upper bounds for PARTNR; how many were left out is printed.

Goals: the place of each thing after every step in its order, and beside each other where that is said; only the last
place of a thing has to hold at the end.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dadu.imports.instructed.rows import RowPiece, RowRoom, home
from dadu.imports.instructed.task import Task
from dadu.imports.partnr.targets import Fields, Unclear, goals

KINDS = ("rearrange", "spatial", "temporal")
FOLDER = "dataset_generation/benchmark_generation/prompts_benchmark/instruction_prompts"
_ROOMS = {"laundryroom": "laundry_room", "entryway": "hall"}
"""the first of PARTNR's names of a kind of room, where ours is another"""

_USUAL = {"bedroom": ("bed", "table", "chest_of_drawers", "chair"), "living_room": ("couch", "table", "chair"),
          "kitchen": ("counter", "table", "cabinet", "stool"), "dining_room": ("table", "chair"), "hall": ("counter",)}
"""what a room has though no episode of its scene says so, since sentences do"""
_KINDS = ("chest_of_drawers", "counter", "table", "chair", "couch", "shelves", "cabinet", "bed", "stool", "bench",
          "washer_dryer", "toilet", "wardrobe", "fridge", "sink")


@dataclass(frozen=True)
class GuidingInstruction:
    """One entry of a file."""

    id: str
    kind: str
    scene: str
    text: str
    state: Sequence[Mapping[str, Any]]


def read_instructions(copy: Path, split: str) -> list[GuidingInstruction]:
    """All of a split, ``train`` or ``val``. Errors: FileNotFoundError."""
    found = []
    for kind in KINDS:
        entries = json.loads((copy / FOLDER / f"300_{kind}_{split}_template.json").read_text())
        found += [GuidingInstruction(f"partnr-{kind}-{split}-{i}", kind, str(e["scene_id"]), e["instruction"].strip(),
                              e["initial_state"]) for i, e in enumerate(entries)]
    return found


def tasks_of(instructions: Sequence[GuidingInstruction]) -> tuple[list[Task], dict[str, int]]:
    """Those whose goal could be derived, and how many could not, by reason."""
    scenes = {scene: _Scene(scene, [i for i in instructions if i.scene == scene])
              for scene in dict.fromkeys(i.scene for i in instructions)}
    tasks, left_out = [], defaultdict[str, int](int)
    for instruction in instructions:
        try:
            tasks.append(scenes[instruction.scene].task(instruction))
        except Unclear as why:
            left_out[f"{instruction.kind}: {why}"] += 1
    return tasks, dict(left_out)


class _Scene:
    """The house of a scene: what its episodes name."""

    def __init__(self, scene: str, instructions: Iterable[GuidingInstruction]) -> None:
        self.furniture: dict[str, str] = {}
        for instruction in instructions:
            for entry in instruction.state:
                for region in entry["allowed_regions"]:
                    self.furniture |= {name: room_name(region) for name in entry["furniture_names"]
                                       if not name.startswith("floor")}
        rooms = {*self.furniture.values(), *(f"{kind}_0" for kind in _USUAL)}
        for room in sorted(rooms):
            there = {kind_of(name) for name, where in self.furniture.items() if where == room}
            for kind in _USUAL.get(room.rpartition("_")[0], ()):
                if kind not in there:
                    self.furniture[f"{kind}_{room}"] = room
        by_room: dict[str, list[RowPiece]] = defaultdict(list)
        for name, room in sorted(self.furniture.items()):
            by_room[room].append(RowPiece(name, kind_of(name)))
        self.house = home(f"partnr_{scene}", [RowRoom(room, room.rpartition("_")[0], pieces)
                                              for room, pieces in sorted(by_room.items())])

    def task(self, instruction: GuidingInstruction) -> Task:
        """Errors: Unclear."""
        things: list[dict[str, Any]] = []
        count: dict[str, int] = defaultdict(int)
        for entry in instruction.state:
            [category, place] = entry["object_classes"][0], entry["furniture_names"][0]
            if place not in self.furniture:
                raise Unclear("something lies on the floor")
            for _ in range(entry["number"]):
                name = f"{category.replace('-', '_')}_{count[category]}"
                things.append({"name": name, "category": category, "in" if "cabinet" in place else "on": place})
                count[category] += 1
        fields = Fields({t["name"]: t["category"] for t in things},
                        {t["name"]: t.get("on") or t["in"] for t in things}, self.furniture,
                        {name: kind_of(name) for name in self.furniture})
        return Task(instruction.id, instruction.kind, instruction.text, self.house, things,
                    goals(instruction.text, fields),
                    f"{instruction.scene} {json.dumps(list(instruction.state), sort_keys=True)}")


def kind_of(furniture: str) -> str:
    """``chest_of_drawers_4`` -> ``chest_of_drawers``, ``bed_bedroom_0`` -> ``bed``"""
    return next(kind for kind in _KINDS if furniture.startswith(f"{kind}_"))


def room_name(region: str) -> str:
    """``laundryroom/mudroom_0`` -> ``laundry_room_0``"""
    kind, _, number = region.rpartition("_")
    kind = kind.split("/")[0]
    return f"{_ROOMS.get(kind, kind)}_{number}"
