"""What holds what: bowls and boxes, and places that are told by what is there."""

from __future__ import annotations

from dataclasses import replace

from dadu.language.discourse import Referent
from dadu.language.grounding.scene import Setting
from dadu.language.refusal import NotSeen, Refusal
from dadu.world.graph import Kind

FLAT = ("plate", "tray")
"""what things stand on rather than in"""
_HOLDERS = ("container", "dish", "box", "tray", "pan", "pot", "plate", "bowl", "basket", "bag", "cup", "mug",
            "glass", "vase")


def holds_things(thing: Referent, scene: Setting) -> bool:
    """True if an object can take others: a bowl, a plate, a cup."""
    categories = scene.categories(thing.term.ids, thing.term.description)
    return any(scene.can((c,), "place_on", "place_in", "fill") or scene.is_a((c,), *_HOLDERS) for c in categories)


def is_flat(thing: Referent, scene: Setting) -> bool:
    return scene.is_a(scene.categories(thing.term.ids, thing.term.description), *FLAT)


def takes_in(thing: Referent, scene: Setting) -> bool:
    """True if things can be put inside."""
    if thing.kind is Kind.OBJECT:
        return holds_things(thing, scene)
    return any(s.inside for piece in scene.furniture(thing.term.ids) for s in piece.surfaces)


def where_it_is(place: Referent, inside: Referent, scene: Setting) -> Referent:
    """``the table with the toys``, ``the room with the bed``: of the places that where the other thing is. Errors:
    Refusal; NotSeen."""
    words = inside.term.name
    if not inside.term.ids and not scene.complete:
        raise NotSeen(f"I do not know yet where {words!r} is", [words], inside.term.description, every=False)
    if place.kind is Kind.ROOM:
        found = {scene.room(id) for id in inside.term.ids}
    else:
        found = {scene.holder(id) for id in inside.term.ids} | {
            p.id for p in scene.furniture(place.term.ids) if inside.kind is Kind.FURNITURE
            and any(scene.room(id) == scene.room(p.id) for id in inside.term.ids)}
    ids = tuple(id for id in place.term.ids if id in found)
    if not ids:
        raise Refusal(f"I do not know {place.term.name!r} with {words!r}", [words])
    return replace(place, term=replace(place.term, ids=ids, description=replace(
        place.description, categories=(), ids=ids)))
