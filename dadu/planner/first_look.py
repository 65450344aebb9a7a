"""Where to look before words mean anything: the place of what they depend on, or wherever more of the house may be."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from dadu.goals.candidates import candidates
from dadu.goals.goal import Description, Goal, Term
from dadu.goals.interpreter import AskBack, Context, Interpretation, LookFirst, Refused
from dadu.house.catalogue import furniture_categories
from dadu.house.format import Furniture
from dadu.house.furniture.entity import furniture_entity
from dadu.knowledge.vocabulary import Vocabulary
from dadu.language.refusal import NotSeen, NotUnderstood
from dadu.planner.regression.search import layout_known, next_spot
from dadu.world.graph import Entity, Kind, WorldGraph

Reading = Callable[[Context], Goal | AskBack]
"""Raises NotUnderstood."""


def first_look(read: Reading, context: Context) -> Interpretation:
    """What `read` makes of the words; where that depends on what was not seen, the next place to look."""
    found = _try(read, context)
    if not context.complete:
        look = _where_it_may_be(found, context) or _elsewhere(read, context)
        if look is not None:
            return look
        if isinstance(found, NotSeen):  # everywhere was looked: what was not seen is not there
            found = _try(read, replace(context, complete=True))
    if isinstance(found, (Goal, AskBack)):
        return found
    everywhere = context.looked and not layout_known(context.graph)
    searched = ". Everything that can be reached was looked at" if everywhere else ""
    return Refused(f"{found}{searched}", found.words, found.code)


def _try(read: Reading, context: Context) -> Goal | AskBack | NotUnderstood:
    try:
        return read(context)
    except NotUnderstood as refusal:
        return refusal


def _where_it_may_be(found: Goal | AskBack | NotUnderstood, context: Context) -> LookFirst | None:
    """Where what was not seen may be; or, once some of it is, the rest, where every one of such things is meant."""
    look = context.looking if context.looking is not None and context.looking.every else None
    if isinstance(found, NotSeen):
        look = LookFirst("", str(found), found.wanted, every=found.every)
    if look is None or look.wanted is None:
        return None
    spot = next_spot(look.wanted, look.wanted.categories, context.graph, context.looked, context.vocabulary,
                     open_only=look.every, odds=context.odds)
    return replace(look, place=spot.id) if spot is not None else None


def _elsewhere(read: Reading, context: Context) -> Goal | LookFirst | None:
    """Where more of the house may be seen, as long as the words name a sort of furniture or room that was not; or what
    they mean where a piece that is called otherwise may be of that sort: one that holds the very thing that they say is
    there, or, where nothing is left to look at, not even a suspect from nearby, the likeliest."""
    if layout_known(context.graph):
        return None
    lacking = _only_if_there(read, context)
    if not lacking:
        return None
    spot = next_spot(None, (), context.graph, context.looked, context.vocabulary, open_only=True)
    if spot is None and (suspect := _suspect(lacking, context)) is not None:
        return suspect
    taken = taken_for(lacking, context.graph, context.vocabulary, anywhere=spot is None)
    if len(taken) == len(lacking):
        goal = _try(read, replace(context, graph=_renamed(context.graph, taken)))
        if isinstance(goal, Goal):
            told = tuple(f"{words} -> {id}" for words, (id, _) in taken.items())
            return replace(goal, substitutions=(*goal.substitutions, *told))
    if spot is None:
        return None
    sorts = tuple(lack.sorts for lack in lacking)
    return LookFirst(spot.id, f"{', '.join(lack.words for lack in lacking)}: not seen yet; looking around", sorts=sorts)


def _suspect(lacking: Sequence[Lacking], context: Context) -> LookFirst | None:
    """The likeliest of what may be one of these, was seen too little to be believed, and not looked at since."""
    suspects = [e for e in context.graph.of(Kind.SUSPECT) if e.id not in context.looked]
    chances = [(share, e.id, lack.words) for e in suspects for name, share in e.may_be.items() for lack in lacking
               if _is_called(name, lack.sorts, context.vocabulary)]
    if not chances:
        return None
    share, id, words = max(chances)
    return LookFirst(id, f"{words}: not seen yet; {id} may be one ({share:.0%}), looking at it from nearby")


@dataclass(frozen=True)
class Lacking:
    """Furniture or a room that words speak of and that was not seen."""

    words: str
    sorts: frozenset[str]
    """categories that would do"""
    holds: Description | None = None
    """the thing that is said to be there, wherever that is; None where none is"""


def taken_for(lacking: Sequence[Lacking], graph: WorldGraph, vocabulary: Vocabulary, anywhere: bool
              ) -> dict[str, tuple[str, str]]:
    """By their words, pieces that some views have called so, each with that category: those that hold what is said to
    be there, or `anywhere`."""
    taken: dict[str, tuple[str, str]] = {}
    for lack in lacking:
        held = candidates(lack.holds, graph) if lack.holds is not None else []
        on = {edge.object for thing in held if (edge := graph.support(thing.id)) is not None}
        chances = [(share, piece.id, category) for piece in graph.of(Kind.FURNITURE) if anywhere or piece.id in on
                   for category, share in piece.may_be.items() if _is_called(category, lack.sorts, vocabulary)]
        if chances:
            _, id, category = max(chances)
            taken[lack.words] = (id, category)
    return taken


def _is_called(category: str, sorts: Collection[str], vocabulary: Vocabulary) -> bool:
    """True if it is one of these, or is called so, too."""
    entry = vocabulary.entries.get(category)
    names = [vocabulary.entries[sort].name for sort in sorts if sort in vocabulary.entries]
    return category in sorts or entry is not None and any(entry.tier(name) == 1 for name in names)


def _renamed(graph: WorldGraph, taken: Mapping[str, tuple[str, str]]) -> WorldGraph:
    graph = graph.copy()
    for id, category in taken.values():
        graph.change(id, category=category)
    return graph


def _only_if_there(read: Reading, context: Context) -> list[Lacking]:
    """Furniture and rooms of a sort that was not seen yet, found by reading the words as if all sorts were."""
    imagined = context.graph.copy()
    seen = {entity.category for entity in context.graph}
    for entity in _of_every_sort(context.vocabulary):
        if entity.category not in seen and entity.id not in context.graph:
            imagined.put(entity)
    goal = _try(read, replace(context, graph=imagined, looked={}))
    if not isinstance(goal, Goal):
        return []
    lacking = {words: Lacking(words, frozenset(imagined[id].category for id in ids if id in imagined), holds)
               for term in _terms(goal) for words, ids, holds in _lacking(term, context.graph)}
    return list(lacking.values())


def _terms(goal: Goal) -> list[Term]:
    asked = [b.question.proposition for b in goal.branches if b.question.proposition is not None]
    wondered = [Term(b.question.text, (), b.question.description) for b in goal.branches]
    return [t for p in (*goal.propositions, *asked) for t in (p.subject, p.object) if t is not None] + wondered


def _lacking(term: Term, graph: WorldGraph) -> Iterator[tuple[str, tuple[str, ...], Description | None]]:
    """What this term needs and the graph lacks: words, the ids that would do, and what is to be there."""
    if term.ids and not any(id in graph for id in term.ids):
        yield term.name, term.ids, None
    if (told := term.description) is None:
        return
    for where in told.where:
        if where.ids and not any(id in graph for id in where.ids):
            yield " or ".join(where.ids), where.ids, told.anywhere()


@cache
def _of_every_sort(vocabulary: Vocabulary) -> tuple[Entity, ...]:
    """One piece of furniture of each category of the catalogue, and one room of each sort."""
    rooms = [Entity(e.category, Kind.ROOM, e.category) for e in vocabulary.entries.values() if e.kind is Kind.ROOM]
    pieces = [furniture_entity(Furniture(name=f"{name}_0", category=name, room="room", pose=(0.0, 0.0, 0.0)))
              for name in sorted(furniture_categories())]
    return (*rooms, *pieces)
