"""What a draft is made of; and a place that is only named is in the room that was spoken of just before."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from dadu.goals.goal import Proposition, Question, Term
from dadu.goals.predicates.table import BRINGING
from dadu.world.graph import Kind, WorldGraph


@dataclass(frozen=True)
class DraftEntry:
    """One proposition, the number of its group, which ``then`` raises, and the question on which it depends."""

    group: int
    proposition: Proposition
    question: Question | None = None
    otherwise: bool = False
    passing: bool = False
    """only for the time being: into the microwave, to be heated"""


def same_branch(a: DraftEntry, b: DraftEntry) -> bool:
    return (a.question, a.otherwise) == (b.question, b.otherwise)


def exclusive(a: DraftEntry, b: DraftEntry) -> bool:
    """Whether only one of them will be asked for, as the answer is."""
    return a.question is not None and a.question == b.question and a.otherwise is not b.otherwise


def in_their_turn(kept: list[DraftEntry], taken: Mapping[tuple[int, str], int]) -> list[DraftEntry]:
    """``first the cup to the kitchen, then the plate; put them on the table``: in that order there as well. `taken`: by
    group and thing, in which group before it was taken; the groups are numbered anew."""
    turns = {g: {turn for (group, _), turn in taken.items() if group == g} for g, _ in taken}

    def rank(entry: DraftEntry) -> tuple[int, int]:
        those = turns.get(entry.group, set())
        turn = taken.get((entry.group, entry.proposition.subject.key), max(those, default=0))
        return entry.group, turn if len(those) > 1 else 0
    ranks = {r: i for i, r in enumerate(sorted({rank(e) for e in kept}))}
    return [replace(e, group=ranks[rank(e)]) for e in kept]


def in_rooms_spoken_of(entries: list[DraftEntry], graph: WorldGraph, setting: Collection[str] = ()) -> list[DraftEntry]:
    """``To the kitchen, and put it on the table``: on the table in the kitchen; ``next to the mug``: the mug there;
    ``prepare the den: put it on the table``: on the one in the den, the `setting`. Where there is none of it in that
    room, any other will do."""
    out: list[DraftEntry] = []
    for entry in entries:
        place = entry.proposition.object
        rooms = _rooms_before(entry, out, graph)
        if not rooms and setting and place is not None and _bare(place) and _furniture(place, graph):
            rooms = set(setting)
        there = tuple(id for id in place.ids if _room(id, graph) in rooms) if place is not None and rooms else ()
        if place is not None and there:
            entry = replace(entry, proposition=replace(entry.proposition, object=replace(place, ids=there)))
        out.append(entry)
    return out


def _rooms_before(entry: DraftEntry, earlier: list[DraftEntry], graph: WorldGraph) -> set[str]:
    """Where the thing was taken last before this entry; empty where the words say the place themselves."""
    p = entry.proposition
    if p.object is None or p.subject.key == "robot" or p.predicate == "is_in_room" or not _bare(p.object):
        return set()
    before = next((e for e in reversed(earlier) if e.proposition.predicate in BRINGING and not e.passing
                   and same_branch(e, entry) and _same(p.subject, e.proposition.subject)
                   and all(graph[id].kind is not Kind.OBJECT for id in e.proposition.place.ids)), None)
    if before is None:
        return set()
    taken, furniture = before.proposition, _furniture(p.object, graph)
    if taken.predicate == "is_in_room":
        return set(taken.place.ids) if furniture or before.group == entry.group else set()
    rooms = {_room(id, graph) for id in taken.place.ids}
    return rooms if furniture and len(rooms) == 1 and taken.place.ids != p.object.ids else set()


def _furniture(place: Term, graph: WorldGraph) -> bool:
    return all(graph[id].kind is Kind.FURNITURE for id in place.ids)


def _room(id: str, graph: WorldGraph) -> str:
    room = graph.room_of(id)
    return room.id if room is not None else ""


def _bare(place: Term) -> bool:
    """Whether the words do not say themselves which one is meant."""
    about = place.description
    return len(place.ids) > 1 and about is not None and not (about.where or about.superlative)


def _same(later: Term, earlier: Term) -> bool:
    return later.key == earlier.key or bool(later.ids) and set(later.ids) <= set(earlier.ids)
