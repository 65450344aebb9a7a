"""A verb with its things and places to the frame of what it asks for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from dadu.language.frames.frame import (
    ChangeFrame,
    Frame,
    GoFrame,
    MoveFrame,
    RemarkFrame,
    SequenceFrame,
    TidyFrame,
    WishFrame,
)
from dadu.language.frames.noun import NounPhrase, PlacePhrase
from dadu.language.parsing.classes import STATE_OF_VERBS, word_classes
from dadu.language.parsing.names import catalogue_names, room_names
from dadu.language.parsing.rules.changing import become, change, pour
from dadu.language.parsing.rules.claims import state_of
from dadu.language.parsing.rules.complements import (
    is_room,
    joined,
    leads,
    split_several,
    told_apart,
)
from dadu.language.parsing.rules.looking import count, explore, find, inspect
from dadu.language.parsing.rules.moving import move, move_to_role, receive, replenish, serve, stow, swap, take
from dadu.language.parsing.rules.parts import Complement
from dadu.language.refusal import Refusal
from dadu.skills.outcome import Code


def frames_of(base: str, groups: Sequence[Complement], text: str) -> tuple[Frame, ...]:
    """What the verb asks for of each group. Errors: Refusal where it asks for nothing of such things."""
    out: list[Frame] = []
    ordered = False
    if word_classes().frame_of.get(base) in ("put", "bring"):
        groups = split_several(groups)
    for group in groups or (Complement(),):
        verb, group = _with_particle(base, group)
        frame = word_classes().frame_of.get(verb, "")
        if not any(g.things for g in groups) and _is_errand(verb, group):
            frame = "go"
        elif frame == "go" and group.things and group.places:  # stand the sponge on the shelf
            frame = "put"
        elif _is_of_rooms(group):
            frame = {"stow": "tidy", "bring": "prepare", "replenish": "prepare"}.get(frame, frame)
        group = _completed(frame, verb, group)
        if frame not in _FRAMES:
            raise Refusal(f"I do not know what to do for {text!r}", [base], Code.UNKNOWN_ACTION)
        made = _FRAMES[frame](verb, _excluding(group), text)
        out += made
        ordered = ordered or group.ordered
    return (_one_after_the_other(out),) if ordered else tuple(out)


def _one_after_the_other(frames: list[Frame]) -> Frame:
    """``first the cup, then the plate``: a step each; what is to stand together does so in the end."""
    together = tuple(p for f in frames if isinstance(f, MoveFrame) for p in f.to if p.special == "together")[:1]
    frames = [replace(f, to=tuple(p for p in f.to if p not in together)) if isinstance(f, MoveFrame) else f
              for f in frames]
    each = [replace(f, what=(np,)) for f in frames if isinstance(f, (MoveFrame, ChangeFrame)) for np in f.what]
    last = [MoveFrame((NounPhrase(pronoun="them", text="them"),), together)] if together else []
    return SequenceFrame(tuple((frame,) for frame in [*(each or frames), *last]))


def _excluding(group: Complement) -> Complement:
    """``put everything on the table except the vase``: nothing is left out of one table."""
    places, excluded = list(group.places), list[NounPhrase]()
    for i, place in enumerate(places):
        for np in place.nouns:
            if np.excluded and not (np.plural or np.quantity.amount) and group.things:
                excluded += np.excluded
                places[i] = replace(place, nouns=tuple(replace(n, excluded=()) for n in place.nouns))
    if not excluded:
        return group
    last = replace(group.things[-1], excluded=group.things[-1].excluded + tuple(excluded))
    return replace(group, things=(*group.things[:-1], last), places=tuple(places))


def _completed(frame: str, verb: str, group: Complement) -> Complement:
    """``then put in the microwave``: it. ``return to the kitchen`` is to go there."""
    if group.things or frame not in (*STATE_OF_VERBS, "take", "fetch", "put", "bring", "stow", "discard", "ship"):
        return group
    return replace(group, things=(NounPhrase(pronoun="it"),))


def _with_particle(base: str, group: Complement) -> tuple[str, Complement]:
    """``turn`` the lamp ``on`` is to turn on; a particle that makes no other verb says nothing: pick it up there."""
    for particle in group.particles:
        if f"{base} {particle}" in word_classes().frame_of:
            return f"{base} {particle}", replace(group, particles=())
    return base, group


def _is_of_rooms(group: Complement) -> bool:
    """``organize the kitchen``, ``rearrange the bedroom``: a room goes nowhere."""
    return bool(group.things) and not group.places and all(tuple(n.name.split()) in room_names() for n in group.things)


def _is_errand(verb: str, group: Complement) -> bool:
    """``return to the kitchen``, ``move to the kitchen``: who is spoken to goes."""
    return not group.things and verb in ("move", "return", "move over") and any(map(is_room, group.places[-1:]))


def _go(verb: str, group: Complement, text: str) -> list[Frame]:
    if group.things:
        return [GoFrame(PlacePhrase("at", group.things, text=group.things[0].text))]
    if not group.places:
        raise Refusal(f"I do not know where to go for {text!r}", [verb])
    return [GoFrame(group.places[-1])]


def _tidy(verb: str, group: Complement, text: str) -> list[Frame]:
    """Clear leaves nothing there. A kettle is cleaned off otherwise than a table."""
    if not group.things:
        return [TidyFrame(joined(group.places))]
    if verb.startswith("clean") and all(np.pronoun in ("it", "them") or not np.plural and tuple(
            np.name.split()) in catalogue_names().objects for np in group.things):
        return change("clean", group, text)
    to = tuple(p for p in group.places if leads(p))
    scope = told_apart(group.things, tuple(p for p in group.places if p not in to))
    return [TidyFrame(PlacePhrase("at", scope, text=text), to, clear=word_classes().frame_of[verb] == "clear")]


def _tell(verb: str, group: Complement, text: str) -> list[Frame]:
    """Tell me when you are done: what was found out and done is told in any case. Errors: Refusal of anything else."""
    if group.things or group.places:
        raise Refusal(f"I cannot tell {text!r}; ask whether, where, what or how many", [verb], Code.UNKNOWN_ACTION)
    return [RemarkFrame(text)]


def _wish(verb: str, group: Complement, text: str) -> list[Frame]:
    """Set the table for two, make tea: what it takes is common sense."""
    if group.becoming and state_of(group.becoming):
        return become(group)
    people = (n.quantity.number for p in group.places if p.text.startswith("for ") for n in p.nouns)
    at = joined(tuple(p for p in group.places if p.preposition in ("on", "in")))
    return [WishFrame(text, at, people=next(filter(None, people), 1))]


_FRAMES: dict[str, Callable[[str, Complement, str], list[Frame]]] = {
    "take": take, "fetch": take, "put": move, "bring": move, "stow": stow, "ship": move_to_role("shipping"),
    "receive": receive, "discard": move_to_role("trash"), "swap": swap, "pour": pour, "go": _go,
    "find": find, "inspect": inspect, "explore": explore, "count": count, "clear": _tidy, "tidy": _tidy,
    "prepare": _wish, "tell": _tell, "replenish": replenish, "serve": serve, **dict.fromkeys(STATE_OF_VERBS, change),
}
