"""Where things are to be in the end, by a few patterns: no grammar, and none of this project's.

A sentence is cut into steps ("VERB things [from place] to place", "place them on place [next to each other]"); things
and places must be names of the fields. Whatever does not fit the patterns to the last word raises `Unclear`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

VERBS = "move|bring|place|put|take|set|arrange|carry|return|get|grab|relocate|placing|keeping|moving"
_SPLIT = re.compile(rf"([.?!]+\s*|,? and then |,? then |,? and (?=(?:{VERBS}) )|, (?=(?:{VERBS}) )|; )")
_COMMA = re.compile(r"\b(first|then|next|finally|lastly|after that|afterwards?|also|now|please),")
_LATER = re.compile(r"^(?:then|after that|finally|next|lastly|afterwards?)\b")
_LEAD = re.compile(r"^(?:(?:first|then|next|finally|lastly|afterwards?|after that|also|now|please|can you|could you|"
                   r"let's|help me to|help me|and)\b,? *)+")
_TOGETHER = re.compile(r",? *(?:all )?(?:(?:next to|beside|close to|near) (?:each|one an) ?other|side by side)")
_BESIDE = re.compile(r",? *(?:right )?(?:next to|beside|close to|near) "
                     r"(?P<what>(?:(?!\b(?:on|in|at|to)\b)[a-z0-9 ,-])+)")
_STEP = re.compile(rf"^(?:{VERBS}) (?P<things>.+?)(?: from (?P<source>.+?))?"
                   r"(?: (?P<way>to|onto|on top of|on|into|in|inside) (?P<place>.+?))?$")
_AIM = re.compile(r"^(?:set up|make|prepare|organi[sz]e|tidy(?: up)?|rearrange|clean(?: up)?|create|decorate) "
                  r"(?:(?! by )[^,])*$")
_ANNOUNCED = re.compile(rf"^(?:{VERBS}) (?:all |some |a few |of |my |our |the )*(?:items|objects|things|toys)\b")
"""what is said in full behind it: the things are not named yet"""
_PRONOUN = re.compile(r"^(?:them|it|(?:all )?(?:of )?(?:these|the|those) (?:items|objects|things|toys)|them all|"
                      r"all of them)$")
_EVERYTHING = re.compile(r"^(?:all (?:of )?(?:these|the|those) (?:items|objects|things|toys)|them all|all of them)$")
"""all that was spoken of, not only what was last"""
_NUMBERS = {"one": 1, "a": 1, "an": 1, "two": 2, "both": 2, "three": 3, "four": 4, "a pair of": 1}
_ALSO = {"spectacles": ("glasses",), "cellphone": ("phone", "cell phone"), "plant_container": ("plant", "potted plant"),
         "electronic_cable": ("electric cable", "cable"), "c-clamp": ("clamp", "c clamp"), "sushi_mat": ("mat",),
         "toy_fire_truck": ("toy firetruck", "fire truck"), "tennis_racquet": ("tennis racket", "racket"),
         "baseballbat": ("baseball bat", "bat"), "picture_frame": ("frame",)}
_PLACES = {"couch": ("sofa",), "table": ("coffee table", "end table", "side table", "bedside table", "dining table"),
           "living_room": ("livingroom",), "dining_room": ("diningroom",),
           "shelves": ("shelf",), "chest_of_drawers": ("dresser", "drawers"),
           "counter": ("countertop", "counters"), "laundry_room": ("laundry", "mudroom", "mud room"),
           "hall": ("entryway", "hallway", "foyer"), "closet_room": ("closet",), "tv_room": ("tv room",),
           "gym": ("workout room",)}
FURNITURE = ("chest_of_drawers", "counter", "table", "chair", "couch", "shelves", "cabinet", "bed", "stool", "bench",
             "washer_dryer", "toilet", "wardrobe", "fridge", "sink")
ROOMS = ("living_room", "dining_room", "laundry_room", "closet_room", "tv_room", "bedroom", "bathroom", "kitchen",
         "office", "garage", "hallway", "hall", "lounge", "gym")
_CONTAINERS = ("cabinet", "chest_of_drawers")


class Unclear(Exception):
    """The patterns do not say what is asked for."""


@dataclass(frozen=True)
class Fields:
    """What the words of a sentence may refer to."""

    things: Mapping[str, str]
    """name to class"""
    at: Mapping[str, str]
    """name to furniture at the beginning"""
    furniture: Mapping[str, str]
    """name to room"""
    kinds: Mapping[str, str]
    """name of furniture to its kind"""


@dataclass
class _Read:
    """The steps so far."""

    fields: Fields
    propositions: list[dict[str, Any]] = field(default_factory=list)
    stage: list[int] = field(default_factory=list)
    of: list[tuple[str, ...]] = field(default_factory=list)
    last: list[tuple[tuple[str, ...], int]] = field(default_factory=list)
    named: dict[tuple[str, ...], int] = field(default_factory=dict)
    """all that was moved so far, and how many of each"""
    room: str = ""
    containers: bool = False
    """something is taken to what has an inside, and whether in or on it is not said"""


def goals(sentence: str, fields: Fields) -> list[dict[str, Any]]:
    """The goal, and its other meaning where it has one, as in a suite. Errors: Unclear."""
    read = _Read(fields)
    text = re.sub(r"\s+", " ", sentence.lower().replace("\u2019", "'")).strip()
    stage, pieces = 0, _SPLIT.split(_COMMA.sub(r"\1", text))
    for separator, part in zip(["", *pieces[1::2]], pieces[::2], strict=True):
        clause = part.strip(" ,")
        if clause:
            stage += "then" in separator or _LATER.match(clause) is not None
            _step(read, _LEAD.sub("", clause), stage)
    if not any("is_on_top" in p or "is_inside" in p or "is_in_room" in p for p in read.propositions):
        raise Unclear("no target")
    return [_goal(read, read.propositions)] + ([_goal(read, [_inside(p) for p in read.propositions])]
                                               if read.containers else [])


def _step(read: _Read, clause: str, stage: int) -> None:
    if _AIM.match(clause) or not read.propositions and _ANNOUNCED.match(clause):
        read.room = _room(read, clause.rpartition(" to ")[2]) or read.room
        return
    together, clause = _TOGETHER.search(clause), _TOGETHER.sub("", clause)
    beside, clause = _BESIDE.search(clause), _BESIDE.sub(" ", clause).strip(" ,")
    found = _STEP.match(clause)
    if found is None:
        raise Unclear("another pattern")
    things = _meant(read, found["things"])
    if not things:
        raise Unclear("no things")
    if found["source"] and not _is_place(read, found["source"]):
        raise Unclear("a source that the fields lack")
    if found["place"]:
        _placed(read, things, found["way"], found["place"], stage)
    elif not (together or beside):
        raise Unclear("no target")
    read.last = things
    read.named.update(things)
    every = tuple(name for names, _ in things for name in names)
    if together:
        if sum(number for _, number in things) != len(every) or len(every) < 2:
            raise Unclear("beside each other, but not which")
        _add(read, {"is_clustered": [list(every)]}, every, stage)
    for others, _ in _things(read.fields, beside["what"].strip(" ,")) if beside else ():
        for names, number in things:
            more = {"number": number} if number > 1 else {}
            _add(read, {"is_next_to": [list(names), list(others)], **more}, names, stage)


def _meant(read: _Read, text: str) -> list[tuple[tuple[str, ...], int]]:
    """Names, and how many of them, of what a list or a pronoun stands for. Errors: Unclear."""
    if _EVERYTHING.match(text):
        return list(read.named.items())
    return read.last if _PRONOUN.match(text) else _things(read.fields, text)


def _placed(read: _Read, things: Sequence[tuple[tuple[str, ...], int]], way: str, place: str, stage: int) -> None:
    for names, number in things:
        predicate, targets = _target(read, way, place, names)
        more = {"number": number} if number > 1 else {}
        _add(read, {predicate: [list(names), targets], **more}, names, stage)


def _target(read: _Read, way: str, place: str, names: Sequence[str]) -> tuple[str, list[str]]:
    """Predicate and names of the furniture or rooms that a place means. Errors: Unclear."""
    kinds = sorted({*read.fields.kinds.values()}, key=len, reverse=True)
    rooms = sorted({room.rpartition("_")[0] for room in read.fields.furniture.values()})
    words = "|".join(re.escape(w) for k in kinds for w in called(k))
    within = "|".join(re.escape(w) for k in rooms for w in called(k))
    found = re.match(rf"^(?:the |a |an |my )?(?P<other>other |another |new |different |same )*(?:(?P<room>{within}) )?"
                     rf"(?P<kind>{words})s?(?: (?:in|of) (?:the |that )?(?P<room2>{within}))?$", place)
    if found is None:
        room = re.match(rf"^(?:the |a |my )?(?P<room>{within})$", place)
        if room is None:
            raise Unclear("a place that the fields lack")
        read.room = _kind(room["room"], rooms)
        return "is_in_room", sorted({r for r in read.fields.furniture.values() if r.rpartition("_")[0] == read.room})
    said = found["room"] or found["room2"]
    where = _kind(said, rooms) if said else read.room
    kind = _kind(found["kind"], kinds)
    every = [n for n in read.fields.furniture if read.fields.kinds[n] == kind]
    targets = [n for n in every if read.fields.furniture[n].rpartition("_")[0] == where]
    if not targets and not said:  # of the room that was spoken of last, where that has one
        targets, where = every, ""
    if found["other"] and found["other"].strip() != "same":
        targets = [t for t in targets if t not in {read.fields.at[name] for name in names}]
    if not targets:
        raise Unclear("a place that the fields lack")
    if where:
        read.room = where
    if kind in _CONTAINERS and way in ("in", "into", "inside"):
        return "is_inside", targets
    read.containers |= kind in _CONTAINERS and way == "to"
    return "is_on_top", targets


def _is_place(read: _Read, text: str) -> bool:
    """True if each of its parts is furniture or a room; it does not change what was said of places."""
    kept = read.room, read.containers
    try:
        for one in re.split(r" and |, ", text):
            _target(read, "on", one.removesuffix(" on").strip(), ())
    except Unclear:
        return False
    finally:
        read.room, read.containers = kept
    return True


def _room(read: _Read, text: str) -> str:
    rooms = {room.rpartition("_")[0] for room in read.fields.furniture.values()}
    return next((kind for kind in sorted(rooms) if any(f" {w}" in f" {text}" for w in called(kind))), "")


def _things(fields: Fields, text: str) -> list[tuple[tuple[str, ...], int]]:
    """Names, and how many of them, for each member of a list. Errors: Unclear."""
    out, taken = [], set()
    for one in re.split(r",? and |, ", text):
        number, plural, kind = _counted(fields, one.strip())
        names = tuple(n for n, k in fields.things.items() if k == kind)
        if kind in taken:
            raise Unclear("one class twice")
        taken.add(kind)
        number = number or (len(names) if plural else 1)
        if number > len(names):
            raise Unclear("more than there are")
        out.append((names, number))
    return out


def _counted(fields: Fields, text: str) -> tuple[int, bool, str]:
    """Number (0: not said), whether it is a plural, and the class. Errors: Unclear."""
    found = re.match(r"^(?:(?:all )?(?:the |my |his |her |some )?)?"
                     r"(?:(?P<number>\d+|one|a pair of|a|an|two|both|three|four) )?"
                     r"(?:the |my )?(?P<name>[a-z][a-z -]*)$", text)
    if found is None:
        raise Unclear("a thing that the fields lack")
    number = found["number"] or ""
    for kind in dict.fromkeys(fields.things.values()):
        for word in called(kind, _ALSO):
            if found["name"] in (word, f"{word}s", f"{word}es", re.sub("y$", "ies", word)):
                plural = found["name"] != word
                return int(number) if number.isdigit() else _NUMBERS.get(number, 0), plural, kind
    raise Unclear("a thing that the fields lack")


def called(kind: str, also: Mapping[str, Sequence[str]] | None = None) -> tuple[str, ...]:
    """What sentences call a kind of furniture or room, or, by `also`, of things."""
    also = _PLACES if also is None else also
    return (kind.replace("_", " "), *also.get(kind, ()))


def _kind(word: str, kinds: Sequence[str]) -> str:
    return min((kind for kind in kinds if word in called(kind)), key=lambda kind: kind.replace("_", " ") != word)


def _add(read: _Read, proposition: dict[str, Any], names: Sequence[str], stage: int) -> None:
    read.propositions.append(proposition)
    read.stage.append(stage)
    read.of.append(tuple(names))


def _inside(proposition: dict[str, Any]) -> dict[str, Any]:
    """The same in what has an inside."""
    places = proposition.get("is_on_top", [[], [""]])[1]
    if all(place.startswith(_CONTAINERS) for place in places):
        return {("is_inside" if key == "is_on_top" else key): value for key, value in proposition.items()}
    return proposition


def _goal(read: _Read, propositions: list[dict[str, Any]]) -> dict[str, Any]:
    """Each stage counts after the one before, and what is beside each other while both are where they were brought in
    that stage: things may stand so from the beginning. At the end holds what no later stage takes elsewhere."""
    ends = [i for i, names in enumerate(read.of)
            if not any(read.stage[j] > read.stage[i] and set(names) & set(read.of[j]) for j in range(len(read.of)))]
    company = [i for i, p in enumerate(propositions) if not {"is_clustered", "is_next_to"}.isdisjoint(p)]
    dependencies: list[dict[str, Any]] = []
    for i, stage in enumerate(read.stage):
        placed = [j for j, other in enumerate(read.stage) if j not in company and
                  (other == stage and set(read.of[j]) & set(read.of[i]) if i in company else other == stage - 1)]
        if placed:
            dependencies.append({"propositions": [i], "depends_on": placed,
                                 "relation": "while_satisfied" if i in company else "after_satisfied"})
    goal: dict[str, Any] = {"propositions": propositions, "constraints": [{"terminal": ends}]}
    return goal | ({"dependencies": dependencies} if dependencies else {})
