"""What the robot can reach from where it stands, as far as the graph tells."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dadu.planner.situation import Situation
from dadu.skills.effects import ROBOT
from dadu.world.graph import Relation, WorldGraph

REACH = 1.0
"""[m] from the robot's base to the nearest edge of a thing. A schema that is too wide costs a step that ends TOO_FAR,
one that is too narrow a go_to."""


def reach(graph: WorldGraph, situation: Situation | None) -> Callable[[str], bool]:
    """Whether a thing can be reached: the robot was sent to it or to what it stands on, or is near it. Where nothing is
    known of the robot's place, everything can."""
    if situation is None or ROBOT not in graph:
        return lambda id: True
    target = situation.at[0] if situation.at is not None else ""
    supports = {e.subject: e.object for e in graph.edges if e.relation in (Relation.ON, Relation.IN)}
    place = supports.get(target, target)
    here = np.array(graph[ROBOT].position[:2])

    def reachable(id: str) -> bool:
        return (bool(place) and supports.get(id, id) == place) or _distance(graph, id, here) <= REACH
    return reachable


def _distance(graph: WorldGraph, id: str, here: np.ndarray) -> float:
    low, high = graph[id].bounds()
    nearest = np.clip(here, low[:2], high[:2])
    return float(np.linalg.norm(nearest - here))
