"""What happens behind the agent's back in the oracle, by the names that `dadu.sim.mujoco.disturbance` uses."""

from __future__ import annotations

import numpy as np

from dadu.core.errors import choices
from dadu.core.geometry import Pose2
from dadu.sim.backend import DisturbanceError
from dadu.sim.oracle import climate
from dadu.sim.oracle.spots import GAPS, free_spots
from dadu.sim.oracle.state import OracleObject, Support
from dadu.sim.oracle.truth import OracleWorld
from dadu.world.graph import ROBOT, Relation, Surface

Position = tuple[float, float, float]
KINDS = ("move", "drop", "open", "close")


def disturb(world: OracleWorld, kind: str, object: str, target: str, position: Position) -> str:
    """Does it and says in a sentence what was done. Errors: DisturbanceError naming the valid choices."""
    if kind == "move":
        return _move(world, _thing(world, object), target, position)
    if kind == "drop":
        return _drop(world, object)
    if kind in ("open", "close"):
        return _set_parts(world, target or object, kind == "open")
    raise DisturbanceError(f"unknown disturbance {kind!r}; valid: {choices(KINDS)}")


def _move(world: OracleWorld, thing: OracleObject, target: str, position: Position) -> str:
    """To a free place on furniture (``shelf_0`` or ``shelf_0/board_1``), in a room, or exactly to a position."""
    if not target:
        room = world.room_at(position[:2])
        _release(world, thing)
        world.settle(thing, (*position[:2], position[2] + thing.size[2] / 2), Support(Relation.IN_ROOM, room))
        return f"moved {thing.name} to {position[0]:.2f}, {position[1]:.2f}"
    name, _, surface = target.partition("/")
    if name in world.rooms:
        ways = world.ways(world.agents[ROBOT])
        x, y = ways.stop(world.rooms[name].position[:2], name) or world.rooms[name].position[:2]
        _release(world, thing)
        world.settle(thing, (x, y, thing.size[2] / 2), Support(Relation.IN_ROOM, name))
        return f"moved {thing.name} to {target}"
    piece = world.pieces.get(name)
    if piece is None:
        raise DisturbanceError(f"no furniture or room called {name!r}; valid: "
                               f"{choices((*world.pieces, *world.rooms), 40)}")
    surfaces = [s for s in piece.surfaces if surface in ("", s.name)]
    if not surfaces:
        raise DisturbanceError(f"{name} has no surface {surface!r}; valid: {choices(s.name for s in piece.surfaces)}")
    for gap in GAPS:
        for s in sorted(surfaces, key=lambda s: s.inside):
            if s.clearance < thing.size[2]:
                continue
            pose = piece.surface_pose(s)
            spots = free_spots(pose, s.size, (thing.size[0] / 2, thing.size[1] / 2), [
                t for t in world.on(name, s.name) if t is not thing], gap)
            if len(spots):
                _put(world, thing, name, s, pose, spots)
                return f"moved {thing.name} to {target}"
    raise DisturbanceError(f"no free place for {thing.name} on {target}")


def _put(world: OracleWorld, thing: OracleObject, piece: str, surface: Surface, pose: Pose2, spots: np.ndarray) -> None:
    """On the spot nearest to the middle."""
    x, y = spots[int(np.argmin(((spots - pose[:2]) ** 2).sum(axis=1)))]
    relation = Relation.IN if surface.inside else Relation.ON
    _release(world, thing)
    world.settle(thing, (float(x), float(y), surface.height + thing.size[2] / 2),
                 Support(relation, piece, surface.name), pose.yaw)
    climate.settle_in(world, piece)


def _drop(world: OracleWorld, name: str) -> str:
    """Knocks what is held out of the hand; it lies on the floor."""
    held = {agent.held: agent for agent in world.agents.values() if agent.held}
    if name and name not in held or not held:
        raise DisturbanceError(f"{name or 'nothing'} is not held; held: {choices(held)}")
    name = name or min(held)
    agent, thing = held[name], world.things[name]
    agent.held = ""
    world.settle(thing, (*agent.pose[:2], thing.size[2] / 2), Support(Relation.IN_ROOM, agent.room))
    return f"knocked {name} from the hand"


def _set_parts(world: OracleWorld, target: str, opened: bool) -> str:
    """All parts of a piece of furniture, or one given as ``FURNITURE/PART``."""
    parts = [(piece.id, part) for piece in world.pieces.values() for part in piece.parts
             if target in (piece.id, f"{piece.id}/{part.name}")]
    if not parts:
        every = (f"{piece.id}/{part.name}" for piece in world.pieces.values() for part in piece.parts)
        raise DisturbanceError(f"{target!r} has no part that opens; valid: {choices(every, 40)}")
    for piece, part in parts:
        world.move_part(piece, part.name, part.range if opened else 0.0)
        climate.settle_in(world, piece)
    return f"{'opened' if opened else 'closed'} {', '.join(f'{piece}/{part.name}' for piece, part in parts)}"


def _thing(world: OracleWorld, name: str) -> OracleObject:
    if name not in world.things:
        raise DisturbanceError(f"no object called {name!r}; valid: {choices(world.things, 40)}")
    return world.things[name]


def _release(world: OracleWorld, thing: OracleObject) -> None:
    for agent in world.agents.values():
        if agent.held == thing.name:
            agent.held = ""
