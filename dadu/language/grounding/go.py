"""The robot is to be somewhere."""

from __future__ import annotations

from dataclasses import replace

from dadu.goals.goal import Proposition, Term
from dadu.language.discourse import SUPPORTS, Discourse, Referent, Role
from dadu.language.frames.frame import GoFrame
from dadu.language.grounding.nouns.resolve import resolve
from dadu.language.grounding.partial_goal import ROBOT, PartialGoal
from dadu.language.grounding.scene import Setting
from dadu.world.graph import Kind


def go(frame: GoFrame, scene: Setting, said: Discourse) -> PartialGoal:
    """Into a room, or beside a thing; what is said next is about what is there."""
    part = PartialGoal(said)
    for np in frame.to.nouns:
        for thing in resolve(np, scene, part.said, SUPPORTS if np.pronoun == "there" else ()):
            part = approach(thing, part.told([thing]), Role.PLACE)
            if thing.kind is Kind.ROOM:
                part = part.now(replace(part.said, rooms=frozenset(thing.term.ids)))
    return part


def approach(thing: Referent, part: PartialGoal, role: Role = Role.ABOUT) -> PartialGoal:
    """Into a room, or beside a thing; every one of several rooms or pieces of furniture."""
    predicate = "is_in_room" if thing.kind is Kind.ROOM else "is_next_to"
    part = part.now(part.said.mention([thing], role))
    several = thing.phrase.quantity.amount in ("each", "all", "both") or thing.phrase.plural
    if several and thing.kind in SUPPORTS:
        for id in thing.term.ids:
            part = part.put(Proposition(predicate, ROBOT, Term(id, (id,))))
        return part
    return part.put(Proposition(predicate, ROBOT, thing.term))
