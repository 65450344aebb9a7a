"""Which of the places behind a verb says where from, where to, or which thing is meant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from dadu.knowledge.lexicon import default_lexicon
from dadu.knowledge.vocabulary import PACKED
from dadu.language.frames.noun import NounPhrase, PlacePhrase
from dadu.language.parsing.names import room_names
from dadu.language.parsing.rules.claims import placed, said_where
from dadu.language.parsing.rules.parts import Complement

_BESIDE = ("next_to", "between")


def source_of(places: tuple[PlacePhrase, ...]) -> tuple[PlacePhrase | None, tuple[PlacePhrase, ...]]:
    """Where from, with what tells that place apart; and the other places."""
    for i, place in enumerate(places):
        if place.preposition != "from":
            continue
        end = i + 1
        while end < len(places) and not leads(places[end]) and not _follows(places, end):
            end += 1
        return said_where(place, places[i + 1:end]), places[:i] + places[end:]
    return None, places


def _follows(places: tuple[PlacePhrase, ...], at: int) -> bool:
    """True if it is the last one and says on or in what: from the fridge | on the table."""
    last = all(p.special or is_room(p) for p in places[at + 1:])
    return last and places[at].preposition in ("on", "in", *_BESIDE) and not is_room(places[at])


def destination(things: tuple[NounPhrase, ...], places: tuple[PlacePhrase, ...]
                 ) -> tuple[tuple[NounPhrase, ...], tuple[PlacePhrase, ...]]:
    """Things with what tells them apart, and where they go."""
    places = merge_lower_places(merge_rooms(places))
    places = tuple(p for p in places if len(places) == 1 or not p.text.startswith("for") or not (  # on the table for me
        [np.pronoun for np in p.nouns] == ["me"]))
    special = tuple(p for p in places if p.special == "together")
    plain = tuple(p for p in places if p not in special)
    if not plain:
        return things, special
    plain = _beside_what(plain)
    start = _where_to(plain)
    if start > 0 and all(t.pronoun in ("it", "them") for t in things):  # put it | on the plate in the cupboard
        plain, start = _nested(plain), 0
    return told_apart(things, plain[:start]), (*_onward(plain[start:]), *special)


def _onward(to: tuple[PlacePhrase, ...]) -> tuple[PlacePhrase, ...]:
    """``into a box | on the chair``: the box is, or goes, there."""
    into = len(to) > 1 and to[0].text.split()[:1] in (["into"], ["onto"])
    return _nested(to) if into and to[1].preposition in ("on", "in") and not leads(to[1]) else to


def _where_to(places: tuple[PlacePhrase, ...]) -> int:
    """Index of the first place that says where to."""
    start = len(places) - 1
    while start > 0 and places[start].preposition in _BESIDE and places[start - 1].preposition in ("on", "in", "at"):
        start -= 1
    return min(start, next((i for i, p in enumerate(places) if leads(p)), start))


def _nested(places: tuple[PlacePhrase, ...]) -> tuple[PlacePhrase, ...]:
    """One place, where each says where the one before it is."""
    if len(places) < 2 or not places[0].nouns or places[0].special:
        return places
    return (said_where(places[0], _nested(places[1:])),)


def _beside_what(places: tuple[PlacePhrase, ...]) -> tuple[PlacePhrase, ...]:
    """``next to the lamp on the side table``: that is where the lamp is. ``next to it on the chair``: both hold."""
    out: list[PlacePhrase] = []
    for place in places:
        if out and out[-1].preposition == "next_to" and out[-1].nouns and place.preposition in ("on", "in") and not (
                leads(place) or place.special):
            out[-1:] = [place, out[-1]] if out[-1].nouns[0].pronoun else [_nested((out[-1], place))[0]]
        else:
            out.append(place)
    return tuple(out)


def merge_rooms(places: tuple[PlacePhrase, ...]) -> tuple[PlacePhrase, ...]:
    """On the table in the kitchen is one place: a room says where the place before it is."""
    def says(before: PlacePhrase, place: PlacePhrase) -> PlacePhrase | None:
        there = [np.pronoun for np in place.nouns] == ["there"]
        return place if is_room(place) and place.preposition == "in" and not is_room(before) or there else None
    return _one_by_the_next(places, says)


def merge_lower_places(places: tuple[PlacePhrase, ...]) -> tuple[PlacePhrase, ...]:
    """In the cabinet under the sink is one place: what is above, below or behind, or there, says which one."""
    def says(before: PlacePhrase, place: PlacePhrase) -> PlacePhrase | None:
        by = place.preposition in ("under", "behind") or place.text.split()[0] in ("above", "over") or (
            place.preposition == "at" and place.text.startswith(("at the end of", "at the foot of")))
        told = place.special == "former" and bool(place.nouns)  # to the shelf where the books are
        there = replace(place, preposition="with" if told else "next_to", special="")
        return there if (by or told) and not is_room(before) else None
    return _one_by_the_next(places, says)


def _one_by_the_next(places: tuple[PlacePhrase, ...], says: Callable[[PlacePhrase, PlacePhrase], PlacePhrase | None]
                     ) -> tuple[PlacePhrase, ...]:
    """Each place with what the next one `says` of it, if it does, as one."""
    out: list[PlacePhrase] = []
    for place in places:
        of_it = says(out[-1], place) if out and out[-1].nouns else None
        out[-1:] = [*out[-1:], place] if of_it is None else [said_where(out[-1], (of_it,))]
    return tuple(out)


def merged(groups: Sequence[Complement], preposition: str, belongs: Callable[[Complement, Complement], bool]
           ) -> list[Complement]:
    """A group of which the things belong to the only place of the one before it, which has that `preposition`, as one
    with that."""
    out: list[Complement] = []
    for group in groups:
        if out and [p.preposition for p in out[-1].places] == [preposition] and group.places and not group.ordered and (
                belongs(out[-1], group)):
            [place] = out[-1].places
            out[-1] = replace(out[-1], places=(replace(place, nouns=place.nouns + group.things), *group.places))
        else:
            out.append(group)
    return out


def split_several(groups: Sequence[Complement]) -> list[Complement]:
    """``put a pan with a knife | and a fork on the table``: both are in the pan."""
    return merged(groups, "with", lambda _, group: group.places[0].preposition != "with")


def is_room(place: PlacePhrase) -> bool:
    if not place.nouns:
        return False
    name = place.nouns[0].name.rstrip(" 0123456789")
    return tuple(name.split()) in room_names() or name == "room" or name.endswith(" room")


def told_apart(things: tuple[NounPhrase, ...], places: tuple[PlacePhrase, ...]) -> tuple[NounPhrase, ...]:
    while things and places and places[0].preposition == "in" and len(places[0].nouns) == 1 and (
            places[0].nouns[0].name in default_lexicon().vessels and (things[-1].name,) in PACKED):
        vessel, places = places[0].nouns[0], places[1:]  # a drink in a blue can
        words = (*things[-1].attributes, *vessel.attributes, vessel.name)
        things = (*things[:-1], replace(things[-1], attributes=words))
    return (*things[:-1], placed(things[-1], places)) if things and places else things


def leads(place: PlacePhrase) -> bool:
    """True if its words say where to."""
    first = place.text.split()[:1]
    leading = ("to", "for", "into", "onto", "toward", "towards", "back", "over", "going")
    return first != [] and first[0] in leading or place.special != ""


def joined(places: tuple[PlacePhrase, ...]) -> PlacePhrase | None:
    """One place: each says where the one before it is."""
    return said_where(places[0], places[1:]) if places else None
