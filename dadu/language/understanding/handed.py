"""What is brought to whoever asked: one thing in the hand, several put down there one after the other."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

from dadu.goals.goal import Term
from dadu.goals.predicates.table import PREDICATES
from dadu.knowledge.usual_places import by_role
from dadu.knowledge.vocabulary import Vocabulary
from dadu.language.understanding.entries import DraftEntry, exclusive
from dadu.skills.effects import ROBOT
from dadu.world.graph import Entity, Kind, WorldGraph

_TAKES_A_HAND = tuple(p.name for p in PREDICATES.values() if p.skill in ("place", "open", "close") and p.maker is None)
ASKED = "@asked"
"""marks the place to which something is fetched: where the instruction was given"""


def several_fetched(entries: list[DraftEntry], graph: WorldGraph, vocabulary: Vocabulary) -> tuple[list[DraftEntry],
                                                                                                   str]:
    """``Bring me the apple and the pear``, ``bring me the apple and put the pear on the shelf``: the hand holds one, so
    what is fetched goes on the nearest table in the room where it is asked for; alone it stays in the hand. With a note
    where that is so, else an empty one."""
    rooms = {e.proposition.object.key.removesuffix(ASKED): e.proposition.object.ids[0] for e in entries
             if e.proposition.object is not None and e.proposition.object.key.endswith(ASKED)}
    fetched = [e for e in entries if e.proposition.predicate == "is_held" and e.proposition.subject.key in rooms]
    tables = {room: _table(room, graph, vocabulary) for room in rooms.values()}
    first = min((i for i, e in enumerate(entries) if e in fetched), default=0)
    busy = any(e.proposition.predicate in _TAKES_A_HAND and e.proposition.subject.key not in (ROBOT, *rooms)
               and not all(exclusive(e, f) for f in fetched) for e in entries[first:])
    several = any(e.proposition.needed > 1 for e in fetched) or any(
        not exclusive(a, b) for a, b in combinations(fetched, 2))
    if not fetched or not (busy or several) or not all(tables.values()):
        return entries, ""
    out = []
    for e in entries:
        p = e.proposition
        if e in fetched:
            table = tables[rooms[p.subject.key]]
            out.append(replace(e, proposition=replace(p, predicate="is_on_top", object=Term(table, (table,)))))
        elif p.object is None or not p.object.key.endswith(ASKED):
            out.append(e)
    names = " and ".join(e.proposition.subject.name for e in fetched)
    return out, f"the hand is needed for more than {names}, put down where you asked ({', '.join(tables.values())})"


def _table(room: str, graph: WorldGraph, vocabulary: Vocabulary) -> str:
    """Where things are put down in a room: the nearest table, else the nearest piece that things can stand on; empty
    where there is none."""
    here = [p for p in graph.of(Kind.FURNITURE) if (r := graph.room_of(p.id)) is not None and r.id == room
            and any(not s.inside for s in p.surfaces)]
    serving = by_role("serving", graph, vocabulary)
    asker = graph[ROBOT if ROBOT in graph else room].position

    def order(piece: Entity) -> tuple[bool, float]:
        table = piece.id in serving or vocabulary.is_a(piece.category, "table")
        return not table, math.dist(piece.position[:2], asker[:2])
    return min(here, key=order).id if here else ""
