"""The world graph in words, for a language model's prompt.

A prompt for five places and fifteen objects must fit 543 tokens in all (DaDu-E), so every word has to earn its place:
one line a place, ids as they are used in actions, and only what is not obvious.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache

from dadu.memory.recall.recall import Unit
from dadu.world.graph import ROBOT, UNIDENTIFIED, Edge, Entity, Kind, Relation, WorldGraph

DOUBTFUL = 0.5
"""things below this confidence are marked with a question mark"""
AS_WELL = 0.25
"""share of the votes from which on what else a thing may be is said"""
_RECALLED = 8
"""things and places that recall adds to those that share a word with the instruction"""

_LITTLE = 1e-3
"""relevance from which on it counts"""

Recall = Callable[[str, int], Iterable[Unit]]
"""what is nearest in meaning to a text, at most so many (DaDu-E, equation 3)"""


def describe(graph: WorldGraph, instruction: str = "", max_words: int = 0, recall: Recall | None = None) -> str:
    """One line for the robot, then ``ROOM: PLACE[state]: in OBJECT(attributes), on OBJECT; ...``.

    Places and things that the instruction names come first within their group, and stay longest when `max_words` (0:
    no limit) makes the text shorter; then ``...`` says that something was left out. With `recall` so does what is
    near to it in meaning, after them.
    """
    world = WorldText(graph, instruction)
    if recall is not None and 0 < max_words < _words(world.within()):
        world = WorldText(graph, instruction, recall)
    return world.within(max_words)


class WorldText:
    """What `describe` says, for whoever tries several lengths."""

    def __init__(self, graph: WorldGraph, instruction: str = "", recall: Recall | None = None) -> None:
        self._graph, self._head = graph, _robot(graph)
        self._lines = list(_lines(graph, _Relevance(instruction, recall)))

    def within(self, max_words: int = 0) -> str:
        """In at most so many words; 0: no limit."""
        limit = max_words - _words(self._head)
        kept = _truncated(self._lines, limit) if max_words > 0 else [line.full for line in self._lines]
        return "\n".join([self._head, *kept])

    def named(self) -> str:
        """Places that the instruction names, and where the things are that it names; nothing of the robot."""
        return "\n".join(line.named for line in self._lines if line.score >= 1.0)

    def others(self, said: Collection[str]) -> str:
        """``Also: kitchen: fridge_0, oven_0; hall; mug_0, plate_0``: the names of all that is not `said`, rooms with
        their furniture first; empty where there is nothing."""
        graph, rooms = self._graph, dict[str, list[str]]()
        for room in graph.of(Kind.ROOM):
            rooms[room.id] = []
        for piece in graph.of(Kind.FURNITURE):
            room_of = graph.room_of(piece.id)
            rooms.setdefault(room_of.id if room_of is not None else "elsewhere", []).append(piece.id)
        left = {room: [id for id in ids if id not in said] for room, ids in rooms.items()}
        groups = [f"{room}: {', '.join(ids)}" if ids else room for room, ids in left.items() if ids or room not in said]
        things = ", ".join(thing.id for thing in graph.of(Kind.OBJECT) if thing.id not in said)
        return f"Also: {'; '.join(filter(None, [*groups, things]))}" if groups or things else ""


def describe_thing(entity: Entity, support: Edge | None, room: str) -> str:
    """A thing in a phrase: ``red mug on counter_0 in kitchen``. `support`: the edge that says where it is; `room`: the
    id of the room, or empty."""
    color = "" if entity.category == UNIDENTIFIED else entity.attributes.get("color", "")
    words = [*(v for k, v in sorted(entity.told.items()) if k != "color"), color, entity.called,
             *(f"or {other}".replace("_", " ") for other in _others(entity))]
    if support is not None:
        words += [support.relation.value.replace("_", " "), support.object]
    elif entity.kind is Kind.OBJECT:
        words.append("on floor")
    if room:
        words += ["in", room.replace("_", " ")]
    return " ".join(w for w in words if w)


_COMMON = {"the", "and", "put", "from", "into", "onto", "take", "bring", "them", "all", "room"}
"""words of instructions that name nothing"""


class _Relevance:
    """How much of an instruction an entity answers to: by words shared with its id, category, aliases, attributes; and
    by less than a word where it is one of the nearest in meaning."""

    def __init__(self, instruction: str, recall: Recall | None = None) -> None:
        self._near = {unit.id: max(0.0, unit.similarity) for unit in recall(instruction, _RECALLED)} if recall else {}
        self._words = {_stem(w) for w in re.findall(r"[a-z]{3,}", instruction.lower())} - _COMMON
        self._known: dict[str, float] = {}

    def of(self, entity: Entity) -> float:
        if entity.id not in self._known:
            named = " ".join((entity.id, entity.category, *entity.aliases, *entity.told.values(),
                              *_others(entity))).lower()
            self._known[entity.id] = len(self._words & _stems(named)) + self._near.get(entity.id, 0.0)
        return self._known[entity.id]


@lru_cache(maxsize=4096)
def _stems(text: str) -> frozenset[str]:
    return frozenset(_stem(word) for word in re.findall(r"[a-z]+", text))


def _stem(word: str) -> str:
    return word[:-1] if word.endswith("s") and len(word) > 3 else word


def _robot(graph: WorldGraph) -> str:
    room, held = graph.room_of(ROBOT) if ROBOT in graph else None, graph.held()
    return f"robot: in {room.id if room else 'unknown'}, holds {held.id if held else 'nothing'}"


def _lines(graph: WorldGraph, relevant: _Relevance) -> Iterable[_Line]:
    """A line for every piece of furniture and for every room's floor."""
    rooms: list[Entity | None] = [*graph.of(Kind.ROOM), None]
    furniture, objects = graph.of(Kind.FURNITURE), graph.of(Kind.OBJECT)
    room_of = {e.id: graph.room_of(e.id) for e in (*furniture, *objects)}
    supports = {edge.subject: edge for edge in graph.edges
                if edge.relation in (Relation.ON, Relation.IN, Relation.HELD_BY)}
    for room in rooms:
        label = room.id if room else "elsewhere"
        pieces = [e for e in furniture if room_of[e.id] is room]
        for piece in sorted(pieces, key=relevant.of, reverse=True):
            groups = [(prefix, _at(objects, supports, piece.id, relation))
                      for prefix, relation in (("in: ", Relation.IN), ("", Relation.ON))]
            yield _Line(f"{label} {piece.id}{_state(piece)}", groups, relevant, relevant.of(piece))
        loose = [e for e in objects if e.id not in supports and room_of[e.id] is room]
        if loose:
            yield _Line(f"{label} floor", [("", loose)], relevant, place_alone=False)


