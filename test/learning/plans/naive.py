"""A world of dictionaries, and goals judged in it: written anew from docs/howto/evaluate.md, docs/howto/simulate.md and
docs/howto/train.md, and sharing no line with what made and judged the data (no import of it).

What it cannot tell it says: nearness depends on where exactly things stand, which no record holds. A thing is beside
another for certain where it was put there on purpose; in other rooms they are certainly not; else the answer is None.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

Answer = bool | None
HAND, FLOOR, ROBOT = "hand", "floor", "robot"


@dataclass
class NaiveWorld:
    """What is where, open, and said of things."""

    kind: dict[str, str]
    """category of each thing and piece of furniture"""
    room: dict[str, str]
    """of furniture"""
    can: Callable[[str], Iterable[str]]
    """what the catalogue says a category is good for"""
    parts: dict[str, set[str]]
    """doors and drawers of furniture"""
    roomy: set[str]
    """furniture that things can be in, not only on"""
    place: dict[str, tuple[str, str]]
    """thing: on or in, and what; `HAND`; `FLOOR` and the room"""
    open: set[tuple[str, str]] = field(default_factory=set)
    """furniture and part"""
    said: dict[tuple[str, str], bool] = field(default_factory=dict)
    beside: set[frozenset[str]] = field(default_factory=set)
    at: str = ""
    """what the robot has driven to"""
    whereabouts: str = ""
    """its room; empty where nobody can tell"""

    def chain(self, thing: str) -> Iterator[tuple[str, str]]:
        """How it stands, and how that stands on which it does, down to the furniture."""
        while thing in self.place:
            yield self.place[thing]
            thing = self.place[thing][1]

    def room_of(self, name: str) -> str:
        """Empty where nobody can tell, or it is held."""
        if name == ROBOT:
            return self.whereabouts
        for how, what in self.chain(name):
            if how == HAND:
                return ""
            if how == FLOOR:
                return what
            name = what
        return self.room.get(name, "")

    def held(self) -> str:
        return next((thing for thing, (how, _) in self.place.items() if how == HAND), "")

    def shut(self, piece: str) -> bool:
        return not any(p == piece for p, _ in self.open)

    # What is done.

    def put(self, thing: str, how: str, what: str) -> None:
        self.beside = {pair for pair in self.beside if thing not in pair}
        self.place[thing] = (how, what)

    def do(self, skill: str, *arguments: str) -> None:
        """A skill that has worked."""
        if skill in ("go_to", "explore"):
            self.at = arguments[0]
            known = self.at in self.place or self.at in self.room
            self.whereabouts = self.room_of(self.at) if known else "" if self.at == "unknown" else self.at
        elif skill == "pick":
            self.put(arguments[0], HAND, "")
        elif skill == "place":
            thing = self.held()
            self.put(thing, arguments[0], arguments[1])
            if len(arguments) > 3:
                self.beside.add(frozenset((thing, arguments[3])))
        elif skill in ("open", "close"):
            self.move_parts(skill, ((arguments[0], part) for part in self.parts[arguments[0]]))
        elif skill == "pour":
            self.said[arguments[0], "filled"], self.said[arguments[1], "filled"] = False, True
        else:
            name, value = {"clean": ("clean", True), "fill": ("filled", True), "slice": ("sliced", True),
                           "power_on": ("on", True), "power_off": ("on", False), "wait": ("", True)}[skill]
            if name:
                self.said[arguments[0], name] = value
        self.settle()

    def move_parts(self, way: str, parts: Iterable[tuple[str, str]]) -> None:
        self.open = self.open | set(parts) if way.startswith("open") else self.open - set(parts)

    def happen(self, event: str) -> None:
        """``moved lime_0 to chair_0``: behind the robot's back."""
        if moved := re.fullmatch(r"moved (\S+) to (\S+)", event):
            self.put(moved[1], "on", moved[2])
        elif knocked := re.fullmatch(r"knocked (\S+) from the hand", event):
            self.put(knocked[1], FLOOR, self.room_of(ROBOT))
        else:
            way, _, parts = event.partition(" ")
            assert way in ("opened", "closed"), event
            self.move_parts(way, (tuple(part.split("/")) for part in parts.split(", ")))
        self.settle()

    def settle(self) -> None:
        """What furniture does to what is in it; on it, where it has no inside."""
        for thing, (how, piece) in self.place.items():
            if piece not in self.parts or not self.shut(piece) or (piece in self.roomy and how != "in"):
                continue
            good, on = set(self.can(self.kind[piece])), self.said.get((piece, "on"), False)
            if "cool" in good:
                self.said[thing, "cold"], self.said[thing, "hot"] = True, False
            elif "heat" in good and on:
                self.said[thing, "hot"], self.said[thing, "cold"] = True, False
            elif "wash" in good and on:
                self.said[thing, "clean"] = True

    # What holds.

    def holds(self, predicate: str, *names: str) -> Answer:
        """One proposition of single things."""
        if predicate in _STATES:
            name, value = _STATES[predicate]
            return self.said.get((names[0], name), False) is value
        return _TESTS[predicate](self, *names)

    def is_inside(self, thing: str, what: str) -> bool:
        hows = list(self.chain(thing))
        return any(how == "in" and below == what for how, below in hows)

    def is_on_top(self, thing: str, what: str) -> bool:
        """On it, or on or in something that is on it."""
        return any(how == "on" and below == what for how, below in self.chain(thing))

    def is_in_room(self, name: str, room: str) -> Answer:
        where = self.room_of(name)
        return None if name == ROBOT and not where else where == room

    def is_held(self, thing: str) -> bool:
        return self.place.get(thing, ("", ""))[0] == HAND

    def is_on_floor(self, thing: str) -> bool:
        return any(how == FLOOR for how, _ in self.chain(thing))

    def is_cold(self, thing: str) -> bool:
        cooled = any(how == "in" and piece in self.parts and self.shut(piece) and "cool" in self.can(self.kind[piece])
                     for how, piece in self.chain(thing))
        return cooled or self.said.get((thing, "cold"), False)

    def is_hot(self, thing: str) -> bool:
        return self.said.get((thing, "hot"), False) and not self.is_cold(thing)

    def is_open(self, name: str) -> bool:
        piece, _, part = name.partition("/")
        return (piece, part) in self.open if part else not self.shut(piece)

    def is_closed(self, name: str) -> bool:
        return not self.is_open(name)

    def is_next_to(self, one: str, other: str) -> Answer:
        if frozenset((one, other)) in self.beside or (ROBOT in (one, other) and self.at in (one, other)):
            return True
        if self.is_held(one) or self.is_held(other) or self.room_of(one) != self.room_of(other):
            return False
        return None


