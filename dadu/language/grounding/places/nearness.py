"""Things next to one another."""

from __future__ import annotations

from collections.abc import Sequence

from dadu.goals.goal import Description, Proposition, Term
from dadu.language.discourse import Referent
from dadu.language.grounding.partial_goal import PartialGoal
from dadu.language.grounding.scene import Setting
from dadu.world.graph import Kind


def next_to_each_other(things: Sequence[Referent], part: PartialGoal, scene: Setting) -> PartialGoal:
    """Things of a kind, or of several, of which it is known which they are, all together; else each next to the one
    before."""
    if len(things) == 1:
        thing = things[0]
        count = thing.number if not thing.every else max(2, len(thing.term.ids))
        return part.put(Proposition("is_clustered", thing.term, None, max(2, count), thing.every))
    ids = tuple(dict.fromkeys(id for t in things for id in t.term.ids))
    if not all(t.single for t in things) and all(
            t.term.ids and (t.every or len(t.term.ids) == t.number) for t in things):
        names = " and ".join(t.term.name for t in things)
        return part.put(Proposition("is_clustered", Term(f"{names}#{len(part.wants)}", ids, Description(
            names, Kind.OBJECT, (), ids=ids)), None, len(ids)))
    for before, after in zip(things, things[1:]):
        part = part.want("is_next_to", after, before.term)
    return part
