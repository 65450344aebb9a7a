"""What lies about at a place goes where it belongs."""

from __future__ import annotations

from dataclasses import replace

from dadu.goals.goal import Term, Where
from dadu.language.discourse import SUPPORTS, Discourse, Referent, Role
from dadu.language.frames.frame import TidyFrame
from dadu.language.frames.noun import NounPhrase, PlacePhrase, Quantity
from dadu.language.grounding.nouns.holding import holds_things
from dadu.language.grounding.nouns.resolve import resolve
from dadu.language.grounding.partial_goal import PartialGoal
from dadu.language.grounding.places.placing import put
from dadu.language.grounding.places.usual import belongs, places_of
from dadu.language.grounding.scene import Setting
from dadu.language.refusal import NotSeen, Refusal
from dadu.world.graph import Kind, Relation


def tidy(frame: TidyFrame, scene: Setting, said: Discourse) -> PartialGoal:
    """To `clear` leaves nothing there; to tidy leaves what belongs there. What is named elsewhere in the instruction is
    left to that."""
    things, said = _what_lies_there(frame, scene, said)
    part = PartialGoal(said).told(things)
    for thing in things:
        if scene.complete and not thing.term.ids:
            part = part.note(f"there is nothing: {thing.term.name}")
        elif frame.to:
            for place in frame.to:
                part = put([thing], place, part, scene)
        else:
            if not frame.clear and not thing.term.ids and places_of(thing) and not scene.not_there(
                    thing.term.description):
                raise NotSeen(f"I do not know yet what is out of place: {thing.term.name}", ["tidy"],
                              thing.term.description)
            part = belongs(thing, part, scene, exclude=places_of(thing) if frame.clear else (), lenient=True)
    if not frame.to:  # unless it is said where to
        part = replace(part, wants=tuple(replace(w, tentative=True) for w in part.wants))
    return part.now(replace(part.said, moved=tuple(replace(t, turn=said.turn) for t in things)))


def _what_lies_there(frame: TidyFrame, scene: Setting, said: Discourse) -> tuple[tuple[Referent, ...], Discourse]:
    """Every object on, in or within the places; of a house, all there are."""
    everything = NounPhrase("everything", quantity=Quantity(amount="all"), excluded=frame.excluded, text="everything")
    scope = frame.scope
    house = scope is None or all(" ".join(scene.lexicon.normal(np.name)) in scene.lexicon.house for np in scope.nouns)
    if house or scope is None:
        things = resolve(everything, scene, said, (Kind.OBJECT,))
        return things, said.mention(things, Role.IMPLIED)
    places = tuple(t for np in scope.nouns for t in resolve(np, scene, said, (*SUPPORTS, Kind.OBJECT)))
    if _are_things(places, frame, scene):
        return places, said.mention(places)
    out: list[Referent] = []
    for place in places:
        relation = _relation(place, scope, scene)
        text = f"everything in {place.term.name}"
        told = replace(resolve(everything, scene, said, (Kind.OBJECT,))[0].description, words=text,
                       where=(Where(relation, place.term.ids),))
        term = Term(f"{text}#{len(said.mentions) + len(out)}", scene.ids(told), told)
        out.append(Referent(term, Kind.OBJECT, every=True, phrase=everything, substitution=place.substitution))
    rooms = frozenset(id for p in places if p.kind is Kind.ROOM for id in p.term.ids)
    said = said.mention(places, Role.PLACE).mention(out, Role.IMPLIED)
    return tuple(out), replace(said, rooms=rooms or said.rooms)


def _are_things(places: tuple[Referent, ...], frame: TidyFrame, scene: Setting) -> bool:
    """``tidy up the forks``: what holds nothing is tidied itself. Errors: Refusal where it is to be emptied."""
    things = all(t.kind is Kind.OBJECT and not holds_things(t, scene) for t in places)
    if things and frame.clear:
        raise Refusal(f"there is nothing in {places[0].term.name!r} to be cleared", [places[0].term.name])
    return things


def _relation(place: Referent, scope: PlacePhrase, scene: Setting) -> Relation:
    """``empty the drawer``: not what stands on the cabinet."""
    if place.kind is Kind.ROOM:
        return Relation.IN_ROOM
    part = scene.lexicon.normal(place.phrase.name)[-1:]
    return Relation.IN if {*part} & {*scene.lexicon.parts} or scope.preposition == "in" and all(
        all(s.inside for s in piece.surfaces) for piece in scene.furniture(place.term.ids)) else Relation.ON
