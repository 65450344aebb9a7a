"""Verbs that ask for something to be found or looked at."""

from __future__ import annotations

from dataclasses import replace

from dadu.language.frames.frame import Frame, LookFrame
from dadu.language.frames.noun import NounPhrase, PlacePhrase
from dadu.language.parsing.rules.claims import state_of
from dadu.language.parsing.rules.complements import joined
from dadu.language.parsing.rules.parts import Complement


def find(verb: str, group: Complement, text: str) -> list[Frame]:
    return [LookFrame("find", what, joined(group.places)) for what in group.things]


def inspect(verb: str, group: Complement, text: str) -> list[Frame]:
    """Look at the book under the lamp; look in the fridge."""
    if [np.name for np in group.things] == ["everything"]:  # what is on the table
        return [LookFrame("what", group.things[0], joined(group.places))]
    inner = (p for n in group.things for p in n.places if state_of(p.text.split()[0]) == "powered_on")
    by = next((p for p in group.places if _is_light(p)), None) or next(inner, None)
    light = _lamp(by.nouns[0]) if by is not None else None
    places = tuple(p for p in group.places if p is not by)
    if not group.things and light is not None:  # pick up the book to look at under the lamp
        group = replace(group, things=(NounPhrase(pronoun="it", text="it"),))
    if not group.things:
        return [LookFrame("what", at=joined(places))]
    if verb in ("look in", "look inside", "look into"):
        return [LookFrame("what", at=PlacePhrase("in", group.things, text=text))]
    return [LookFrame("find", what, joined(places), using=light) for what in group.things]


def _is_light(place: PlacePhrase) -> bool:
    """By the lamp, in the light, under the light of a lamp."""
    if not place.nouns:
        return False
    named = place.nouns[0].name == "light" or place.preposition == "in" and place.nouns[0].name.endswith("lamp")
    return named or place.preposition in ("with", "under") or place.text.startswith("by ")


def _lamp(noun: NounPhrase) -> NounPhrase:
    """The lamp of ``lamp light``, ``the light of a lamp``."""
    of = next((p.nouns[0] for p in noun.places if p.preposition in ("of", "from")), None)
    if noun.name == "light" and of is not None:
        return of
    lamps = [word for word in noun.attributes if word.endswith("lamp")]
    if noun.name != "light" or not lamps:
        return noun
    return replace(noun, name=lamps[0], attributes=tuple(word for word in noun.attributes if word not in lamps))


def explore(verb: str, group: Complement, text: str) -> list[Frame]:
    wanted = tuple(n for p in group.places if p.text.startswith("for ") for n in p.nouns)
    places = tuple(p for p in group.places if not p.text.startswith("for "))
    at = PlacePhrase("in", group.things, text=text) if group.things else joined(places)
    if wanted:
        return [LookFrame("find", what, at) for what in wanted]
    return [LookFrame("what", at=at)]


def count(verb: str, group: Complement, text: str) -> list[Frame]:
    return [LookFrame("count", what, joined(group.places)) for what in group.things]
