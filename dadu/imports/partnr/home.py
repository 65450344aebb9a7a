"""A scene of PARTNR as a home: the rooms and furniture that its initial states and sentences name, side by side.

Of the scene itself nothing comes with the instructions. So each kind of room has besides what sentences take for
granted in it, and what a sentence of the scene puts into a room ("the shelves in the closet") stands there.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from dadu.imports.instructed.rows import RowPiece, RowRoom, home
from dadu.imports.instructed.task import Task
from dadu.imports.partnr.source import GuidingInstruction, StateEntry
from dadu.imports.partnr.targets import FURNITURE, ROOMS, Fields, Unclear, called, goals
from dadu.imports.report import ImportReport

_REGIONS = {"laundryroom": "laundry_room", "entryway": "hall", "closet": "closet_room", "workout": "gym",
            "tv": "tv_room", "lounge": "lounge"}
"""the first of PARTNR's names of a kind of room, where ours is another"""
_USUAL = {"bedroom": ("bed", "table", "chest_of_drawers", "chair"), "living_room": ("couch", "table", "chair"),
          "kitchen": ("counter", "table", "cabinet", "stool"), "dining_room": ("table", "chair"), "hall": ("counter",),
          "bathroom": ("counter",), "office": ("table", "chair"), "closet_room": ("shelves",), "garage": ("shelves",)}
"""what a room has though no episode of its scene says so, since sentences do"""
_ALWAYS = ("bedroom", "living_room", "kitchen", "dining_room", "hall")
_FLOOR = "floor"


class PartnrScene:
    """The home of a scene, and its instructions as tasks in it."""

    def __init__(self, name: str, instructions: Iterable[GuidingInstruction], report: ImportReport) -> None:
        instructions = list(instructions)
        self._names = _names(entry for instruction in instructions for entry in instruction.state)
        self.furniture: dict[str, str] = {name: room for (_, room), name in self._names.items()}
        report.take("pieces of furniture that initial states name", len(self.furniture))
        self._add(sorted({pair for one in instructions for pair in self._said(one.text)}))
        usual = {*self.furniture.values(), *(f"{kind}_0" for kind in _ALWAYS)}
        self._add(sorted((room, kind) for room in usual for kind in _USUAL.get(room.rpartition("_")[0], ())))
        report.take("pieces of furniture that only sentences name, or that such rooms have",
                    len(self.furniture) - len(self._names))
        by_room: dict[str, list[RowPiece]] = defaultdict(list)
        for piece, room in sorted(self.furniture.items()):
            by_room[room].append(RowPiece(piece, kind_of(piece)))
        report.take("rooms", len(by_room))
        self.house = home(f"partnr_{name}", [RowRoom(room, room.rpartition("_")[0], pieces)
                                             for room, pieces in sorted(by_room.items())])

    def task(self, instruction: GuidingInstruction, report: ImportReport) -> Task:
        """Errors: Unclear."""
        things = list(self._things(instruction, report))
        fields = Fields({t["name"]: t["category"] for t in things},
                        {t["name"]: t.get("on") or t["in"] for t in things}, self.furniture,
                        {name: kind_of(name) for name in self.furniture})
        return Task(instruction.id, instruction.kind, instruction.text, self.house, things,
                    goals(instruction.text, fields), instruction.group)

    def _things(self, instruction: GuidingInstruction, report: ImportReport) -> Iterator[dict[str, Any]]:
        count: dict[str, int] = defaultdict(int)
        for entry in instruction.state:
            if not entry.object_classes:
                report.leave_out(instruction.id, "entries of initial states", "clutter that is not named")
                continue
            for i in range(entry.number):
                category = entry.object_classes[i % len(entry.object_classes)]
                piece, room = _place(entry, i)
                if piece.startswith(_FLOOR):
                    raise Unclear("something lies on the floor")
                if (piece, room) not in self._names:
                    raise Unclear("furniture of a kind that is not known")
                place = self._names[piece, room]
                yield {"name": f"{category.replace('-', '_')}_{count[category]}", "category": category,
                       "in" if "cabinet" in place else "on": place}
                count[category] += 1

    def _add(self, pieces: Iterable[tuple[str, str]]) -> None:
        """Room and kind of each, where no such piece is there."""
        for room, kind in pieces:
            if all(where != room or kind_of(name) != kind for name, where in self.furniture.items()):
                self.furniture[f"{kind}_{room}"] = room

    def _said(self, text: str) -> Iterator[tuple[str, str]]:
        """Room and kind of furniture that a sentence names together; of a room that it names, what is usual there."""
        text = text.lower()
        for room in ROOMS:
            if room in _USUAL and re.search(rf"\b(?:{'|'.join(map(re.escape, called(room)))})\b", text):
                yield self._room(room), _USUAL[room][0]
            for kind in FURNITURE:
                pieces, within = ("|".join(map(re.escape, called(word))) for word in (kind, room))
                if re.search(rf"\b(?:{pieces})s? (?:in|of) (?:the |my )?(?:{within})\b|"
                             rf"\b(?:{within}) (?:{pieces})s?\b", text):
                    yield self._room(room), kind

    def _room(self, kind: str) -> str:
        """The first of this kind, or the one to be."""
        return min((r for r in self.furniture.values() if r.rpartition("_")[0] == kind), default=f"{kind}_0")


def kind_of(furniture: str) -> str:
    """``chest_of_drawers_4`` -> ``chest_of_drawers``, ``bed_bedroom_0`` -> ``bed``; empty for what is not known."""
    return next((kind for kind in FURNITURE if furniture.startswith(f"{kind}_")), "")


def room_name(region: str) -> str:
    """``laundryroom/mudroom_0`` -> ``laundry_room_0``"""
    kind, _, number = region.rpartition("_")
    kind = kind.split("/")[0]
    return f"{_REGIONS.get(kind, kind)}_{number}"


def _names(entries: Iterable[StateEntry]) -> dict[tuple[str, str], str]:
    """Name of each piece of a known kind by theirs and its room; theirs where only one room has it."""
    pairs = dict.fromkeys(_place(entry, i) for entry in entries if entry.object_classes for i in range(entry.number))
    rooms: dict[str, list[str]] = defaultdict(list)
    for piece, room in pairs:
        rooms[piece].append(room)
    return {(piece, room): piece if len(rooms[piece]) == 1 else f"{piece}_{room}"
            for piece, room in pairs if kind_of(piece)}


def _place(entry: StateEntry, i: int) -> tuple[str, str]:
    """Furniture and room of the i-th thing of an entry."""
    if not entry.furniture_names or not entry.allowed_regions:
        return _FLOOR, ""
    return (entry.furniture_names[i % len(entry.furniture_names)],
            room_name(entry.allowed_regions[i % len(entry.allowed_regions)]))
