"""So many of a thing at a place in the end, those included that are there already."""

from __future__ import annotations

from dataclasses import replace

from dadu.language.discourse import SUPPORTS, Discourse, Role
from dadu.language.frames.frame import EnsureFrame
from dadu.language.grounding.nouns.phrases import text_of
from dadu.language.grounding.nouns.resolve import resolve
from dadu.language.grounding.partial_goal import PartialGoal, ready
from dadu.language.grounding.places.surfaces import target
from dadu.language.grounding.scene import Setting
from dadu.language.refusal import Refusal
from dadu.world.graph import Kind


def ensure(frame: EnsureFrame, scene: Setting, said: Discourse) -> PartialGoal:
    """So many are brought. Errors: Refusal where there are to be no more than so many."""
    less = frame.what.determiner == "none" or frame.what.quantity.number == 0 or frame.what.quantity.bound == "at_most"
    if len(frame.at.nouns) != 1 or less:
        raise Refusal(f"I do not know where {text_of(frame.what)!r} are to be", [text_of(frame.what)])
    place = resolve(frame.at.nouns[0], scene, said, (*SUPPORTS, Kind.OBJECT))[0]
    to = target(place, frame.at.preposition, scene)
    wanted = replace(frame.what, determiner="indefinite")
    thing = resolve(wanted, scene, said, (Kind.OBJECT,))[0]
    part = PartialGoal(said.mention([thing]).mention([place], Role.PLACE)).told([thing, place])
    part = part.note(to.note) if to.note else part
    part = ready([thing], part, scene).want(to.predicate, thing, to.term, same_target=True)
    return part.now(replace(part.said, moved=(replace(thing, turn=said.turn),)))
