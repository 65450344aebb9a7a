"""Variation by seed: the same house, everything a little elsewhere."""

from __future__ import annotations

import numpy as np

from dadu.core.geometry import Pose2
from dadu.house.furniture.pieces import furniture_model
from dadu.house.placement import Placement
from dadu.sim.mujoco import space
from dadu.sim.mujoco.physics_world import PhysicsWorld
from dadu.sim.mujoco.robot.body import RobotBody

OBJECT_SHIFT, OBJECT_TURN = 0.03, 0.25
"""greatest change of an object's place [m] on each axis and of its yaw [rad]"""
ROBOT_SHIFT, ROBOT_TURN = 0.15, 0.4
_MARGIN = 0.02
"""objects stay this far from the end of their deck, and from each other [m]"""
_TRIES = 10


def scatter(world: PhysicsWorld, rng: np.random.Generator) -> None:
    """Moves objects on their decks and the robots on the floor; what finds no free place stays where it was."""
    for name, placement in world.placements.items():
        if placement.deck:  # else it was put somewhere by hand
            _move_object(world, name, placement, rng)
    for body, start in zip(world.bodies, world.starts, strict=True):
        _move_robot(world, body, start, rng)


def _move_robot(world: PhysicsWorld, body: RobotBody, start: Pose2, rng: np.random.Generator) -> None:
    for _ in range(_TRIES):
        shift = rng.uniform(-1, 1, 3) * (ROBOT_SHIFT, ROBOT_SHIFT, ROBOT_TURN)
        if space.standing_clear(world, body, Pose2(start.x + shift[0], start.y + shift[1], start.yaw + shift[2])):
            return
    body.place(world.data, start, body.description.home)


def _move_object(world: PhysicsWorld, name: str, placement: Placement, rng: np.random.Generator) -> None:
    joint = world.data.joint(name)
    original = joint.qpos.copy()
    x, y, z = placement.position
    bottom = z - placement.model.size[2] / 2 - space.LIFT
    for _ in range(_TRIES):
        dx, dy, turn = rng.uniform(-1, 1, 3) * (OBJECT_SHIFT, OBJECT_SHIFT, OBJECT_TURN)
        if not _stays_on_deck(world, placement, x + dx, y + dy, placement.yaw + turn):
            continue
        space.put(world, name, x + dx, y + dy, bottom, placement.yaw + turn)
        if not space.overlaps(world, name) and _apart(world, name):
            return
    joint.qpos = original


def _stays_on_deck(world: PhysicsWorld, placement: Placement, x: float, y: float, yaw: float) -> bool:
    """True if the object's box stays on its deck; the floor has room."""
    if placement.thing.room is not None:
        return True
    piece = world.house.piece(placement.thing.receptacle)
    deck = next(deck for deck in furniture_model(piece).decks if deck.name == placement.deck)
    local = piece.pose2.inverse() * Pose2(x, y, yaw)
    c, s = abs(np.cos(local.yaw)), abs(np.sin(local.yaw))
    half = np.array([[c, s], [s, c]]) @ np.array(placement.model.size[:2]) / 2
    offset = np.abs(np.array(local[:2]) - deck.centre)
    return bool((offset + half + _MARGIN <= np.array(deck.size) / 2).all())


def _apart(world: PhysicsWorld, name: str) -> bool:
    """True if no neighbour came nearer than `_MARGIN`, by the circles round the objects' boxes, unless it was."""
    now, start = world.data.joint(name).qpos[:3], np.array(world.placements[name].position)
    for other, placement in world.placements.items():
        if other == name:
            continue
        neighbour = world.data.joint(other).qpos[:3]
        if abs(neighbour[2] - now[2]) > 0.3:
            continue
        reach = (np.hypot(*placement.model.size[:2]) + np.hypot(*world.placements[name].model.size[:2])) / 2
        before = np.hypot(*(start - placement.position)[:2])
        if np.hypot(*(neighbour - now)[:2]) < min(reach + _MARGIN, before):
            return False
    return True
