"""To whoever asked: to a person who is known, or met meanwhile; in the hand, back where the instruction was given; or
put down where the speaker says to be."""

from __future__ import annotations

from collections.abc import Sequence

from dadu.goals.goal import Proposition, Term
from dadu.language.discourse import Referent
from dadu.language.grounding.partial_goal import ASKED, ROBOT, PartialGoal
from dadu.language.grounding.places.surfaces import target
from dadu.language.grounding.scene import Setting
from dadu.world.graph import Kind
from dadu.world.names import PERSON

_PERSON = Term(PERSON, (PERSON,))


def hand_to_speaker(things: Sequence[Referent], part: PartialGoal, scene: Setting) -> PartialGoal:
    asker = part.said.asker
    handed = len(things) == 1 and things[0].single and (asker is None or asker.kind is Kind.ROOM)
    if handed and PERSON in scene.graph:
        return part.want("is_held_by", things[0], _PERSON)
    for thing in things:
        if asker is not None and asker.kind is Kind.FURNITURE:
            to = target(asker, "at", scene)
            part = part.note(f"brought to where you are: {asker.term.name}").want(to.predicate, thing, to.term)
            continue
        part = part.want("is_held", thing)
        room = asker.term.ids[0] if asker is not None else scene.here()
        if room:
            met = Proposition("is_held_by", thing.term, _PERSON) if handed else None
            part = part.put(Proposition("is_in_room", ROBOT, Term(thing.term.key + ASKED, (room,)), instead=met))
            part = part.note(f"brought in the hand to where you asked ({room})")
    return part
