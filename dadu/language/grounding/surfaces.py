"""On, in or beside: how things stand to a place, as the place has it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dadu.goals.goal import Term
from dadu.knowledge.commonsense import occasions
from dadu.knowledge.usual_places import of_category
from dadu.language.discourse import Thing
from dadu.language.grounding.holding import holds_things, is_flat
from dadu.language.grounding.scene import Scene
from dadu.language.refusal import Refusal
from dadu.skills.outcome import Code
from dadu.world.graph import Kind


@dataclass(frozen=True)
class Target:
    """A predicate and the term to which it relates."""

    predicate: str
    term: Term
    note: str = ""


def target(place: Thing, preposition: str, scene: Scene) -> Target:
    """Errors: Refusal where nothing can be there."""
    if place.kind is Kind.ROOM:
        return Target("is_in_room", place.term)
    if preposition in ("next_to", "between"):
        return Target("is_next_to", place.term)
    if place.kind is Kind.OBJECT:
        return _on_object(place, preposition, scene)
    return on_furniture(place.term, preposition, scene)


def _on_object(place: Thing, preposition: str, scene: Scene) -> Target:
    """In the bowl, on the plate; to the lamp is by it."""
    if preposition in ("on", "in") and not holds_things(place, scene):
        raise Refusal(f"nothing can be put {preposition} {place.term.name!r}; things can go next to it",
                      [place.term.name], Code.NOT_INTERACTIVE)
    if preposition == "on":
        return Target("is_on_top", place.term)
    if preposition == "in":
        return Target("is_inside", place.term)
    if not holds_things(place, scene):
        return Target("is_next_to", place.term)
    return Target("is_on_top" if is_flat(place, scene) else "is_inside", place.term)


def on_furniture(term: Term, preposition: str, scene: Scene) -> Target:
    """What has no inside takes things on it; ``at home`` and into a washing machine is inside. On the fridge, where
    nothing can stand on it, means in it. Errors: Refusal."""
    pieces = scene.furniture(term.ids)
    on = tuple(e.id for e in pieces if any(not s.inside for s in e.surfaces) or not e.surfaces)
    inside = tuple(e.id for e in pieces if any(s.inside for s in e.surfaces) or not e.surfaces)
    if preposition == "on" and not on:
        if not all(e.parts for e in pieces):
            raise Refusal(f"nothing can stand on {term.name!r}; things can go in it", [term.name],
                          Code.NOT_INTERACTIVE)
        return Target("is_inside", replace(term, ids=inside),
                      f"{term.name}: nothing can stand on it, so things go in it")
    into = preposition in ("at", "from") and set(inside) <= set(
        of_category(occasions().insides, scene.graph, scene.vocabulary))
    if inside and (preposition in ("in", "home") or into) or not on:
        return Target("is_inside", replace(term, ids=inside))
    note = f"{term.name}: it has no inside, so things go on it" if preposition == "in" else ""
    return Target("is_on_top", replace(term, ids=on), note)
