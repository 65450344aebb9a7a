"""Each thing to where such things belong, back to where it was, or anywhere but where it is."""

from __future__ import annotations

from collections.abc import Sequence

from dadu.goals.goal import Proposition, Term
from dadu.knowledge.usual_places import place_rank, usual
from dadu.language.discourse import Referent
from dadu.language.grounding.partial_goal import PartialGoal
from dadu.language.grounding.places.surfaces import furniture_target
from dadu.language.grounding.scene import Setting
from dadu.language.refusal import NotSeen, Refusal
from dadu.world.graph import Kind, Relation


def return_to_usual_places(things: Sequence[Referent], part: PartialGoal, scene: Setting) -> PartialGoal:
    """Where each belongs; what is at a place that will do stays there, unless all are to leave the place that is named.
    Errors: Refusal where that is not known."""
    for thing in things:
        part = belongs(thing, part, scene, exclude=places_of(thing) if thing.every else (), lenient=thing.every)
    return part


def elsewhere(things: Sequence[Referent], part: PartialGoal, scene: Setting) -> PartialGoal:
    """Where each belongs, less where it is now."""
    for thing in things:
        here = tuple(h for id in thing.term.ids if (h := scene.holder(id)))
        part = belongs(thing, part, scene, exclude=places_of(thing) or here)
    return part


def return_to_former_places(things: Sequence[Referent], part: PartialGoal, scene: Setting) -> PartialGoal:
    """Back to where each was when the instruction was given. Errors: Refusal where that is not known."""
    for thing in things:
        for id, (predicate, holder) in stood(thing, scene).items():
            term = thing.term if len(thing.term.ids) == 1 else Term(id, (id,))
            part = part.put(Proposition(predicate, term, Term(holder, (holder,))))
    return part


def stood(thing: Referent, scene: Setting) -> dict[str, tuple[str, str]]:
    """Of each of them in what way (a predicate), and in or on what it is. Errors: NotSeen; Refusal where one is
    nowhere, or it is not known which one is meant."""
    message, name = f"I do not know where {thing.term.name!r} was; name the place", [thing.term.name]
    if not thing.term.ids:
        raise NotSeen(message, name, thing.term.description, every=False)
    edges = {id: scene.graph.support(id) for id in thing.term.ids if scene.holder(id)}
    if len(edges) < len(thing.term.ids) or len(edges) > 1 and not thing.every:
        raise Refusal(message, name)
    return {id: ("is_inside" if edge.relation is Relation.IN else "is_on_top", edge.object)
            for id, edge in edges.items() if edge is not None}


def places_of(thing: Referent) -> tuple[str, ...]:
    """Furniture that a thing is to be taken from."""
    told = thing.term.description
    return tuple(id for w in (told.where if told is not None else ()) if w.relation is not Relation.IN_ROOM
                 for id in w.ids)


def belongs(thing: Referent, part: PartialGoal, scene: Setting, exclude: tuple[str, ...] = (), lenient: bool = False
            ) -> PartialGoal:
    """Each of them to where such things belong; `lenient`: what is at a place that will do stays there. Errors: Refusal
    where that is not known."""
    if not thing.term.ids:
        return _unseen(thing, part, scene, exclude)
    ids = _misplaced(thing.term.ids, scene, exclude) if lenient else thing.term.ids
    homes: dict[tuple[str, ...], list[str]] = {}
    for id in ids:
        places = tuple(p for p in usual((scene.graph[id].category,), scene.graph, scene.vocabulary)
                       if p not in exclude)
        homes.setdefault(places or _next_best(id, scene, exclude), []).append(id)
    lost = homes.pop((), [])
    if lost and (len(lost) == len(thing.term.ids) or not thing.every):
        raise Refusal(f"I do not know where {', '.join(lost)} belongs; say where to put it", [thing.term.name])
    if lost:
        part = part.note(f"left where they are, for I do not know where they belong: {', '.join(lost)}")
    if not thing.every and len(homes) > 1:
        homes = {next(iter(homes)): list(thing.term.ids)}
    for places, moved in homes.items():
        one = thing.only(f"{thing.term.key}/{places[0]}", moved) if thing.every else thing.of(moved)
        to = furniture_target(Term("|".join(places), places), "home", scene)
        part = part.want(to.predicate, one, to.term)
    return part


def _misplaced(ids: tuple[str, ...], scene: Setting, exclude: tuple[str, ...]) -> tuple[str, ...]:
    """Those that are not at a place where such things can be; all where none is."""
    def fits(id: str) -> bool:
        holder = scene.graph.entities.get(scene.holder(id))
        return holder is not None and holder.id not in exclude and place_rank(
            holder, (scene.graph[id].category,), scene.vocabulary) is not None
    return tuple(id for id in ids if not fits(id)) or ids


def _next_best(id: str, scene: Setting, exclude: tuple[str, ...]) -> tuple[str, ...]:
    """Where a thing may go that must leave the place where such things belong."""
    ranks = {p.id: r for p in scene.graph.of(Kind.FURNITURE) if p.id not in exclude and p.surfaces
             and (r := place_rank(p, (scene.graph[id].category,), scene.vocabulary)) is not None}
    best = min(ranks.values(), default=None)
    return tuple(sorted(p for p, r in ranks.items() if r == best))


def _unseen(thing: Referent, part: PartialGoal, scene: Setting, exclude: tuple[str, ...]) -> PartialGoal:
    """Not seen yet: one place where all that it may be belongs, else each where it belongs, once it is seen."""
    told = thing.term.description
    options = {usual((c,), scene.graph, scene.vocabulary) for c in (told.categories if told is not None else ())}
    options = {tuple(p for p in o if p not in exclude) for o in options} - {()}
    if len(options) == 1:
        places = next(iter(options))
        to = furniture_target(Term("|".join(places), places), "home", scene)
        return part.want(to.predicate, thing, to.term)
    pieces = tuple(p.id for p in scene.graph.of(Kind.FURNITURE)
                   if p.id not in exclude and any(not s.inside for s in p.surfaces))
    if not pieces:
        raise Refusal(f"I do not know where {thing.term.name!r} belongs; say where to put it", [thing.term.name])
    return part.note(f"{thing.term.name}: each goes where such things usually are").want(
        "is_on_top", thing, Term("usual", pieces, usual=True))
