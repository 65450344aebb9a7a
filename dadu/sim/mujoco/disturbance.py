"""What may happen behind the robot's back: things are moved, knocked away, opened, closed, put in the way."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dadu.core.errors import choices
from dadu.house.format import Furniture
from dadu.house.furniture.model import Deck, Part
from dadu.house.furniture.pieces import furniture_model
from dadu.house.states import State
from dadu.sim.backend import DisturbanceError
from dadu.sim.mujoco import space, truth
from dadu.sim.mujoco.physics import wake
from dadu.sim.mujoco.physics_world import PhysicsWorld
from dadu.sim.mujoco.scene.obstacle import move_obstacle

Position = tuple[float, float, float]

_KNOCK = 0.16
"""how far beyond the fingertips a knocked object comes free [m]"""


class Disturbances:
    """Changes the state of one world between two of its steps."""

    def __init__(self, world: PhysicsWorld) -> None:
        self._world = world
        self._kinds = {"move": self._move, "drop": self._drop, "open": self._open, "close": self._close,
                       "block": self._block, "unblock": self._unblock}

    def apply(self, kind: str, object: str, target: str, position: Position) -> str:
        """Does it and says in a sentence what was done. Errors: DisturbanceError naming the valid choices."""
        if kind not in self._kinds:
            raise DisturbanceError(f"unknown disturbance {kind!r}; valid: {choices(self._kinds)}")
        message = self._kinds[kind](object, target, position)
        wake(self._world.model, self._world.data)
        return message

    def _move(self, name: str, target: str, position: Position) -> str:
        """To a free place on furniture (``shelf_0`` or ``shelf_0/board_1``), in a room, or exactly to a position."""
        if name not in self._world.placements:
            raise DisturbanceError(f"no object called {name!r}; valid: {choices(self._world.placements, 40)}")
        if not target:
            space.put(self._world, name, *position)
            return f"moved {name} to {position[0]:.2f}, {position[1]:.2f}"
        before = self._world.data.joint(name).qpos.copy()
        for spot in self._spots(target, self._radius(name)):
            space.put(self._world, name, *spot)
            if not space.overlaps(self._world, name):
                return f"moved {name} to {target}"
        self._world.data.joint(name).qpos = before
        raise DisturbanceError(f"no free place for {name} on {target}")

    def _drop(self, name: str, target: str, position: Position) -> str:
        """Knocks what is held out of the fingers, to fall in front of them."""
        held = {name: body for body in self._world.bodies for name in truth.held_objects(self._world, body)}
        if name and name not in held or not held:
            raise DisturbanceError(f"{name or 'nothing'} is not held; held: {choices(held)}")
        world = self._world
        name = name or min(held)
        body = held[name]
        tool = body.link_pose(world.snapshot(), body.description.tool_link)
        joint = world.data.joint(name)
        direction = tool[:3, 0] if tool[2, 0] > -0.5 else tool[:3, 2]
        joint.qpos[:3] = joint.qpos[:3] + direction * (_KNOCK + self._radius(name) / 2)
        joint.qvel = 0.0
        return f"knocked {name} from the hand"

    def _open(self, name: str, target: str, position: Position) -> str:
        return self._set_parts(target or name, opened=True)

    def _close(self, name: str, target: str, position: Position) -> str:
        return self._set_parts(target or name, opened=False)

    def _block(self, name: str, target: str, position: Position) -> str:
        move_obstacle(self._world.model, self._world.data, position[:2])
        return f"something stands at {position[0]:.2f}, {position[1]:.2f}"

    def _unblock(self, name: str, target: str, position: Position) -> str:
        move_obstacle(self._world.model, self._world.data, None)
        return "the way is free"

    def _set_parts(self, target: str, opened: bool) -> str:
        """All parts of a piece of furniture, or one given as ``FURNITURE/PART``; a drawer takes its content along."""
        world = self._world
        values = truth.part_values(world)
        parts = [part for part in values if target in (part, part.split("/")[0])]
        if not parts:
            raise DisturbanceError(f"{target!r} has no part that opens; valid: {choices(values, 40)}")
        for name in parts:
            piece = world.house.piece(name.split("/")[0])
            part = next(p for p in furniture_model(piece).parts if name == f"{piece.name}/{p.name}")
            set_part(world, piece, part, part.range if opened else 0.0)
        return f"{'opened' if opened else 'closed'} {', '.join(parts)}"

    def _spots(self, target: str, radius: float) -> Iterator[Position]:
        """Places [m] on furniture or in a room, the likeliest to be free first. Errors: DisturbanceError."""
        house = self._world.house
        furniture, _, surface = target.partition("/")
        if furniture in {room.name for room in house.rooms}:
            yield from _floor_spots(np.array(house.room(furniture).floor))
            return
        if furniture not in {piece.name for piece in house.furniture}:
            names = [*(piece.name for piece in house.furniture), *(room.name for room in house.rooms)]
            raise DisturbanceError(f"no furniture or room called {furniture!r}; valid: {choices(names, 40)}")
        piece = house.piece(furniture)
        decks = [deck for deck in furniture_model(piece).decks if surface in ("", deck.name)]
        if not decks:
            names = [deck.name for deck in furniture_model(piece).decks]
            raise DisturbanceError(f"{furniture} has no surface {surface!r}; valid: {choices(names)}")
        for deck in sorted(decks, key=lambda deck: deck.inside):
            yield from space.deck_spots(self._world, piece, deck, radius)

    def _radius(self, name: str) -> float:
        return float(np.hypot(*self._world.placements[name].model.size[:2])) / 2


def _floor_spots(floor: np.ndarray) -> Iterator[Position]:
    """x, y, 0 [m] over a room's bounding box, from its middle outwards; collisions rule out what is not free."""
    low, high = floor.min(axis=0) + 0.2, floor.max(axis=0) - 0.2
    grid = np.stack(np.meshgrid(np.arange(low[0], high[0], 0.15), np.arange(low[1], high[1], 0.15)), -1).reshape(-1, 2)
    for x, y in grid[np.argsort(np.hypot(*(grid - (low + high) / 2).T), kind="stable")]:
        yield float(x), float(y), 0.0


def open_parts(world: PhysicsWorld) -> None:
    """Opens the doors and drawers of such pieces all the way."""
    for piece in world.house.furniture:
        if piece.states.get(State.OPEN):
            for part in furniture_model(piece).parts:
                set_part(world, piece, part, part.range)


def set_part(world: PhysicsWorld, piece: Furniture, part: Part, value: float) -> None:
    """Opens or shuts a part to `value` [rad or m]; what stands in a drawer comes along."""
    content = [name for deck in furniture_model(piece).decks if part.kind == "slide" and deck.part == part.name
               for name in world.placements if _stands_on(world, name, piece, deck)]
    joint = world.data.joint(f"{piece.name}/{part.name}")
    by = value - joint.qpos[0]
    joint.qpos, joint.qvel = value, 0.0
    offset = piece.pose2.apply((part.axis[0] * by, part.axis[1] * by)) - piece.pose2.apply((0.0, 0.0))
    for name in content:
        world.data.joint(name).qpos[:2] += offset


def _stands_on(world: PhysicsWorld, name: str, piece: Furniture, deck: Deck) -> bool:
    position = world.data.joint(name).qpos[:3]
    local = piece.pose2.inverse().apply(position[:2]) - deck.centre - space.drawer_shift(world, piece, deck)
    level = deck.height - 0.02 < position[2] < deck.height + deck.clearance
    return bool(level and (np.abs(local) <= np.array(deck.size) / 2 + 0.02).all())