_STATES = {"is_clean": ("clean", True), "is_dirty": ("clean", False), "is_filled": ("filled", True),
           "is_empty": ("filled", False), "is_powered_on": ("on", True), "is_powered_off": ("on", False),
           "is_sliced": ("sliced", True)}
_TESTS: Mapping[str, Callable[..., Answer]] = {name: getattr(NaiveWorld, name) for name in (
    "is_inside", "is_on_top", "is_in_room", "is_held", "is_on_floor", "is_cold", "is_hot", "is_open", "is_closed",
    "is_next_to")}


def holds(world: NaiveWorld, proposition: Mapping[str, Any]) -> Answer:
    """`number` of the first argument's things, each with any of the second's, or all with the same one."""
    name, arguments, number = proposition["predicate"], proposition["arguments"], proposition["number"]
    if name == "is_clustered":
        return _clustered(world, arguments, number)
    if len(arguments) == 1:
        return enough([world.holds(name, thing) for thing in arguments[0]], number)
    if proposition["same_target"]:
        return any_of(enough([world.holds(name, a, b) for a in arguments[0]], number) for b in arguments[1])
    return enough([any_of(world.holds(name, a, b) for b in arguments[1] if b != a) for a in arguments[0]], number)


def _clustered(world: NaiveWorld, arguments: list[list[str]], number: Any) -> Answer:
    """Certain where all were put beside one another; certainly not where not so many are in any one room."""
    wanted = [number] * len(arguments) if isinstance(number, int) else list(number)
    if len(arguments) == 1:
        for some in combinations(arguments[0], wanted[0]):
            if _linked(world, some):
                return True
    rooms = {world.room_of(name) for names in arguments for name in names} - {""}
    may = any(all(sum(world.room_of(n) == room for n in names) >= w for names, w in zip(arguments, wanted))
              for room in rooms)
    return None if may else False