def _at(objects: list[Entity], supports: Mapping[str, Edge], place: str, relation: Relation) -> list[Entity]:
    return [e for e in objects if (edge := supports.get(e.id)) is not None
            and edge.object == place and edge.relation is relation]


def _state(piece: Entity) -> str:
    if not piece.is_container:
        return ""
    return "[closed]" if piece.closed else "[open]"


class _Line:
    """One place with what is there: in full, and in brief with only what the instruction names, or what is near it in
    meaning."""

    def __init__(self, place: str, groups: list[tuple[str, list[Entity]]], relevant: _Relevance,
                 score: float = 0.0, place_alone: bool = True) -> None:
        """`place_alone`: its name says something without what is there."""
        self.place = place if place_alone else ""
        self.score = max([score, *(relevant.of(e) for _, group in groups for e in group)])
        self.full = _line(place, groups, relevant)
        self.named, self.near = (_line(place, [(prefix, [e for e in group if relevant.of(e) >= least])
                                               for prefix, group in groups], relevant) for least in (1.0, _LITTLE))


def _line(place: str, groups: list[tuple[str, list[Entity]]], relevant: _Relevance) -> str:
    texts = [prefix + ", ".join(_name(e) for e in sorted(group, key=lambda e: (-relevant.of(e), e.id)))
             for prefix, group in groups if group]
    return place + (": " + "; ".join(texts) if texts else "")


def _name(entity: Entity) -> str:
    unnamed = entity.category == UNIDENTIFIED
    known = entity.called if unnamed or entity.id.startswith(UNIDENTIFIED) else ""
    color = "" if unnamed else entity.attributes.get("color")
    said = ", ".join([*filter(None, [known, color]), *(f"or {other}?" for other in _others(entity))])
    return entity.id + (f"({said})" if said else "") + ("?" if entity.confidence < DOUBTFUL else "")


def _others(entity: Entity) -> list[str]:
    """What else it may as well be."""
    return [other for other, share in entity.may_be.items() if share >= AS_WELL]


def _truncated(lines: list[_Line], budget: int) -> list[str]:
    """The lines in their order, in at most `budget` words: first what the instruction names, then what is near it in
    meaning, then what places there are, since a step may lead to any, then all there is of the lines in order of
    relevance, as far as it fits; ``...`` where something is left out."""
    if sum(_words(line.full) for line in lines) <= budget:
        return [line.full for line in lines]
    kept: dict[int, str] = {}
    budget -= 1  # for the dots
    order = sorted(range(len(lines)), key=lambda i: (-lines[i].score, i))
    for texts in ({i: lines[i].named for i in order if lines[i].score >= 1.0},
                  {i: lines[i].near for i in order if lines[i].score >= _LITTLE},
                  {i: lines[i].place for i in order}, {i: lines[i].full for i in order}):
        for i, text in texts.items():
            more = _words(text) - _words(kept.get(i, ""))
            if 0 < more <= budget:
                kept[i] = text
                budget -= more
    return [kept[i] for i in sorted(kept)] + ["..."]


def _words(text: str) -> int:
    return len(text.split())
