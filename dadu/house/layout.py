"""The upper layers of the world graph from a house: what the robot may be told before it looks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dadu.core.errors import ConfigError, choices
from dadu.core.geometry import Pose2, Vector3, rotation_z, vector3
from dadu.house.catalogue import furniture_categories
from dadu.house.format import Furniture, House
from dadu.house.furniture.model import Deck, Part
from dadu.house.furniture.pieces import furniture_model, size_of
from dadu.house.placement import Placement, place_objects
from dadu.house.states import State, start_states
from dadu.world.graph import Articulation, Edge, Entity, Kind, Relation, Surface, WorldGraph

KNOWN = ("all", "layout", "nothing")
"""``nothing``: the house and the robot; ``layout``: rooms and furniture too; ``all``: and the objects"""


def build_graph(house: House, known: str = "layout") -> WorldGraph:
    """The graph at the start of an episode, every entity's provenance ``prior``; parts closed unless the house
    file says they are open.

    Surfaces and parts are in map coordinates; the surface of a drawer is given as closed and moves along the part's
    axis by its value. Errors: ConfigError for another `known`.
    """
    if known not in KNOWN:
        raise ConfigError(f"unknown knowledge {known!r}; valid: {choices(KNOWN)}")
    x, y, yaw = house.robot.pose
    graph = WorldGraph([Entity(house.house, Kind.HOUSE, "house"),
                        Entity("robot", Kind.AGENT, "robot", (x, y, 0.0), yaw)])
    if known == "nothing":
        return graph
    for entity in _rooms(house):
        graph.put(entity)
    for piece in house.furniture:
        graph.put(furniture_entity(piece))
        graph.edges.add(Edge(piece.name, Relation.IN_ROOM, piece.room))
    if known == "all":
        for placement in place_objects(house).values():
            _put_object(graph, placement)
    return graph


def _rooms(house: House) -> Iterator[Entity]:
    for room in house.rooms:
        corners = np.asarray(room.floor)
        (x0, y0), (x1, y1) = corners.min(axis=0), corners.max(axis=0)
        yield Entity(room.name, Kind.ROOM, room.category, (float(x0 + x1) / 2, float(y0 + y1) / 2, 0.0),
                     size=(float(x1 - x0), float(y1 - y0), room.height),
                     aliases=(*room.aliases, room.category.replace("_", " ")),
                     polygon=tuple((float(x), float(y)) for x, y in room.floor))


def furniture_entity(piece: Furniture) -> Entity:
    """One piece with its surfaces and parts in map coordinates."""
    model, pose = furniture_model(piece), piece.pose2
    category = furniture_categories().get(piece.category)
    return Entity(
        piece.name, Kind.FURNITURE, piece.category, (pose.x, pose.y, 0.0), pose.yaw, size_of(piece),
        aliases=piece.aliases + (category.aliases if category else ()),
        attributes={"color": piece.color or (category.color if category else "grey")},
        states=start_states(piece.category, piece.states),
        surfaces=tuple(_surface(deck, pose) for deck in model.decks),
        parts=tuple(_articulation(part, pose, piece.states.get(State.OPEN, False)) for part in model.parts),
    )


def _surface(deck: Deck, pose: Pose2) -> Surface:
    return Surface(deck.name, pose * Pose2(*deck.centre, 0.0), deck.height, deck.size, deck.clearance, deck.inside,
                   deck.part)


def _articulation(part: Part, pose: Pose2, opened: bool) -> Articulation:
    R, T = rotation_z(pose.yaw), np.array([pose.x, pose.y, 0.0])

    def point(v: Vector3) -> Vector3:
        return vector3(R @ v + T)

    def direction(v: Vector3) -> Vector3:
        return vector3(R @ v)

    return Articulation(part.name, part.kind, point(part.origin), direction(part.axis), point(part.handle),
                        direction(part.handle_axis), direction((1.0, 0.0, 0.0)), part.range,
                        part.range if opened else 0.0)


def _put_object(graph: WorldGraph, placement: Placement) -> None:
    thing, model = placement.thing, placement.model
    graph.put(Entity(thing.name, Kind.OBJECT, thing.category, placement.position, placement.yaw, model.size,
                     model.aliases, dict(model.attributes), start_states(thing.category, thing.states)))
    graph.set_support(thing.name, Edge(thing.name, Relation(thing.relation), thing.receptacle, placement.deck))
