"""What the robot can reach from where it stands, as far as the graph tells."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from dadu.planner.situation import Situation
from dadu.world.graph import ROBOT, Entity, Relation, WorldGraph

REACH = 1.0
"""[m] from the robot's base to the nearest edge of a thing. A schema that is too wide costs a step that ends TOO_FAR,
one that is too narrow a go_to."""


@dataclass(frozen=True)
class Now:
    """What is possible depends on."""

    graph: WorldGraph
    held: Entity | None
    near: Callable[[str], bool]
    """whether a thing is in reach"""

    @classmethod
    def of(cls, graph: WorldGraph, situation: Situation | None) -> Now:
        return cls(graph, graph.held(ROBOT), reach(graph, situation))

    def holds(self, id: str) -> bool:
        return self.held is not None and id == self.held.id


def reach(graph: WorldGraph, situation: Situation | None) -> Callable[[str], bool]:
    """Tells which things can be reached: what the robot was sent to, what stands there, and what it is near. Where
    nothing is known of the robot's place, everything can."""
    if situation is None or ROBOT not in graph:
        return lambda id: True
    target = situation.at[0] if situation.at is not None else ""
    supports = {e.subject: e.object for e in graph.edges if e.relation in (Relation.ON, Relation.IN)}
    place = supports.get(target, target)
    here = graph[ROBOT].position[:2]

    @cache
    def reachable(id: str) -> bool:
        return (bool(place) and supports.get(id, id) == place) or _distance(graph, id, here) <= REACH
    return reachable


def _distance(graph: WorldGraph, id: str, here: tuple[float, float]) -> float:
    (x0, y0, _), (x1, y1, _) = (corner.tolist() for corner in graph[id].bounds())
    x, y = here
    return math.hypot(max(x0 - x, 0.0, x - x1), max(y0 - y, 0.0, y - y1))


def closed_around(graph: WorldGraph, id: str) -> str:
    """The closed container that an object is in, or empty."""
    edge = graph.support(id)
    inside = edge is not None and edge.relation is Relation.IN and edge.object in graph
    return edge.object if edge is not None and inside and graph[edge.object].closed else ""
