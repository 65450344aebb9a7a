"""Doors and drawers that stand open, and furniture that a house file says is open."""

from __future__ import annotations

from dadu.house.format import Furniture
from dadu.house.furniture.model import Part
from dadu.house.furniture.pieces import furniture_model
from dadu.house.states import State
from dadu.sim.mujoco.physics_world import PhysicsWorld


def open_parts(world: PhysicsWorld) -> None:
    """Opens the doors and drawers of such pieces all the way."""
    for piece in world.house.furniture:
        if piece.states.get(State.OPEN):
            for part in furniture_model(piece).parts:
                set_part(world, piece, part, part.range)


def set_part(world: PhysicsWorld, piece: Furniture, part: Part, value: float) -> None:
    """Opens or shuts a part to `value` [rad or m]; what lies in a drawer comes along."""
    joint = world.data.joint(f"{piece.name}/{part.name}")
    by, joint.qpos[0] = value - joint.qpos[0], value
    if part.kind == "slide":
        # What is in a drawer comes with it.
        decks = {deck.name for deck in furniture_model(piece).decks if deck.part == part.name}
        offset = piece.pose2.apply((part.axis[0] * by, part.axis[1] * by)) - piece.pose2.apply((0.0, 0.0))
        for name, placement in world.placements.items():
            if placement.thing.receptacle == piece.name and placement.deck in decks:
                world.data.joint(name).qpos[:2] += offset
