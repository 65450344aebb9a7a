"""The upper layers of the world graph from a house: what the robot may be told before it looks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dadu.core.errors import ConfigError, choices
from dadu.house.format import House
from dadu.house.furniture.entity import furniture_entity
from dadu.house.placement import place_objects
from dadu.house.states import start_states
from dadu.world.graph import ROBOT, Edge, Entity, Kind, Relation, WorldGraph

NOTHING = "nothing"
KNOWN = ("all", "layout", NOTHING)
"""``nothing``: the house and the robot; ``layout``: rooms and furniture too; ``all``: and the objects"""


def build_graph(house: House, known: str = "layout", states: bool = True) -> WorldGraph:
    """The graph at the start of an episode, every entity's provenance ``prior``; parts closed unless the house
    file says they are open. Without `states` furniture is as its kind usually is, whatever the house file says.

    Surfaces and parts are in map coordinates; the surface of a drawer is given as closed and moves along the part's
    axis by its value. Errors: ConfigError for another `known`.
    """
    if known not in KNOWN:
        raise ConfigError(f"unknown knowledge {known!r}; valid: {choices(KNOWN)}")
    x, y, yaw = house.robot.pose
    graph = WorldGraph([Entity(house.house, Kind.HOUSE, "house"),
                        Entity(ROBOT, Kind.AGENT, ROBOT, (x, y, 0.0), yaw)])
    if known == NOTHING:
        return graph
    for entity in _rooms(house):
        graph.put(entity)
    for piece in house.furniture:
        graph.put(furniture_entity(piece if states else piece.model_copy(update={"states": {}})))
        graph.edges.add(Edge(piece.name, Relation.IN_ROOM, piece.room))
    if known == "all":
        for placement in place_objects(house).values():
            thing, model = placement.thing, placement.model
            graph.put(Entity(thing.name, Kind.OBJECT, thing.category, placement.position, placement.yaw, model.size,
                             model.aliases, dict(model.attributes), start_states(thing.category, thing.states)))
            graph.edges.add(Edge(thing.name, Relation(thing.relation), thing.holder, placement.deck))
    return graph


def _rooms(house: House) -> Iterator[Entity]:
    for room in house.rooms:
        corners = np.asarray(room.floor)
        (x0, y0), (x1, y1) = corners.min(axis=0), corners.max(axis=0)
        yield Entity(room.name, Kind.ROOM, room.category, (float(x0 + x1) / 2, float(y0 + y1) / 2, 0.0),
                     size=(float(x1 - x0), float(y1 - y0), room.height),
                     aliases=(*room.aliases, room.category.replace("_", " ")),
                     polygon=tuple((float(x), float(y)) for x, y in room.floor))
