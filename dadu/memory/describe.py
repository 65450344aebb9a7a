"""The world graph in words, for a language model's prompt.

A prompt for five places and fifteen objects must fit 543 tokens in all (DaDu-E), so every word has to earn its place:
one line a place, ids as they are used in actions, and only what is not obvious.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from dadu.memory.graph import Entity, Kind, Relation, WorldGraph

DOUBTFUL = 0.5
"""things below this confidence are marked with a question mark"""


def describe(graph: WorldGraph, instruction: str = "", max_words: int = 0) -> str:
    """One line for the robot, then ``ROOM: PLACE[state]: in OBJECT(attributes), on OBJECT; ...``.

    Places and things that the instruction names come first within their group, and stay longest when `max_words` (0:
    no limit) makes the text shorter; then ``...`` says that something was left out.
    """
    relevant = _Relevance(instruction)
    lines = [(relevant.line(entities), text) for text, entities in _lines(graph, relevant)]
    head = _robot(graph)
    kept = _within([text for _, text in lines], [score for score, _ in lines], max_words - len(head.split()), max_words)
    return "\n".join([head, *kept])


def describe_thing(graph: WorldGraph, entity: Entity) -> str:
    """A thing in a phrase: ``red mug on counter_0 in kitchen``."""
    words = [*(v for k, v in sorted(entity.attributes.items()) if k != "color"), entity.attributes.get("color", ""),
             entity.category.replace("_", " ")]
    support, room = graph.support(entity.id), graph.room_of(entity.id)
    if support is not None:
        words += [support.relation.value.replace("_", " "), support.object]
    elif entity.kind is Kind.OBJECT:
        words.append("on floor")
    if room is not None:
        words += ["in", room.id.replace("_", " ")]
    return " ".join(w for w in words if w)


class _Relevance:
    """How much of an instruction an entity answers to, by words shared with its id, category, aliases, attributes."""

    def __init__(self, instruction: str) -> None:
        self._words = {_stem(w) for w in re.findall(r"[a-z]+", instruction.lower())}

    def of(self, entity: Entity) -> int:
        named = " ".join((entity.id, entity.category, *entity.aliases, *entity.attributes.values())).lower()
        return len(self._words & {_stem(w) for w in re.findall(r"[a-z]+", named)})

    def line(self, entities: Iterable[Entity]) -> int:
        return max((self.of(e) for e in entities), default=0)


def _stem(word: str) -> str:
    return word[:-1] if word.endswith("s") and len(word) > 3 else word


def _robot(graph: WorldGraph) -> str:
    room, held = graph.room_of("robot") if "robot" in graph else None, graph.held()
    return f"robot: in {room.id if room else 'unknown'}, holds {held.id if held else 'nothing'}"


def _lines(graph: WorldGraph, relevant: _Relevance) -> Iterable[tuple[str, list[Entity]]]:
    """A line for every piece of furniture and for every room's floor, with the entities that it speaks of."""
    rooms: list[Entity | None] = [*graph.of(Kind.ROOM), None]
    furniture, objects = graph.of(Kind.FURNITURE), graph.of(Kind.OBJECT)
    room_of = {e.id: graph.room_of(e.id) for e in (*furniture, *objects)}
    supports = {edge.subject: edge for edge in graph.edges if edge.relation is not Relation.IN_ROOM}
    for room in rooms:
        label = room.id if room else "elsewhere"
        pieces = [e for e in furniture if room_of[e.id] == room]
        for piece in sorted(pieces, key=relevant.of, reverse=True):
            here = [e for e in objects if e.id in supports and supports[e.id].object == piece.id]
            yield _furniture_line(label, piece, here, supports, relevant), [piece, *here]
        loose = [e for e in objects if e.id not in supports and room_of[e.id] == room]
        if loose:
            yield f"{label} floor: {_names(loose, relevant)}", loose


def _furniture_line(room: str, piece: Entity, here: list[Entity], supports, relevant: _Relevance) -> str:
    state = f"[{'closed' if piece.closed else 'open'}]" if piece.is_container else ""
    groups = []
    for relation in (Relation.IN, Relation.ON):
        group = [e for e in here if supports[e.id].relation is relation]
        if group:
            groups.append(("in: " if relation is Relation.IN else "") + _names(group, relevant))
    return f"{room} {piece.id}{state}" + (": " + "; ".join(groups) if groups else "")


def _names(entities: list[Entity], relevant: _Relevance) -> str:
    def name(e: Entity) -> str:
        color = e.attributes.get("color", "")
        return e.id + (f"({color})" if color else "") + ("?" if e.confidence < DOUBTFUL else "")

    return ", ".join(name(e) for e in sorted(entities, key=lambda e: (-relevant.of(e), e.id)))


def _within(lines: list[str], scores: list[int], budget: int, limit: int) -> list[str]:
    """The lines in their order; where they exceed the budget of words, the most relevant that fit, and ``...``.
    Of equally relevant ones, those that hold something go first."""
    if limit <= 0 or sum(len(line.split()) for line in lines) <= budget:
        return lines
    kept: set[int] = set()
    budget -= 1  # for the dots
    for i in sorted(range(len(lines)), key=lambda i: (-scores[i], -len(lines[i].split()), i)):
        words = len(lines[i].split())
        if words <= budget:
            kept.add(i)
            budget -= words
    return [lines[i] for i in sorted(kept)] + ["..."]
