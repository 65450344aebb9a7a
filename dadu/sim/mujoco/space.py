"""Free places: where an object can be put without touching anything."""

from __future__ import annotations

from collections.abc import Iterator

import mujoco
import numpy as np

from dadu.core.geometry import Pose2
from dadu.house.format import Furniture
from dadu.house.furniture.model import Deck
from dadu.house.furniture.pieces import furniture_model
from dadu.sim.mujoco.physics_world import PhysicsWorld
from dadu.sim.mujoco.robot.body import RobotBody

Point = tuple[float, float, float]

LIFT = 0.001
"""things are put down from this height [m]"""
_STEP = 0.05
_EDGE = 0.02
_TOUCH = 5e-4
"""overlap that counts as a collision [m]"""


def deck_spots(world: PhysicsWorld, piece: Furniture, deck: Deck, radius: float) -> Iterator[Point]:
    """x, y, z in map [m] of places on a deck, its middle first; a drawer's deck is taken where the drawer is now."""
    limit = np.array(deck.size) / 2 - radius - _EDGE
    if (limit < 0).any():
        return
    centre = np.array(deck.centre) + drawer_shift(world, piece, deck)
    grid = [np.arange(-half, half + 1e-9, _STEP) for half in limit]
    offsets = sorted(((x, y) for x in grid[0] for y in grid[1]), key=lambda p: (round(p[0] ** 2 + p[1] ** 2, 6), p))
    for offset in offsets:
        x, y = piece.pose2.apply(centre + offset)
        yield float(x), float(y), deck.height


def drawer_shift(world: PhysicsWorld, piece: Furniture, deck: Deck) -> np.ndarray:
    """(2,) [m] in the furniture's frame by which a sliding part has carried a deck along."""
    part = next((p for p in furniture_model(piece).parts if p.name == deck.part and p.kind == "slide"), None)
    if part is None:
        return np.zeros(2)
    value = world.data.joint(f"{piece.name}/{part.name}").qpos[0]
    return np.array(part.axis[:2]) * value


def put(world: PhysicsWorld, name: str, x: float, y: float, z: float, yaw: float = 0.0) -> None:
    """Stands an object upright at rest with its underside at `z` [m]."""
    half = world.placements[name].model.size[2] / 2
    joint = world.data.joint(name)
    joint.qpos = (x, y, z + half + LIFT, np.cos(yaw / 2), 0.0, 0.0, np.sin(yaw / 2))
    joint.qvel = 0.0


def overlaps(world: PhysicsWorld, name: str) -> bool:
    """True if an object, where it is now, is inside anything."""
    model = world.model
    view = world.snapshot()
    mujoco.mj_collision(model, view)
    body = model.body(name).id
    geoms = model.geom_bodyid[view.contact.geom]
    return bool(np.any((geoms == body).any(axis=1) & (view.contact.dist < -_TOUCH)))


def robot_overlaps(world: PhysicsWorld, body: RobotBody) -> bool:
    """True if a robot, where it is now, is inside anything."""
    model = world.model
    view = world.snapshot()
    mujoco.mj_collision(model, view)
    mine = np.isin(view.contact.geom, body.geoms)
    return bool(np.any(mine.any(axis=1) & (view.contact.dist < -_TOUCH)))


def standing_clear(world: PhysicsWorld, body: RobotBody, pose: Pose2) -> bool:
    """True if a robot in its home posture at `pose` touches nothing; leaves it there."""
    body.place(world.data, pose, body.description.home)
    return not robot_overlaps(world, body)
