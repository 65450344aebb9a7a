"""A verb with its things and places to the frame of what it asks for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from dadu.language.frames.frame import (
    ChangeFrame,
    EnsureFrame,
    Frame,
    GoFrame,
    LeaveFrame,
    LookFrame,
    MoveFrame,
    SwapFrame,
    TidyFrame,
    WishFrame,
)
from dadu.language.frames.noun import NounPhrase, PlacePhrase
from dadu.language.parsing.classes import STATE_OF_VERBS, word_classes
from dadu.language.parsing.names import room_names
from dadu.language.parsing.rules.claims import placed, state_of
from dadu.language.parsing.rules.parts import Complement
from dadu.language.refusal import Refusal
from dadu.skills.outcome import Code

ME = PlacePhrase("at", (NounPhrase(pronoun="me", text="me"),), text="to me")
_BESIDE = ("next_to", "between")


def frames_of(base: str, groups: tuple[Complement, ...], text: str) -> tuple[Frame, ...]:
    """What the verb asks for of each group. Errors: Refusal where it asks for nothing of such things."""
    out: list[Frame] = []
    for group in groups or (Complement(),):
        verb, group = _with_particle(base, group)
        frame = word_classes().frame_of.get(verb, "")
        if _is_errand(verb, group):
            frame = "go"
        elif _is_of_rooms(group):
            frame = {"stow": "tidy", "bring": "prepare"}.get(frame, frame)
        group = _completed(frame, verb, group)
        if frame not in _FRAMES:
            raise Refusal(f"I do not know what to do for {text!r}", [base], Code.UNKNOWN_ACTION)
        out += _FRAMES[frame](verb, group, text)
    return tuple(out)


def _completed(frame: str, verb: str, group: Complement) -> Complement:
    """``then put in the microwave``: it. ``return to the kitchen`` is to go there."""
    if group.things or frame not in (*STATE_OF_VERBS, "take", "fetch", "put", "bring", "stow", "discard", "ship"):
        return group
    return replace(group, things=(NounPhrase(pronoun="it", text="it"),))


def _with_particle(base: str, group: Complement) -> tuple[str, Complement]:
    """``turn`` the lamp ``on`` is to turn on; a particle that makes no other verb says nothing: pick it up there."""
    for particle in group.particles:
        if f"{base} {particle}" in word_classes().frame_of:
            return f"{base} {particle}", replace(group, particles=())
    return base, group


def _move(verb: str, group: Complement, text: str) -> list[Frame]:
    """Put, bring: the last place is where to; what stands before it says which thing is meant."""
    group = _accompanied(group)
    if group.alone:
        return [LeaveFrame(group.things)]
    if group.becoming:
        return _become(group)
    source, places = _source(group.places)
    if "back" in group.particles and not places:
        places = (PlacePhrase("at", (), special="former", text="back"),)
    things, to = _destination(group.things, places)
    if group.recipient and not to:
        to = (ME,)
    return [MoveFrame(things, to, source, respectively=group.respectively)]


def _is_of_rooms(group: Complement) -> bool:
    """``organize the kitchen``, ``rearrange the bedroom``: a room goes nowhere."""
    return bool(group.things) and not group.places and all(tuple(n.name.split()) in room_names() for n in group.things)


def _is_errand(verb: str, group: Complement) -> bool:
    """``return to the kitchen``, ``move to the kitchen``: who is spoken to goes."""
    return not group.things and verb in ("move", "return", "move over") and any(map(_is_room, group.places[-1:]))


def _take(verb: str, group: Complement, text: str) -> list[Frame]:
    """Take, fetch: places say where the things are, unless the words say where to."""
    source, places = _source(group.places)
    to = tuple(p for p in places if _leads(p))
    things = _told_apart(group.things, tuple(p for p in places if p not in to))
    if group.recipient and not to:
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
            things = _told_apart(things, (place,))
        elif places[i - 1].nouns:
            before = places[i - 1]
            places[i - 1] = replace(before, nouns=(*before.nouns[:-1], placed(before.nouns[-1], (place,))))
    return replace(group, things=things, places=tuple(places))


def _stow(verb: str, group: Complement, text: str) -> list[Frame]:
    if group.places:
        return _move(verb, group, text)
    return [MoveFrame(group.things, (PlacePhrase("at", (), special="usual", text="away"),))]


def _to_role(role: str) -> Callable[[str, Complement, str], list[Frame]]:
    """Ship, receive, throw away: where to is what the place is good for."""
    place = PlacePhrase("at", (NounPhrase(purpose=role, text=role),), text=role)

    def make(verb: str, group: Complement, text: str) -> list[Frame]:
        source, places = _source(group.places)
        to = tuple(p for p in places if p.preposition != "from")[-1:]
        return [MoveFrame(group.things, to or (place,), source)]
    return make


def _swap(verb: str, group: Complement, text: str) -> list[Frame]:
    things = group.things
    if len(things) == 1 and group.places and group.places[0].nouns:
        things = (*things, *group.places[0].nouns)
    if len(things) != 2:
        raise Refusal(f"I can swap two things, not {len(things)}: {text!r}", [text], Code.UNKNOWN_ACTION)
    return [SwapFrame((things[0], things[1]))]


def _change(verb: str, group: Complement, text: str) -> list[Frame]:
    """A state; in, under and with say by what means."""
    frame = word_classes().frame_of[verb]
    state: Any = STATE_OF_VERBS[frame]
    means = ("with", "under", "in", "on", "at") if frame == "heat" else ("with", "under", "in")
    using = next((p for p in group.places if p.preposition in means and not _is_switch(frame)), None)
    to = tuple(p for p in group.places if p is not using and _leads(p))
    things = _told_apart(group.things, tuple(p for p in group.places if p is not using and p not in to))
    if group.becoming and state_of(group.becoming) is None:
        raise Refusal(f"I do not know what to do for {text!r}", [group.becoming], Code.UNKNOWN_ACTION)
    change: list[Frame] = [ChangeFrame(things, state, using)]
    return change + ([MoveFrame(things, to)] if to else [])


def _pour(verb: str, group: Complement, text: str) -> list[Frame]:
    """Pour water into the glass: the glass is filled."""
    vessels = tuple(n for p in group.places if p.preposition != "from" for n in p.nouns)
    if not vessels:
        raise Refusal(f"I do not know into what to pour {text!r}", [verb], Code.UNKNOWN_ACTION)
    return [ChangeFrame(vessels, "filled", PlacePhrase("with", group.things, text=group.things[0].text))]


def _go(verb: str, group: Complement, text: str) -> list[Frame]:
    if group.things:
        return [GoFrame(PlacePhrase("at", group.things, text=group.things[0].text))]
    if not group.places:
        raise Refusal(f"I do not know where to go for {text!r}", [verb])
    return [GoFrame(group.places[-1])]


def _find(verb: str, group: Complement, text: str) -> list[Frame]:
    return [LookFrame("find", what, _joined(group.places)) for what in group.things]


def _inspect(verb: str, group: Complement, text: str) -> list[Frame]:
    """Look at the book under the lamp; look in the fridge."""
    inner = tuple(p for n in group.things for p in n.places if p.text.startswith("illuminated"))
    by = next((p for p in (*group.places, *inner) if _is_light(p)), None)
    light = _lamp(by.nouns[0]) if by is not None else None
    places = tuple(p for p in group.places if p is not by)
    if not group.things:
        return [LookFrame("what", at=_joined(places))]
    if verb in ("look in", "look inside", "look into", "peek into", "peek in", "look through"):
        return [LookFrame("what", at=PlacePhrase("in", group.things, text=text))]
    return [LookFrame("find", what, _joined(places), using=light) for what in group.things]


def _is_light(place: PlacePhrase) -> bool:
    """By the lamp, in the light, under the light of a lamp."""
    if not place.nouns:
        return False
    return place.preposition in ("with", "under") or place.text.startswith("by ") or place.nouns[0].name == "light"


def _lamp(noun: NounPhrase) -> NounPhrase:
    """The lamp of ``lamp light``."""
    lamps = [word for word in noun.attributes if word.endswith("lamp")]
    if noun.name != "light" or not lamps:
        return noun
    return replace(noun, name=lamps[0], attributes=tuple(word for word in noun.attributes if word not in lamps))


def _explore(verb: str, group: Complement, text: str) -> list[Frame]:
    wanted = tuple(n for p in group.places if p.text.startswith("for ") for n in p.nouns)
    places = tuple(p for p in group.places if not p.text.startswith("for "))
    at = PlacePhrase("in", group.things, text=text) if group.things else _joined(places)
    if wanted:
        return [LookFrame("find", what, at) for what in wanted]
    return [LookFrame("what", at=at)]


def _count(verb: str, group: Complement, text: str) -> list[Frame]:
    return [LookFrame("count", what, _joined(group.places)) for what in group.things]


def _clear(verb: str, group: Complement, text: str) -> list[Frame]:
    to = tuple(p for p in group.places if _leads(p))
    scope = _told_apart(group.things, tuple(p for p in group.places if p not in to))
    return [TidyFrame(PlacePhrase("at", scope, text=text), to, clear=True)]


def _tidy(verb: str, group: Complement, text: str) -> list[Frame]:
    if not group.things:
        return [TidyFrame(_joined(group.places))]
    to = tuple(p for p in group.places if _leads(p))
    scope = _told_apart(group.things, tuple(p for p in group.places if p not in to))
    return [TidyFrame(PlacePhrase("at", scope, text=text), to)]


def _refill(verb: str, group: Complement, text: str) -> list[Frame]:
    at = _joined(group.places)
    if at is None:
        return [WishFrame(text)]
    return [EnsureFrame(what, at) for what in group.things]


def _wish(verb: str, group: Complement, text: str) -> list[Frame]:
    """Set the table for two, make tea: what it takes is common sense."""
    if group.becoming and state_of(group.becoming):
        return _become(group)
    return [WishFrame(text, _joined(tuple(p for p in group.places if p.preposition in ("on", "in"))))]


def _use(verb: str, group: Complement, text: str) -> list[Frame]:
    """Use the microwave: what for is said elsewhere; by itself it asks for no state that anybody could name."""
    raise Refusal(f"I do not know what to use {text!r} for; say what is to be done", [verb], Code.UNKNOWN_ACTION)


def _become(group: Complement) -> list[Frame]:
    """Leave the door open, keep the milk cold."""
    state = state_of(group.becoming)
    if state is None:
        raise Refusal(f"I do not know how to make something {group.becoming!r}", [group.becoming], Code.UNKNOWN_ACTION)
    return [ChangeFrame(_told_apart(group.things, group.places), state)]


_FRAMES: dict[str, Callable[[str, Complement, str], list[Frame]]] = {
    "take": _take, "fetch": _take, "put": _move, "bring": _move, "stow": _stow, "ship": _to_role("shipping"),
    "receive": _to_role("receiving"), "discard": _to_role("trash"), "swap": _swap, "pour": _pour, "go": _go,
    "find": _find, "inspect": _inspect, "explore": _explore, "count": _count, "clear": _clear, "tidy": _tidy,
    "refill": _refill, "prepare": _wish, "use": _use, **dict.fromkeys(STATE_OF_VERBS, _change),
}


def _source(places: tuple[PlacePhrase, ...]) -> tuple[PlacePhrase | None, tuple[PlacePhrase, ...]]:
    """Where from, with what tells that place apart; and the other places."""
    for i, place in enumerate(places):
        if place.preposition != "from":
            continue
        end = i + 1
        while end < len(places) and not _leads(places[end]) and not _follows(places, end):
            end += 1
        inner = places[i + 1:end]
        if inner and place.nouns:
            place = replace(place, nouns=(*place.nouns[:-1], placed(place.nouns[-1], inner)))
        return place, places[:i] + places[end:]
    return None, places


def _follows(places: tuple[PlacePhrase, ...], at: int) -> bool:
    """Whether it is the last one and says on or in what: from the fridge | on the table."""
    return at == len(places) - 1 and places[at].preposition in ("on", "in", *_BESIDE) and not _is_room(places[at])


def _destination(things: tuple[NounPhrase, ...], places: tuple[PlacePhrase, ...]
                 ) -> tuple[tuple[NounPhrase, ...], tuple[PlacePhrase, ...]]:
    """Things with what tells them apart, and where they go."""
    places = _with_rooms(places)
    special = tuple(p for p in places if p.special == "together")
    plain = tuple(p for p in places if p not in special)
    if not plain:
        return things, special
    start = len(plain) - 1
    while start > 0 and plain[start].preposition in _BESIDE and plain[start - 1].preposition in ("on", "in", "at"):
        start -= 1
    leads = next((i for i, p in enumerate(plain) if _leads(p)), start)
    start = min(start, leads)
    return _told_apart(things, plain[:start]), (*plain[start:], *special)


def _with_rooms(places: tuple[PlacePhrase, ...]) -> tuple[PlacePhrase, ...]:
    """On the table in the kitchen is one place: a room says where the place before it is."""
    out: list[PlacePhrase] = []
    for place in places:
        if out and _is_room(place) and place.preposition == "in" and out[-1].nouns and not _is_room(out[-1]):
            out[-1] = replace(out[-1], nouns=(*out[-1].nouns[:-1], placed(out[-1].nouns[-1], (place,))))
        else:
            out.append(place)
    return tuple(out)


def _is_room(place: PlacePhrase) -> bool:
    return bool(place.nouns) and tuple(place.nouns[0].name.split()) in room_names()


def _told_apart(things: tuple[NounPhrase, ...], places: tuple[PlacePhrase, ...]) -> tuple[NounPhrase, ...]:
    return (*things[:-1], placed(things[-1], places)) if things and places else things


def _leads(place: PlacePhrase) -> bool:
    """Whether its words say where to."""
    first = place.text.split()[:1]
    return first in (["to"], ["into"], ["onto"], ["toward"], ["towards"], ["back"], ["over"]) or place.special != ""


def _joined(places: tuple[PlacePhrase, ...]) -> PlacePhrase | None:
    """One place: each says where the one before it is."""
    if not places or not places[0].nouns:
        return places[0] if places else None
    first = places[0]
    return replace(first, nouns=(*first.nouns[:-1], placed(first.nouns[-1], places[1:])))


def _is_switch(frame: str) -> bool:
    return frame in ("power_on", "power_off", "open", "close")
