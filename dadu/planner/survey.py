"""Reading an instruction whose meaning depends on what has not been seen yet.

Where the layout is not known, the words are read once as if every sort of furniture and room were there. What they mean
only then is worth looking for. Where things have to be seen first (half of the books, where the vase was), the places
where they may be are. So the robot looks around, and the words are read again, until nothing is left to look at.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from dadu.goals.goal import Goal, Term
from dadu.goals.progress import Progress
from dadu.goals.refusal import NotSeen, Refusal
from dadu.house.catalogue import furniture_categories
from dadu.house.format import Furniture
from dadu.house.layout import furniture_entity
from dadu.knowledge.vocabulary import Vocabulary
from dadu.language.interpret import interpret
from dadu.planner.regression.options import Choice
from dadu.planner.regression.regression import Regression
from dadu.planner.regression.search import layout_known, next_spot
from dadu.planner.situation import Situation
from dadu.skills.call import SkillCall
from dadu.world.graph import Entity, Kind, WorldGraph


def read(instruction: str, graph: WorldGraph, situation: Situation, vocabulary: Vocabulary) -> Goal | Choice:
    """The goal, or the next place to look around first. Errors: Refusal."""
    goal, refusal = _interpreted(instruction, graph, vocabulary, situation.looked)
    wanting = refusal if isinstance(refusal, NotSeen) else _blank(instruction, graph, situation, vocabulary)
    look = _look_first(wanting, graph, situation, vocabulary)
    if look is not None:
        return look
    if not layout_known(graph):
        spot = next_spot(None, (), graph, situation, vocabulary, open_only=True)
        wanted = _unseen(instruction, graph, vocabulary) if spot is not None else ()
        if wanted:
            return Choice(SkillCall("explore", (spot.id,)), f"{', '.join(wanted)}: not seen yet; looking around")
        if refusal is not None and situation.looked:
            refusal = Refusal(f"{refusal}. Everything that can be reached was looked at", refusal.words, refusal.code)
    if goal is None:
        raise refusal
    return goal


def _interpreted(instruction: str, graph: WorldGraph, vocabulary: Vocabulary, looked: Collection[str] = ()
                 ) -> tuple[Goal | None, Refusal | None]:
    try:
        return interpret(instruction, graph, vocabulary, looked=looked), None
    except Refusal as refusal:
        return None, refusal


def _look_first(refusal: NotSeen | None, graph: WorldGraph, situation: Situation, vocabulary: Vocabulary
                ) -> Choice | None:
    """Where the things may be that have to be seen first."""
    if refusal is None or refusal.wanted is None:
        return None
    wanted = refusal.wanted
    spot = next_spot(wanted, wanted.categories, graph, situation, vocabulary, open_only=refusal.every)
    if spot is None:
        return None
    return Regression(Progress(Goal(())), graph, situation, vocabulary).look(spot, str(refusal), wanted)


def _blank(instruction: str, graph: WorldGraph, situation: Situation, vocabulary: Vocabulary) -> NotSeen | None:
    """Why the robot has begun to look around: every one of them has to be seen, not only the first."""
    if not situation.steps:
        return None
    things = {e.id for e in graph.of(Kind.OBJECT)}
    unseen = WorldGraph((e for e in graph if e.id not in things), (e for e in graph.edges if e.subject not in things))
    refusal = _interpreted(instruction, unseen, vocabulary)[1]
    return refusal if isinstance(refusal, NotSeen) and refusal.every else None


def _unseen(instruction: str, graph: WorldGraph, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Words of the instruction for furniture and rooms of a sort that was not seen yet."""
    imagined = graph.copy()
    seen = {entity.category for entity in graph}
    for entity in _of_every_sort(vocabulary):
        if entity.category not in seen and entity.id not in graph:
            imagined.put(entity)
    goal, _ = _interpreted(instruction, imagined, vocabulary)
    return tuple(dict.fromkeys(words for term in _terms(goal) for words in _only_imagined(term, graph))) if goal else ()


def _terms(goal: Goal) -> list[Term]:
    asked = [b.question.proposition for b in goal.branches if b.question.proposition is not None]
    wondered = [Term(b.question.text, (), b.question.description) for b in goal.branches]
    return [t for p in (*goal.propositions, *asked) for t in (p.subject, p.object) if t is not None] + wondered


def _only_imagined(term: Term, graph: WorldGraph) -> list[str]:
    """What this term needs and the graph lacks."""
    out = [term.name] if term.ids and not any(id in graph for id in term.ids) else []
    if term.description is not None:
        out += [" or ".join(where.ids) for where in term.description.where
                if where.ids and not any(id in graph for id in where.ids)]
    return out


@cache
def _of_every_sort(vocabulary: Vocabulary) -> tuple[Entity, ...]:
    """One piece of furniture of each category of the catalogue, and one room of each sort."""
    rooms = [Entity(e.category, Kind.ROOM, e.category) for e in vocabulary.entries.values() if e.kind is Kind.ROOM]
    pieces = [furniture_entity(Furniture(name=f"{name}_0", category=name, room="room", pose=(0.0, 0.0, 0.0)))
              for name in sorted(furniture_categories())]
    return (*rooms, *pieces)
