"""Verbs that ask for a state: wash, heat, pour, leave open."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dadu.language.frames.frame import (
    ChangeFrame,
    Frame,
    MoveFrame,
)
from dadu.language.frames.noun import NounPhrase, PlacePhrase
from dadu.language.parsing.classes import STATE_OF_VERBS, word_classes
from dadu.language.parsing.names import catalogue_names
from dadu.language.parsing.rules.claims import state_of
from dadu.language.parsing.rules.complements import (
    leads,
    told_apart,
)
from dadu.language.parsing.rules.parts import Complement
from dadu.language.refusal import Refusal
from dadu.skills.outcome import Code


def change(verb: str, group: Complement, text: str) -> list[Frame]:
    """A state; in, under and with say by what means."""
    frame = word_classes().frame_of[verb]
    state: Any = STATE_OF_VERBS[frame]
    if group.becoming and state_of(group.becoming) is None:
        raise Refusal(f"I do not know what to do for {text!r}", [group.becoming], Code.UNKNOWN_ACTION)
    if frame == "power_on" and group.places and group.places[-1].preposition == "with":  # the lamp with a book
        return [MoveFrame(group.places[-1].nouns), *change(verb, replace(group, places=group.places[:-1]), text)]
    ways = _means(frame, group.places)
    rest = tuple(p for p in group.places if p not in ways)
    to = tuple(p for p in rest if leads(p))
    things = told_apart(group.things, tuple(p for p in rest if p not in to))
    means: list[PlacePhrase | None] = [*ways] or [_by_itself(verb)]
    made: list[Frame] = [ChangeFrame(things, state, using) for using in means]
    return made + ([MoveFrame(things, to)] if to else [])


def _by_itself(verb: str) -> PlacePhrase | None:
    """``microwave the bread``: the verb is called like what does it."""
    name = NounPhrase(verb, text=f"the {verb}")
    return PlacePhrase("in", (name,), text=f"in the {verb}") if (verb,) in catalogue_names() else None


def _means(frame: str, places: tuple[PlacePhrase, ...]) -> list[PlacePhrase]:
    """Where or with what it is done; of slicing both, on the board with a knife."""
    if frame in ("power_on", "power_off", "open", "close"):  # what is switched is not moved
        return []
    means = ("with", "under", "in", "on", "at") if frame in ("heat", "cool", "slice") else ("with", "under", "in")
    ways = [p for p in places if p.preposition in means and not leads(p)]
    return ways[:2] if frame == "slice" else ways[:1]


def pour(verb: str, group: Complement, text: str) -> list[Frame]:
    """Pour water into the glass: the glass is filled."""
    vessels = tuple(n for p in group.places if p.preposition != "from" for n in p.nouns)
    if not (vessels and group.things):
        raise Refusal(f"I do not know what to pour, or into what: {text!r}", [verb], Code.UNKNOWN_ACTION)
    return [ChangeFrame(vessels, "filled", PlacePhrase("from", group.things, text=group.things[0].text))]


def become(group: Complement) -> list[Frame]:
    """Leave the door open, keep the milk cold."""
    state = state_of(group.becoming)
    if state is None:
        raise Refusal(f"I do not know how to make something {group.becoming!r}", [group.becoming], Code.UNKNOWN_ACTION)
    return [ChangeFrame(told_apart(group.things, group.places), state)]
