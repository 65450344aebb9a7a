"""Where the words name one thing and several known ones would do: which one is meant."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from dadu.goals.goal import Goal, Term
from dadu.goals.interpreter import AskBack, Choice
from dadu.planner.asking.answers import substitute_name
from dadu.world.graph import UNIDENTIFIED, Entity, WorldGraph

_MOST = 5
"""things to choose from; of more than that, any will do"""


def which_one(goal: Goal, instruction: str, graph: WorldGraph, settled: Collection[str]) -> AskBack | None:
    """The question for the first such noun, less those `settled`; None: nothing of that kind is open."""
    for term in _definite(goal):
        words = term.name.removeprefix("the ")
        known = [id for id in term.ids if id in graph]
        if term.name in settled or not 1 < len(known) <= _MOST or not re.search(rf"\bthe {re.escape(words)}\b",
                                                                               instruction, re.IGNORECASE):
            continue
        offered = tuple(Choice(_told(graph, graph[id]), substitute_name(instruction, words, id)) for id in known)
        return AskBack(f"Which one is {term.name}: {_either([c.name for c in offered])}?", offered, (term.name,))
    return None


def _definite(goal: Goal) -> Iterator[Term]:
    """What the words speak of as of one thing that is known: the book, and no book, two books or all books."""
    for p in goal.propositions:
        one = p.number == 1 and not p.every
        for term in (p.subject if one else None, p.object):
            if term is not None and term.description is not None and term.name.startswith("the ") and not term.usual:
                yield term


def _told(graph: WorldGraph, entity: Entity) -> str:
    """``book_0 (red, on shelf_0)``: how a person tells it from others of its kind."""
    support, room = graph.support(entity.id), graph.room_of(entity.id)
    place = f"{support.relation.value} {support.object}".replace("held_by robot", "in my hand") if support else (
        f"in {room.id}" if room is not None else "")
    about = [entity.called, place] if entity.category == UNIDENTIFIED else [*entity.told.values(), place]
    return f"{entity.id} ({', '.join(filter(None, about))})" if any(about) else entity.id


def _either(names: list[str]) -> str:
    return f"{', '.join(names[:-1])}, or {names[-1]}"
