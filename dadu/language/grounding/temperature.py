"""Heated and cooled: in what is named, in the fittest that is here, or by what heats itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dadu.core.errors import choices
from dadu.goals.goal import Term
from dadu.knowledge.commonsense import occasions
from dadu.knowledge.usual_places import things_of_category
from dadu.language.discourse import Referent, Role
from dadu.language.frames.frame import ChangeFrame
from dadu.language.frames.noun import PlacePhrase
from dadu.language.grounding.nouns.phrases import text_of
from dadu.language.grounding.nouns.resolve import resolve_all
from dadu.language.grounding.partial_goal import PartialGoal, ready
from dadu.language.grounding.places.placing import put
from dadu.language.grounding.places.surfaces import furniture_target
from dadu.language.grounding.scene import Setting
from dadu.language.refusal import Refusal
from dadu.skills.outcome import Code
from dadu.world.graph import Entity, Kind


def temper(frame: ChangeFrame, things: Sequence[Referent], part: PartialGoal, scene: Setting) -> PartialGoal:
    """Into what is named for the time being; else whatever does it is left to the planner. Errors: Refusal."""
    predicate, using = f"is_{frame.state}", frame.using
    word = "heat" if predicate == "is_hot" else "cool"
    makers = _makers(predicate, part, scene)
    if not makers:
        raise Refusal(f"there is nothing here to {word} things with", [word], Code.NOT_INTERACTIVE)
    named, part = _named(using, makers, word, part, scene)
    pieces = tuple(id for id in named if scene.graph[id].kind is Kind.FURNITURE)
    for thing in things:
        part = ready([thing], part, scene, predicate)
        if pieces:
            to = furniture_target(Term("|".join(pieces), pieces), _preposition(using), scene)
            part = part.want(to.predicate, thing, to.term, passing=True)
        heats_itself = not pieces and predicate == "is_hot" and scene.can(  # an electric kettle needs no stove
            scene.categories(thing.term.ids), "power_on") and {*thing.term.ids} & {*makers}
        part = part.want("is_powered_on" if heats_itself else predicate, thing)
    return part if named or using is None or using.preposition == "with" else stays(things, using, part, scene)


def _preposition(using: PlacePhrase | None) -> str:
    """How things get to what heats or cools them: ``with the oven`` is in it."""
    return "in" if using is None or using.preposition in ("with", "at") else using.preposition


def stays(things: Sequence[Referent], place: PlacePhrase, part: PartialGoal, scene: Setting) -> PartialGoal:
    """``heat the cup on the table``, ``cut the apple in the sink``: it is there in the end, unless what follows says
    where to."""
    start = len(part.wants)
    part = put(things, place, part, scene)
    return replace(part, wants=(*part.wants[:start], *(replace(w, tentative=True) for w in part.wants[start:])))


def _state_of_what_was_in(pieces: Sequence[Entity], scene: Setting) -> str:
    data = occasions()
    cool, heat = (things_of_category(words, scene.graph, scene.vocabulary) for words in (data.coolers, data.heaters))
    if all(p.id in cool for p in pieces):
        return "is_cold"
    if all(p.id in heat and p.is_container for p in pieces):
        return "is_hot"
    return "is_clean" if scene.can((p.category for p in pieces), "water") else ""


def change_by_staying(thing: Referent, part: PartialGoal, scene: Setting) -> PartialGoal:
    """``into the fridge, then onto the table``: cooled on the way; heated in a microwave, washed in a sink."""
    pieces = scene.furniture(part.said.place_of(thing.term.key))
    state = _state_of_what_was_in(pieces, scene) if pieces else ""
    asked = any(w.proposition.predicate == state and w.proposition.subject.key == thing.term.key for w in part.wants)
    if not state or asked:
        return part
    names = " or ".join(p.id for p in pieces)
    return part.want(state, thing).note(f"{thing.term.name!r} at {names} and away again is taken as {state}")


def _named(using: PlacePhrase | None, makers: Sequence[str], word: str, part: PartialGoal, scene: Setting
           ) -> tuple[tuple[str, ...], PartialGoal]:
    """What the words say does it. Errors: Refusal where that is a thing which does not."""
    places, said = resolve_all(using.nouns if using is not None else (), scene, part.said, role=Role.PLACE)
    part = part.now(said).told(places)
    for place in (p for p in places if not set(p.term.ids) & set(makers)):
        if place.kind is Kind.OBJECT:
            raise Refusal(f"I cannot {word} things in or on {place.term.name!r}; I can in or on: {choices(makers)}",
                          [place.term.name], Code.NOT_INTERACTIVE)
        part = part.note(f"{text_of(place.phrase)!r} does not {word}: it is there in the end")
    return tuple(id for place in places for id in place.term.ids if id in makers), part


def _makers(predicate: str, part: PartialGoal, scene: Setting) -> tuple[str, ...]:
    data = occasions()
    words = data.heaters if predicate == "is_hot" else data.coolers
    return tuple(id for id in things_of_category(words, scene.graph, scene.vocabulary)
                 if scene.graph[id].category not in part.said.lacking)
