"""Where no model that sees is served: what the detector has just found, as memory holds it, answers the same questions.
Nothing but the world graph is asked, so nothing privileged."""

from __future__ import annotations

from collections.abc import Mapping

from dadu.knowledge.lexicon import with_article
from dadu.planner.loop.doubts import Placing, newest_placings
from dadu.planner.policies.policy import Turn
from dadu.planner.policies.views import DoneView, TargetView
from dadu.world.graph import ROBOT, UNIDENTIFIED, Entity, Kind, Relation, WorldGraph
from dadu.world.sides import Side, side_of

NAME = "the detector"
"""who answers"""
_JUST = 2.0
"""[s] before a step's end from when on what was seen counts as seen now: a network may take a second to see"""


class DetectedView:
    """See `Onlooker`. A detector is given no description back: its own names and colours would confirm its mistakes."""

    def look(self, turn: Turn, target: str, place: str) -> TargetView | None:
        """None where the target is not known at all."""
        thing = turn.graph.entities.get(target)
        if thing is None or not turn.history:
            return None
        if not _seen(thing, turn.history[-1].end - _JUST):
            return TargetView(f"{target} is not in view.", None, NAME)
        side = _side(turn.graph, thing, place)
        where = f" at the {side} side of {place}" if side is not None else ""
        return TargetView(f"{target}, {looks(thing)}, is in view{where}.", None, NAME,
                          (place, side) if side is not None else None)

    def done(self, turn: Turn) -> DoneView | None:
        """Has what was put somewhere been seen elsewhere since? None where nothing was put anywhere."""
        placings = newest_placings(turn.history)
        astray = _astray(placings, turn.graph)
        if not placings:
            return None
        return DoneView(not astray, "; ".join(astray) or "what was put down was seen nowhere else", NAME)


def looks(thing: Entity) -> str:
    """What it looks like: ``a red mug of 9 x 8 x 11 cm``."""
    if thing.category == UNIDENTIFIED:
        return f"a {thing.called}"
    words = " ".join(filter(None, (thing.attributes.get("color", ""), thing.called)))
    size = " x ".join(f"{100 * extent:.0f}" for extent in thing.size)
    return with_article(words) + (f" of {size} cm" if all(thing.size) else "")


def _seen(thing: Entity, since: float) -> bool:
    return thing.provenance == "detection" and thing.stamp >= since


def _side(graph: WorldGraph, thing: Entity, place: str) -> Side | None:
    """At which side of a piece of furniture it is; of what stands in one only its opening leads to that."""
    piece, robot, edge = graph.entities.get(place), graph.entities.get(ROBOT), graph.support(thing.id)
    on = edge is not None and edge.relation is Relation.ON and edge.object == place
    if not on or piece is None or piece.kind is not Kind.FURNITURE or robot is None:
        return None
    return side_of(piece, robot.pose, (thing.position[0], thing.position[1]))


def _astray(placings: Mapping[str, Placing], graph: WorldGraph) -> list[str]:
    """What is not on or in the furniture that it was put at, though it was seen since."""
    out = []
    for id, placing in placings.items():
        thing, edge, piece = graph.entities.get(id), graph.support(id), graph.entities.get(placing.at)
        if thing is None or piece is None or piece.kind is not Kind.FURNITURE or not _seen(thing, placing.step.end):
            continue
        if edge is None or edge.object != piece.id:
            where = f"{edge.relation.value.replace('_', ' ')} {edge.object}" if edge is not None else "on nothing"
            out.append(f"{id} was put at {piece.id} and is seen {where}")
    return out
