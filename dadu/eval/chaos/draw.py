"""Draws tasks and faults: the same for the same seed, index and house."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

from dadu.eval.chaos.links import LINKS
from dadu.eval.chaos.task import ChaosTask, Fault, FaultKind
from dadu.house.catalogue import furniture_categories
from dadu.house.format import Furniture, House
from dadu.house.furniture.entity import furniture_entity
from dadu.knowledge.set_down_places import is_handy
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.sim.sensor_faults import SENSORS
from dadu.world.graph import ROBOT

NODES = ("sim_bridge", "perception", "memory", "navigation", "grasp", "place", "planner", "override")
"""which die, freeze and slow down"""
WRITERS = ("memory", "recorder", "sim_bridge", "navigation", "supervisor")
"""which write files during a task"""
_LATEST = 90.0
"""simulated seconds into a task: most take longer"""
_MOST = 4
"""faults of one task"""


class Drawing:
    """Draws tasks for one house."""

    def __init__(self, seed: int, house: House) -> None:
        self._seed, self._house = seed, house
        self._things = [o.name for o in _only_one_of_a_kind(house.objects)]
        self._support = {o.name: o.on or o.in_ for o in house.objects}
        self._category = {o.name: o.category for o in house.objects}
        pieces = _only_one_of_a_kind(house.furniture)
        vocabulary = default_vocabulary()
        self._places = [p for p in pieces if is_handy(furniture_entity(p), vocabulary)]
        self._doors = [p for p in pieces if "open" in furniture_categories()[p.category].affordances]

    def task(self, index: int) -> ChaosTask:
        """The task of that number, from 0."""
        rng = random.Random(f"{self._seed}/{index}")
        ask = rng.choices((self._bring, self._bring_both, self._move_part, self._visit, self._empty),
                          (10, 5, 3, 1, 1))[0]
        instruction, goal = ask(rng)
        faults = sorted((self._fault(rng) for _ in range(rng.randint(1, _MOST))), key=lambda fault: fault.at)
        return ChaosTask(index, instruction, goal, tuple(faults))

    def _bring(self, rng: random.Random) -> tuple[str, dict[str, Any]]:
        thing = rng.choice(self._things)
        place = self._elsewhere(rng, thing)
        return (f"put the {_words(self._category[thing])} on the {_words(place.category)}",
                _goal({"is_on_top": [[thing], [place.name]]}))

    def _bring_both(self, rng: random.Random) -> tuple[str, dict[str, Any]]:
        """Longer, so that faults come in the middle."""
        if len(self._things) < 2:
            return self._bring(rng)
        one, two = rng.sample(self._things, 2)
        place = self._elsewhere(rng, one)
        return (f"put the {_words(self._category[one])} and the {_words(self._category[two])} on the "
                f"{_words(place.category)}", _goal(*({"is_on_top": [[thing], [place.name]]} for thing in (one, two))))

    def _elsewhere(self, rng: random.Random, thing: str) -> Furniture:
        """Not where it stands in the house's file: nothing would be left to do."""
        return rng.choice([p for p in self._places if p.name != self._support[thing]] or self._places)

    def _move_part(self, rng: random.Random) -> tuple[str, dict[str, Any]]:
        """To open, rather: all is shut at first."""
        if not self._doors:
            return self._bring(rng)
        piece, state = rng.choice(self._doors), rng.choice(("open", "open", "closed"))
        verb = "open" if state == "open" else "close"
        return f"{verb} the {_words(piece.category)}", _goal({f"is_{state}": [[piece.name]]})

    def _visit(self, rng: random.Random) -> tuple[str, dict[str, Any]]:
        room = rng.choice(_only_one_of_a_kind(self._house.rooms))
        return f"go to the {_words(room.category)}", _goal({"is_in_room": [[ROBOT], [room.name]]})

    def _empty(self, rng: random.Random) -> tuple[str, dict[str, Any]]:
        """No goal for ground truth: an empty hand has nothing to put down."""
        return "put down what you are holding", {}

    def _fault(self, rng: random.Random) -> Fault:
        kind = rng.choice([kind for kind in FaultKind if kind is not FaultKind.CLOSE or self._doors])
        at = round(_LATEST * rng.random() ** 2, 1)  # soon, rather: some tasks are short
        subject, target = self._whom(rng, kind)
        seconds = shift = 0.0
        if kind in (FaultKind.FREEZE, FaultKind.E_STOP, FaultKind.OVERRIDE):
            seconds = round(rng.uniform(1.0, 12.0), 1)
        if kind in (FaultKind.SLOW, FaultKind.LOSE, FaultKind.DOUBLE, FaultKind.BLOCK):
            seconds = round(rng.uniform(5.0, 30.0), 1)
        if kind in (FaultKind.DISK_FULL, FaultKind.SILENCE):
            seconds = round(rng.uniform(2.0, 20.0), 1)
        if kind is FaultKind.CLOCK:
            shift = rng.choice((-20.0, -2.0, 2.0, 20.0))
        if kind is FaultKind.JUMP:
            shift = rng.choice((3.0, 20.0, 90.0))
        return Fault(kind, at, seconds, subject, target, shift)

    def _whom(self, rng: random.Random, kind: FaultKind) -> tuple[str, str]:
        """Subject and target of a fault."""
        if kind in (FaultKind.KILL, FaultKind.FREEZE, FaultKind.SLOW):
            return rng.choice(NODES), ""
        if kind in (FaultKind.LOSE, FaultKind.DOUBLE):
            return rng.choice([*LINKS, *((sensor, "") for sensor in SENSORS)])
        if kind is FaultKind.SILENCE:
            return rng.choice(list(SENSORS)), ""
        if kind is FaultKind.DISK_FULL:
            return rng.choice(WRITERS), ""
        if kind is FaultKind.MOVE:
            return rng.choice(self._things), rng.choice(self._places).name
        if kind is FaultKind.CLOSE:
            return rng.choice(self._doors).name, ""
        return "", ""


def _only_one_of_a_kind(items: Sequence[Any]) -> list[Any]:
    """Those that words can mean without a doubt."""
    counts = Counter(item.category for item in items)
    return [item for item in items if counts[item.category] == 1]


def _goal(*propositions: dict[str, list[list[str]]]) -> dict[str, Any]:
    return {"propositions": list(propositions)}


def _words(category: str) -> str:
    return category.replace("_", " ")
