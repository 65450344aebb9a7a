"""What is said to be so, and what is asked: claims to `ToldFrame`, `LookFrame` and conditions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dadu.language.frames.frame import Ask, Frame, LookFrame, RemarkFrame, State, ToldFrame, WishFrame
from dadu.language.frames.noun import NounPhrase, PlacePhrase
from dadu.language.parsing.classes import word_classes
from dadu.language.parsing.rules.parts import Premise, Stated
from dadu.language.parsing.rules.places import PlaceRules
from dadu.language.parsing.tokens import Word


def _has(parts: list[Any], *classes: str) -> bool:
    return any(isinstance(part, Word) and part.may_be(*classes) for part in parts)


def _adjective(parts: list[Any]) -> str:
    """What something is said to be: clean, switched on."""
    return next((str(p) for p in parts if isinstance(p, Word) and p.may_be("PREDICATIVE", "PARTICIPLE")), "")


def state_of(adjective: str) -> State | None:
    """The state that it means."""
    state: Any = word_classes().state_of.get(adjective)
    return state


class ClaimRules(PlaceRules):
    """Rules that make claims, questions and conditions."""

    def places(self, parts: list[Any], text: str) -> tuple[PlacePhrase, ...]:
        inner = (one for part in parts for one in (part if isinstance(part, tuple) else (part,)))
        return tuple(one for one in inner if isinstance(one, PlacePhrase))

    more_place = places

    def located(self, parts: list[Any], text: str) -> Stated:
        things = parts[0]
        return Stated(things, parts[1] if len(parts) > 1 else (), negated=_is_no(things))

    def subject(self, parts: list[Any], text: str) -> tuple[NounPhrase, ...]:
        things: tuple[NounPhrase, ...] = parts[0]
        return things if len(parts) == 1 else (*things[:-1], placed(things[-1], parts[1]))

    def exists(self, parts: list[Any], text: str) -> Stated:
        claim: Stated = parts[-1]
        return replace(claim, negated=claim.negated or _has(parts, "THERE_IS_NO", "NOT"))

    def is_so(self, parts: list[Any], text: str) -> Stated:
        things = parts[0]
        places = next((p for p in parts[1:] if isinstance(p, tuple)), ())
        return Stated(things, places, _adjective(parts[2:]), _has(parts, "NOT"))

    def told(self, parts: list[Any], text: str) -> Frame | tuple[Frame, ...]:
        claim: Stated = parts[0]
        if claim.becoming and state_of(claim.becoming) is None:
            return RemarkFrame(text)
        at = claim.places[0] if claim.places else None
        return tuple(ToldFrame(what, at, state_of(claim.becoming), exists=not (claim.negated or _is_no((what,))))
                     for what in claim.things)

    def remark(self, parts: list[Any], text: str) -> RemarkFrame:
        """Because I am tired."""
        return RemarkFrame(text)

    reason = remark

    def wish(self, parts: list[Any], text: str) -> WishFrame:
        """I want to make tea with honey in the den."""
        places: tuple[PlacePhrase, ...] = parts[-1] if isinstance(parts[-1], tuple) else ()
        extra = tuple(np for place in places if place.preposition == "with" for np in place.nouns)
        at = [place for place in places if place.preposition in ("in", "on", "at") and not place.special]
        with_ = [place for place in places if place.preposition == "with"]
        if not places or len(at) > 1 or len(at) + len(with_) < len(places):
            return WishFrame(text)
        return WishFrame(text[:text.rindex(places[0].text)].strip(), at[0] if at else None, extra=extra)

    def inquiry(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        return tuple(_look(ask) for ask in asks(parts[-1], text))

    whether = inquiry

    def is_it(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        return tuple(_look(ask) for ask in asks(Stated(
            parts[1], parts[2] if isinstance(parts[2], tuple) else (), _adjective(parts[2:])), text))

    def where_is(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        return tuple(LookFrame("where", what) for what in next(part for part in parts if isinstance(part, tuple)))

    def what_is(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        """What is on the table; which drinks are there."""
        anything = NounPhrase("thing", determiner="indefinite", plural=True, text=text)
        asked = parts[1] if isinstance(parts[1], tuple) and len(parts) > 2 else (anything,)
        return tuple(LookFrame("what", what, said_where(parts[-1][0], parts[-1][1:])) for what in asked)

    def how_many(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        things, places = parts[1], parts[-1] if isinstance(parts[-1], tuple) and len(parts) > 2 else ()
        return tuple(LookFrame("count", what, places[0] if places else None) for what in things)

    def condition(self, parts: list[Any], text: str) -> Premise:
        """If the mug is clean, if there is no mug; if so, if there is none there: of what was asked before."""
        if not isinstance(parts[-1], Stated):
            at = parts[-1][0] if isinstance(parts[-1], tuple) else None
            return Premise(none=_has(parts, "IF_NONE", "NOT"), at=at)
        return Premise(tuple(replace(a, negated=a.negated != _has(parts, "UNLESS", "IF_NONE"))
                             for a in asks(parts[-1], text)))


def asks(claim: Stated, text: str) -> tuple[Ask, ...]:
    """The questions whether each part of it is so."""
    state = state_of(claim.becoming)
    things = claim.things
    if claim.becoming and state is None:
        things = tuple(replace(t, attributes=(*t.attributes, claim.becoming)) for t in things)
    at = said_where(claim.places[0], claim.places[1:]) if claim.places else None
    return tuple(Ask(what, at, state, claim.negated, text) for what in things)


def placed(noun: NounPhrase, places: tuple[PlacePhrase, ...]) -> NounPhrase:
    """The noun, told apart by where it is: each place says where the one before it is."""
    if not places:
        return noun
    told = (said_where(places[0], places[1:]),) if places[0].nouns else places
    return replace(noun, places=(*noun.places, *told))


def said_where(place: PlacePhrase, places: tuple[PlacePhrase, ...]) -> PlacePhrase:
    """The place, with its last noun told apart by where that is."""
    return replace(place, nouns=(*place.nouns[:-1], placed(place.nouns[-1], places))) if place.nouns else place


def _look(ask: Ask) -> LookFrame:
    return LookFrame("state" if ask.state else "exists", ask.what, ask.at, ask.state)


def _is_no(things: tuple[NounPhrase, ...]) -> bool:
    return all(t.quantity.number == 0 for t in things)
