"""Verbs that ask for things to be somewhere: put, bring, take, swap."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from dadu.language.frames.frame import (
    EnsureFrame,
    Frame,
    LeaveFrame,
    MoveFrame,
    SwapFrame,
)
from dadu.language.frames.noun import NounPhrase, PlacePhrase
from dadu.language.parsing.classes import word_classes
from dadu.language.parsing.rules.changing import become, change
from dadu.language.parsing.rules.claims import placed, said_where
from dadu.language.parsing.rules.complements import (
    destination,
    leads,
    merge_lower_places,
    merge_rooms,
    source_of,
    told_apart,
)
from dadu.language.parsing.rules.looking import inspect
from dadu.language.parsing.rules.parts import Complement
from dadu.language.refusal import Refusal
from dadu.skills.outcome import Code

ME = PlacePhrase("at", (NounPhrase(pronoun="me", text="me"),), text="to me")
_SORTS = ("sort", "organize", "organise", "categorize", "reorganize", "reorganise")


def move(verb: str, group: Complement, text: str) -> list[Frame]:
    """Put, bring: the last place is where to; what stands before it says which thing is meant."""
    group = _filled(_accompanied(group))
    if group.alone or verb == "leave" and not (group.places or group.becoming or group.particles):
        return [LeaveFrame(group.things)]
    if group.becoming and not any(map(leads, group.places)):
        return become(group)
    if group.becoming and group.things:  # bring the wine to the table chilled
        *others, last = group.things
        group = replace(group, things=(*others, replace(last, attributes=(*last.attributes, group.becoming))))
    source, places = source_of(merge_lower_places(group.places))
    if ("back" in group.particles or verb.endswith(" back")) and not places:
        places = (PlacePhrase("at", (), special="former", text="back"),)
    things, to = destination(group.things, places)
    if not to and (group.recipient or verb.split()[0] in ("bring", "deliver")):
        to = (ME,)
    if not (to or source) and word_classes().frame_of[verb] == "put":
        raise Refusal(f"I do not know where to {text!r}; name the place", [verb.split()[0]], Code.UNKNOWN_ACTION)
    return [MoveFrame(things, to, source)]


def take(verb: str, group: Complement, text: str) -> list[Frame]:
    """Take, fetch: places say where the things are, unless the words say where to."""
    group = _filled(group)
    light = next((p for p in group.places if p.preposition in ("with", "under") and "light" in p.text.split()), None)
    if light is not None and group.things:  # pick it up by the light of a lamp
        return inspect(verb, group, text)
    source, places = source_of(merge_rooms(group.places))
    to = tuple(p for p in places if leads(p))
    things = told_apart(group.things, tuple(p for p in places if p not in to))
    if not to and (group.recipient or word_classes().frame_of[verb] == "fetch"):
        to = (ME,)
    return [MoveFrame(things, to, source)]


def _accompanied(group: Complement) -> Complement:
    """``the table with the toys``: what a place or thing is told apart by, where there is another place to go to."""
    things, places = group.things, list(group.places)
    for i in range(len(places) - 1, -1, -1):
        if places[i].preposition != "with" or len(places) == 1:
            continue
        place = places.pop(i)
        if i == 0:
            things = told_apart(things, (place,))
        else:
            places[i - 1] = said_where(places[i - 1], (place,))
    return replace(group, things=things, places=tuple(places))


def _filled(group: Complement) -> Complement:
    """``a mug on the table with a pen in it``: a pen is in the mug rather than in the table; ``a plate from the fridge
    with a fork on it``"""
    for i, place in enumerate(group.places):
        inside = next((p for n in place.nouns[-1:] for p in n.places if p.preposition == "with" and any(
            _is_in_it(q, place.preposition) for m in p.nouns for q in m.places)), None)
        if inside is not None and group.things:
            noun = replace(place.nouns[-1], places=tuple(p for p in place.nouns[-1].places if p != inside))
            place = replace(place, nouns=(*place.nouns[:-1], noun))
            return replace(group, things=told_apart(group.things, (inside,)),
                           places=(*group.places[:i], place, *group.places[i + 1:]))
    return group


def _is_in_it(place: PlacePhrase, of: str) -> bool:
    it = [np.pronoun for np in place.nouns] == ["it"]
    return it and (of == "from" or of == "on" and place.preposition == "in")


def stow(verb: str, group: Complement, text: str) -> list[Frame]:
    usual = PlacePhrase("at", (), special="usual", text="away")
    if verb.split()[0] in _SORTS and not any(map(leads, group.places)):  # sort the things on the table
        source, places = source_of(group.places)
        return [MoveFrame(tuple(placed(np, places) for np in group.things), (usual,), source)]
    if group.places or verb == "put back" and any(n.pronoun for n in group.things):  # where it was
        return move(verb, group, text)
    return [MoveFrame(group.things, (usual,))]


def move_to_role(role: str) -> Callable[[str, Complement, str], list[Frame]]:
    """Ship, receive, throw away: where to is what the place is good for."""
    place = PlacePhrase("at", (NounPhrase(purpose=role, text=role),), text=role)

    def make(verb: str, group: Complement, text: str) -> list[Frame]:
        source, places = source_of(group.places)
        to = tuple(p for p in places if p.preposition != "from")[-1:]
        return [MoveFrame(group.things, to or (place,), source)]
    return make


def receive(verb: str, group: Complement, text: str) -> list[Frame]:
    """From where deliveries wait to where they belong, or to the place that is said."""
    source, places = source_of(group.places)
    role = PlacePhrase("from", (NounPhrase(purpose="receiving", text="receiving"),), text="receiving")
    usual = PlacePhrase("at", (), special="usual", text="where it belongs")
    return [MoveFrame(group.things, places[-1:] or (usual,), source or role)]


def replenish(verb: str, group: Complement, text: str) -> list[Frame]:
    """Top the bowl up to five apples; restock the shelf with tea; restock the drinks: each where it belongs."""
    there = PlacePhrase("at", group.things, text=text)
    for place in group.places:
        if place.preposition in ("at", "with") and any(n.quantity.number for n in place.nouns) and group.things:
            return [EnsureFrame(what, there) for what in place.nouns]
    goods = next((p.nouns for p in group.places if p.preposition == "with"), ())
    if verb.startswith("fill"):
        return change("fill", group, text)
    return [MoveFrame(goods, (there,))] if goods and group.things else stow(verb, group, text)


def serve(verb: str, group: Complement, text: str) -> list[Frame]:
    """Set out four plates: so many are to be there, on the table where one serves where no other is named."""
    table = PlacePhrase("on", (NounPhrase(purpose="serving", text="the table"),), text="on the table")
    to = group.places or (table,)
    if len(to) == 1 and not to[0].special and all(n.determiner == "indefinite" and n.quantity.number
                                                 and not n.places for n in group.things):
        return [EnsureFrame(what, to[0]) for what in group.things]
    return move(verb, replace(group, places=to), text)


def swap(verb: str, group: Complement, text: str) -> list[Frame]:
    things, places = group.things, group.places
    other = next((p for p in places if p.preposition in ("with", "at")), None)
    if len(things) == 1 and other is not None:  # the milk in the fridge | with the lemon on the desk
        at = places.index(other)
        things = (*told_apart(things, places[:at]), *told_apart(other.nouns, places[at + 1:]))
    if len(things) != 2:
        raise Refusal(f"I can swap two things, not {len(things)}: {text!r}", [text], Code.UNKNOWN_ACTION)
    return [SwapFrame((things[0], things[1]))]
