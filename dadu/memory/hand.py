"""What the hand holds, by what the fingers feel: which thing they took, and where they let it go.

Skills tell what they took and put down; but a skill may be cancelled, its server or memory itself may be killed, a
person may drive the hand. The fingers are asked all the time.
"""

from __future__ import annotations

import numpy as np

from dadu.core.geometry import vector3
from dadu.memory.association.associator import Associator, ObserverPose
from dadu.memory.association.furniture import unused_id
from dadu.world.graph import ROBOT, UNIDENTIFIED, Edge, Entity, Kind, Relation, WorldGraph
from dadu.world.handles import AT_HANDLE, distance_to_handle
from dadu.world.support import drop_onto, place_entity

_MARGIN = 0.05
"""how far outside a thing's known box the grasp centre may be when the fingers close on it [m]"""
_BACK = 0.1
"""what was carried no farther than this before it slipped stands where it stood [m]"""


def take(associator: Associator, stamp: float, body: ObserverPose) -> None:
    """The fingers have closed on something: on the known thing that they are at, unless that may be a handle."""
    graph = associator.graph
    if graph.held(ROBOT) is not None or ROBOT not in graph or body.tool is None:
        return
    id = _thing_at(graph, body.hand)
    if id is not None:
        hold(associator, id, stamp, body, confidence=graph[id].confidence)


def take_unidentified(associator: Associator, stamp: float, body: ObserverPose) -> None:
    """The fingers have had hold of something for a while and nobody has said of what: it is remembered all the same."""
    graph = associator.graph
    if graph.held(ROBOT) is not None or ROBOT not in graph or body.tool is None:
        return
    if distance_to_handle(graph, body.hand) <= AT_HANDLE:
        return
    id = unused_id(graph, UNIDENTIFIED, list(associator.lost), associator.settings.first_number)
    graph.put(Entity(id, Kind.OBJECT, UNIDENTIFIED))
    hold(associator, id, stamp, body, confidence=1.0)
    associator.taken_from = None  # from where, nobody knows


def hold(associator: Associator, id: str, stamp: float, body: ObserverPose, confidence: float) -> None:
    """`id`, which is known, is in the hand, and nothing else: what was taken for it before is where it was."""
    graph, held = associator.graph, associator.graph.held(ROBOT)
    if held is not None and held.id != id and held.id.startswith(UNIDENTIFIED):
        graph.remove(held.id)  # now it is known what that was
    elif held is not None and held.id != id and not _put_back(associator, held, stamp):
        let_go(associator, stamp, body)
    if held is None or held.id != id:
        associator.labels.trust(graph[id])
        associator.taken_from = graph[id], frozenset(e for e in graph.edges if e.subject == id)
    graph.edges -= {e for e in graph.edges if e.subject == id}
    graph.set_support(id, Edge(id, Relation.HELD_BY, ROBOT))
    graph.change(id, provenance="skill", stamp=stamp, confidence=confidence, position=vector3(body.hand))


def let_go(associator: Associator, stamp: float, body: ObserverPose) -> None:
    """What was held stands where it was taken, if it was carried no farther; else on what is below the hand."""
    graph, held = associator.graph, associator.graph.held(ROBOT)
    if held is None:
        return
    associator.released = held.id
    was = associator.taken_from[0] if associator.taken_from is not None else None
    if was is not None and np.linalg.norm(body.hand - was.position) < _BACK and _put_back(associator, held, stamp):
        return
    graph.set_support(held.id, None)
    graph.change(held.id, provenance="skill", stamp=stamp, confidence=held.confidence / 2,
                 position=drop_onto(graph, held, body.hand))
    place_entity(graph, held.id, associator.settings.association)
    associator.find_released()


def _put_back(associator: Associator, held: Entity, stamp: float) -> bool:
    """Has it stand where it was taken, as it did; false where that is not known."""
    graph, (was, edges) = associator.graph, associator.taken_from or (None, frozenset())
    if was is None or was.id != held.id:
        return False
    graph.set_support(held.id, None)
    graph.change(held.id, provenance=was.provenance, stamp=stamp, position=was.position, yaw=was.yaw)
    graph.edges |= edges
    return True


def _thing_at(graph: WorldGraph, hand: np.ndarray) -> str | None:
    """The object whose box the grasp centre (3,) [m, map] is in, or nearest to, within the margin; none at a handle
    that is nearer."""
    gaps = {e.id: float(np.linalg.norm(np.maximum(np.abs(e.box.local(hand)) - e.box.size / 2, 0.0)))
            for e in graph.of(Kind.OBJECT)}
    near = {id: gap for id, gap in gaps.items() if gap <= _MARGIN}
    if not near:
        return None
    id = min(near, key=lambda id: (near[id], float(np.linalg.norm(hand - graph[id].position)), id))
    return None if distance_to_handle(graph, hand) < float(np.linalg.norm(hand - graph[id].position)) else id
