"""So many of a thing at a place in the end, those included that are there already."""

from __future__ import annotations

from dataclasses import replace

from dadu.goals.goal import Where
from dadu.language.discourse import SUPPORTS, Discourse, Referent, Role
from dadu.language.frames.frame import EnsureFrame
from dadu.language.frames.noun import NounPhrase
from dadu.language.grounding.nouns.phrases import text_of
from dadu.language.grounding.nouns.resolve import resolve
from dadu.language.grounding.places.surfaces import Whither, target
from dadu.language.grounding.places.usual import belongs
from dadu.language.grounding.scene import Setting
from dadu.language.grounding.wants import Asked, ready
from dadu.language.refusal import NotSeen, Refusal
from dadu.world.graph import Kind, Relation


def ensure(frame: EnsureFrame, scene: Setting, said: Discourse) -> Asked:
    """At least, or exactly so many are brought; at most so many means that the others leave."""
    if len(frame.at.nouns) != 1:
        raise Refusal(f"I do not know where {text_of(frame.what)!r} are to be", [text_of(frame.what)])
    place = resolve(frame.at.nouns[0], scene, said, (*SUPPORTS, Kind.OBJECT))[0]
    to = target(place, frame.at.preposition, scene)
    none = frame.what.determiner == "none" or frame.what.quantity.number == 0
    wanted = replace(frame.what, determiner="indefinite") if not none else replace(
        frame.what, determiner="definite", quantity=replace(frame.what.quantity, number=None, amount="all"))
    thing = resolve(_like_the_last(wanted, said), scene, said, (Kind.OBJECT,))[0]
    part = Asked(said.mention([thing]).mention([place], Role.PLACE)).told([thing, place])
    part = part.note(to.note) if to.note else part
    if none or frame.what.quantity.bound == "at_most":
        part = _no_more(thing, 0 if none else thing.number, to, part, scene)
    else:
        part = ready([thing], part, scene).want(to.predicate, thing, to.term, same_target=True)
    return part.now(replace(part.said, moved=(replace(thing, turn=said.turn),)))


def _like_the_last(np: NounPhrase, said: Discourse) -> NounPhrase:
    """``we are low on bananas, there should be | two | there``: of what was spoken of."""
    last = said.last(Kind.OBJECT)
    if np.pronoun != "one" or last is None:
        return np
    return replace(np, pronoun="", name=last.phrase.name, text=text_of(np))


def _no_more(thing: Referent, number: int, to: Whither, part: Asked, scene: Setting) -> Asked:
    """What is too many goes to where it belongs. Errors: NotSeen where it is not known how many are there."""
    there = [id for id in thing.term.ids if scene.holder(id) in to.term.ids or scene.room(id) in to.term.ids]
    if not thing.term.ids and not scene.complete:
        relation = Relation.IN_ROOM if to.predicate == "is_in_room" else Relation.ON
        wanted = replace(thing.description, where=(Where(relation, to.term.ids),))
        if not scene.not_there(wanted):
            raise NotSeen(f"I do not know yet how many {thing.term.name!r} are there", [thing.term.name], wanted)
    kept, excess = there[:number], there[number:]
    if kept:
        part = part.want(to.predicate, replace(thing.of(kept), number=len(kept), every=False), to.term)
    if excess:
        rest = thing.only(f"{thing.term.key}+", excess, every=True, number=len(excess))
        return belongs(rest, part, scene, exclude=to.term.ids)
    return part.note(f"no more than {number} of {thing.term.name!r} are there")