def _linked(world: NaiveWorld, names: Iterable[str]) -> bool:
    left = list(names)
    reached, left = {left[0]}, left[1:]
    while found := [n for n in left if any(frozenset((n, r)) in world.beside for r in reached)]:
        reached, left = reached | set(found), [n for n in left if n not in found]
    return not left


def enough(answers: Iterable[Answer], number: int) -> Answer:
    found = list(answers)
    if found.count(True) >= number:
        return True
    return None if found.count(True) + found.count(None) >= number else False


def any_of(answers: Iterable[Answer]) -> Answer:
    return enough(answers, 1)


def all_of(answers: Iterable[Answer]) -> Answer:
    found = list(answers)
    return False if False in found else None if None in found else True


@dataclass
class Judged:
    """Is a goal reached: at the beginning, and at the end of an episode."""

    begins: Answer
    ends: Answer


def judge(world: NaiveWorld, record: Mapping[str, Any]) -> Judged:
    """Carries out what the record says was done; changes `world`."""
    goal = record["goal"]
    events = [re.fullmatch(r"after step (\d+): (.*)", told) for told in record["events"]]
    trace = [[holds(world, p) for p in goal["propositions"]]]
    for i, (call, code) in enumerate(zip(record["plan"], record["outcomes"], strict=True), 1):
        if code == 0:
            world.do(*call)
        trace.append([holds(world, p) for p in goal["propositions"]])
        for told in (t for t in events if t and int(t[1]) == i):
            world.happen(told[2])
            trace.append([holds(world, p) for p in goal["propositions"]])
    return Judged(_reached(world, goal, trace[:1]), _reached(world, goal, trace))


def _reached(world: NaiveWorld, goal: Mapping[str, Any], trace: list[list[Answer]]) -> Answer:
    """What is terminal holds in the last state, the rest held in some; and all came true in the order that is asked
    for. What must be of the same thing is looked into where all of it holds to the end."""
    last = {i for constraint in goal["constraints"] for i in constraint.get("terminal") or ()}
    answers = [trace[-1][i] if i in last else any_of(state[i] for state in trace) for i in range(len(trace[0]))]
    for constraint in goal["constraints"]:
        answers += [_in_order(trace, first, second) for first, second in constraint.get("temporal") or ()]
        for name in ("same_arg", "different_arg"):
            link = constraint.get(name)
            if link and last >= set(link["propositions"]) and len(trace) > 1:
                answers.append(_linked_arguments(world, goal, link, name == "same_arg"))
    for dependency in goal["dependencies"]:
        assert dependency["relation"] == "after_satisfied", dependency
        answers += [_in_order(trace, a, b) for a in dependency["depends_on"] for b in dependency["propositions"]]
    return all_of(answers)


def _in_order(trace: list[list[Answer]], first: int, second: int) -> Answer:
    """The second holds in a state not before one in which the first does."""
    for answer in (True, None):
        begin = next((i for i, state in enumerate(trace) if state[first] in (True, answer)), None)
        if begin is not None and any(state[second] in (True, answer) for state in trace[begin:]):
            return answer
    return False


def _linked_arguments(world: NaiveWorld, goal: Mapping[str, Any], link: Mapping[str, Any], same: bool) -> Answer:
    """True if propositions can hold with the same argument, or with different ones."""
    numbers = link["propositions"]
    args = link["arg"] if not isinstance(link["arg"], int) else [link["arg"]] * len(numbers)
    sure, perhaps = [], []
    for i, at in zip(numbers, args):
        p = goal["propositions"][i]
        found = {value: holds(world, {**p, "arguments": [[value] if k == at else a for k, a in
                                                         enumerate(p["arguments"])],
                                      "number": 1 if at == 0 else p["number"]}) for value in p["arguments"][at]}
        sure.append({value for value, answer in found.items() if answer})
        perhaps.append({value for value, answer in found.items() if answer is not False})
    for sets, answer in ((sure, True), (perhaps, None)):
        if set.intersection(*sets) if same else len(set.union(*sets)) >= len(sets):
            return answer
    return False
