"""What a piece of furniture is in the world graph: its outline, surfaces, doors and drawers, in map coordinates."""

from __future__ import annotations

import numpy as np

from dadu.core.geometry import Pose2, Vector3, rotation_z, vector3
from dadu.house.catalogue import furniture_categories
from dadu.house.colors import UNKNOWN
from dadu.house.format import Furniture
from dadu.house.furniture.model import Deck, Part
from dadu.house.furniture.pieces import furniture_model, size_of
from dadu.house.states import State, start_states
from dadu.world.graph import Articulation, Entity, Kind, Surface


def furniture_entity(piece: Furniture) -> Entity:
    """One piece with its surfaces and parts in map coordinates."""
    model, pose = furniture_model(piece), piece.pose2
    category = furniture_categories().get(piece.category)
    return Entity(
        piece.name, Kind.FURNITURE, piece.category, (pose.x, pose.y, piece.elevation), pose.yaw, size_of(piece),
        aliases=piece.aliases + (category.aliases if category else ()),
        attributes={} if piece.color == UNKNOWN else {
            "color": piece.color or (category.color if category else "grey")},
        states=start_states(piece.category, piece.states),
        surfaces=tuple(_surface(deck, pose) for deck in model.decks),
        parts=tuple(_articulation(part, pose, piece.states.get(State.OPEN, False)) for part in model.parts),
    )


def switch_of(entity: Entity) -> Articulation | None:
    """Where furniture of this category and size has its switch, map: a slide, pressed along its axis. None where it has
    none, or the catalogue does not know it."""
    if entity.category not in furniture_categories():
        return None
    piece = Furniture(name="piece", category=entity.category, room="room", elevation=max(0.0, entity.position[2]),
                      pose=(*entity.position[:2], entity.yaw), size=entity.size if min(entity.size) > 0 else None)
    return next((_articulation(part, piece.pose2, False) for part in furniture_model(piece).switches), None)


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
