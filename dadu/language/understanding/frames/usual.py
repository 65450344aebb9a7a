"""Each thing to where such things belong."""

from __future__ import annotations

from dataclasses import replace

from dadu.goals.goal import Description, Term
from dadu.knowledge.usual_places import place_rank, usual
from dadu.language.refusal import Refusal
from dadu.language.understanding.draft import Draft
from dadu.language.understanding.frames.placing import surface
from dadu.language.understanding.things.things import Thing
from dadu.world.graph import Kind, Relation


def left_behind(draft: Draft, thing: Thing) -> tuple[str, ...]:
    """``everything on the shelf`` has to leave it, wherever it belongs."""
    return places_of(thing) if thing.every and _plain(draft, thing) else ()


def _plain(draft: Draft, thing: Thing) -> bool:
    """The goods, all items: of no kind."""
    words = thing.noun.words[-1:] if thing.noun is not None else ()
    return bool(words) and words[0] in draft.vocabulary.lexicon.plain_nouns


def places_of(thing: Thing) -> tuple[str, ...]:
    """Furniture that a thing is to be taken from."""
    where = thing.term.description.where if thing.term.description else ()
    return tuple(id for w in where if w.relation is not Relation.IN_ROOM for id in w.ids)


def to_usual(draft: Draft, thing: Thing, exclude: tuple[str, ...] = (), lenient: bool = False) -> None:
    """Each thing to where such things belong; `lenient`: what is at a place that will do stays there.
    Errors: Refusal where that is not known."""
    draft.require(thing)
    description = thing.term.description
    if not thing.term.ids:
        categories = description.categories if description else ()
        _unseen_to_usual(draft, thing, categories, exclude)
        return
    groups: dict[tuple[str, ...], list[str]] = {}
    lost = []
    ids = _misplaced(draft, thing.term.ids, exclude) if lenient else thing.term.ids
    for id in ids:
        places = tuple(p for p in usual((draft.graph[id].category,), draft.graph, draft.vocabulary) if p not in exclude)
        places = places or _next_best(draft, id, exclude)
        groups.setdefault(places, []).append(id)
        lost += [id] if not places else []
    if lost and (len(lost) == len(thing.term.ids) or not thing.every):
        raise Refusal(f"I do not know where {', '.join(lost)} belongs; say where to put it", [thing.term.name])
    if lost:
        draft.note(f"left where they are, for I do not know where they belong: {', '.join(lost)}")
    if not thing.every and len(groups) > 1:
        groups = {next(iter(groups)): list(thing.term.ids)}
    for places, moved in groups.items():
        if places:
            one = replace(thing, term=Term(f"{thing.term.key}/{places[0]}", tuple(moved), _only(description, moved)))
            predicate, term = surface(draft, Term("|".join(places), places), "home")
            draft.add(predicate, one, term)


def _misplaced(draft: Draft, ids: tuple[str, ...], exclude: tuple[str, ...]) -> tuple[str, ...]:
    """Those that are not at a place where such things can be; all where none is."""
    def fits(id: str) -> bool:
        edge = draft.graph.support(id)
        piece = draft.graph.entities.get(edge.object) if edge is not None else None
        return piece is not None and piece.id not in exclude and place_rank(
            piece, (draft.graph[id].category,), draft.vocabulary) is not None
    return tuple(id for id in ids if not fits(id)) or ids


def _only(description: Description | None, ids: list[str]) -> Description | None:
    return replace(description, categories=(), ids=tuple(ids), alternatives=(), where=()) if description else None


def _next_best(draft: Draft, id: str, exclude: tuple[str, ...]) -> tuple[str, ...]:
    """Where a thing may go that must leave the place where such things belong."""
    category = (draft.graph[id].category,)
    ranks = {p.id: r for p in draft.graph.of(Kind.FURNITURE) if p.id not in exclude and p.surfaces
             and (r := place_rank(p, category, draft.vocabulary)) is not None}
    best = min(ranks.values(), default=None)
    return tuple(sorted(p for p, r in ranks.items() if r == best))


def _unseen_to_usual(draft: Draft, thing: Thing, categories: tuple[str, ...], exclude: tuple[str, ...]) -> None:
    """Not seen yet: one place where all that it may be belongs, else each where it belongs, once it is seen."""
    options = {usual((c,), draft.graph, draft.vocabulary) for c in categories} - {()}
    if len(options) == 1:
        places = tuple(p for p in next(iter(options)) if p not in exclude)
        if places:
            predicate, term = surface(draft, Term("|".join(places), places), "home")
            draft.add(predicate, thing, term)
            return
    pieces = tuple(p.id for p in draft.graph.of(Kind.FURNITURE)
                   if p.id not in exclude and any(not s.inside for s in p.surfaces))
    if not pieces:
        raise Refusal(f"I do not know where {thing.term.name!r} belongs; say where to put it", [thing.term.name])
    draft.note(f"{thing.term.name}: each goes where such things usually are")
    draft.add("is_on_top", thing, Term("usual", pieces, usual=True))
