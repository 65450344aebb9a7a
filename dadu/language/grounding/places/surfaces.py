"""On, in or beside: how things stand to a place, as the place has it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dadu.goals.goal import Description, Term
from dadu.knowledge.commonsense import occasions
from dadu.knowledge.usual_places import things_of_category
from dadu.language.discourse import Referent
from dadu.language.grounding.nouns.holding import holds_things, is_flat
from dadu.language.grounding.scene import Setting
from dadu.language.refusal import Refusal
from dadu.skills.outcome import Code
from dadu.world.graph import Entity, Kind


@dataclass(frozen=True)
class PlacementTarget:
    """A predicate and the term to which it relates."""

    predicate: str
    term: Term
    note: str = ""


def target(place: Referent, preposition: str, scene: Setting) -> PlacementTarget:
    """Errors: Refusal where nothing can be there."""
    if place.kind is Kind.ROOM:
        return PlacementTarget("is_in_room", place.term)
    if preposition in ("next_to", "between"):
        return PlacementTarget("is_next_to", place.term)
    if place.kind is Kind.OBJECT:
        return _on_object(place, preposition, scene)
    drawer = _is_part(place, scene)
    to = furniture_target(place.term, "in" if drawer and preposition == "at" else preposition, scene)
    if drawer and preposition != "on" and to.predicate == "is_on_top":
        raise Refusal(f"nothing can be put in {place.term.name!r}: {', '.join(place.term.ids)} has no inside",
                      [place.term.name], Code.NOT_INTERACTIVE)
    return to


def _is_part(place: Referent, scene: Setting) -> bool:
    """True if the words name a part: the desk's drawer. A chest of drawers is called so as a whole."""
    words = scene.lexicon.normal(place.phrase.name)
    whole = len(words) > 1 and any(tier < 2 for _, tier in scene.vocabulary.named(words))
    return words[-1:] in [(part,) for part in scene.lexicon.parts] and not whole


def _on_object(place: Referent, preposition: str, scene: Setting) -> PlacementTarget:
    """In the bowl, on the plate; to the lamp is by it."""
    if preposition in ("on", "in") and not holds_things(place, scene):
        raise Refusal(f"nothing can be put {preposition} {place.term.name!r}; things can go next to it",
                      [place.term.name], Code.NOT_INTERACTIVE)
    if preposition == "on":
        return _on_vessel(place, scene) or PlacementTarget("is_on_top", place.term)
    if preposition == "in":
        return PlacementTarget("is_inside", place.term)
    if not holds_things(place, scene):
        return PlacementTarget("is_next_to", place.term)
    return PlacementTarget("is_on_top" if is_flat(place, scene) else "is_inside", place.term)


def _on_vessel(place: Referent, scene: Setting) -> PlacementTarget | None:
    """``on the bowl``, which has no surface: in it. None for what has one."""
    categories = scene.categories(place.term.ids, place.term.description)
    if is_flat(place, scene) or not categories or not all(
            scene.can((c,), "place_in") and not scene.can((c,), "place_on") for c in categories):
        return None
    return PlacementTarget("is_inside", place.term, f"{place.term.name}: nothing can stand on it, so things go in it")


def furniture_target(term: Term, preposition: str, scene: Setting) -> PlacementTarget:
    """What has no inside takes things on it; ``at home`` and into a washing machine is inside. On the fridge, where
    nothing can stand on it, means in it. Errors: Refusal."""
    pieces = scene.furniture(term.ids)
    on, inside = (tuple(e.id for e in pieces if not e.surfaces or within in [s.inside for s in e.surfaces])
                  for within in (False, True))
    if preposition == "on" and not on:
        return _rather_in(replace(term, ids=inside), scene)
    if inside and _goes_in(preposition, replace(term, ids=inside), scene) or not on:
        return PlacementTarget("is_inside", replace(term, ids=inside))
    note = f"{term.name}: it has no inside, so things go on it" if preposition == "in" else ""
    return PlacementTarget("is_on_top", replace(term, ids=on), note)


def _goes_in(preposition: str, term: Term, scene: Setting) -> bool:
    """True if what is put `preposition` these pieces goes in."""
    return preposition in ("in", "home") or preposition == "at" and all(
        _is_inside(piece, term.description, scene) for piece in scene.furniture(term.ids))


def _is_inside(piece: Entity, told: Description | None, scene: Setting) -> bool:
    """True if what is brought to it goes in: as the words have it, since eyes may call it otherwise."""
    insides = occasions().insides
    if told is not None and told.categories and piece.provenance == "detection":
        return any(category in insides for category in told.categories)
    return piece.id in things_of_category(insides, scene.graph, scene.vocabulary)


def _rather_in(term: Term, scene: Setting) -> PlacementTarget:
    """Errors: Refusal for what is open, of which the words cannot mean that."""
    if not all(e.parts for e in scene.furniture(term.ids)):
        raise Refusal(f"nothing can stand on {term.name!r}; things can go in it", [term.name], Code.NOT_INTERACTIVE)
    return PlacementTarget("is_inside", term, f"{term.name}: nothing can stand on it, so things go in it")
