"""Where a base that is fixed stands for something: where it is, if the arm gets there."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dadu.core.geometry import Pose2
from dadu.core.robot import RobotDescription
from dadu.house.furniture.entity import switch_of
from dadu.skills.outcome import Code, SkillResult
from dadu.world.graph import Entity, Kind, WorldGraph

_GRID = np.linspace(-0.4, 0.4, 5)  # of a surface's size, about its middle: where something may be put
_OVER = 0.08  # a surface, what is put down is held [m]


def stand_here(robot: RobotDescription, graph: WorldGraph, target: Entity, purpose: str, part: str,
               here: Pose2) -> Pose2 | SkillResult:
    """`here` if the arm reaches what `purpose` asks for at `target` from there; TOO_FAR else."""
    if target.kind is Kind.ROOM:
        room = graph.room_at(here[:2])
        near = room is not None and room.id == target.id
    else:
        near = purpose == "look" or any(_reaches(robot, here, point) for point in _points(graph, target, purpose, part))
    if near:
        return here
    return SkillResult(Code.TOO_FAR, f"the base of {robot.name} is fixed, and {target.id} is out of its reach from "
                       "there; choose what is nearer, or have it brought", target=target.id)


def _points(graph: WorldGraph, target: Entity, purpose: str, name: str) -> Iterator[np.ndarray]:
    """(3,) [m] in map: where the hand would have to be, one of them."""
    support = graph.support(target.id)
    piece = target if target.kind is Kind.FURNITURE or support is None else graph.entities.get(support.object, target)
    if purpose in ("open", "close"):
        yield from (part.handle_at(part.value) for part in piece.parts if name in ("", part.name))
    elif purpose == "press" and (switch := switch_of(target)) is not None:
        yield np.array(switch.handle)
    elif purpose == "place" and piece.surfaces:
        for surface in piece.surfaces:
            for x, y in np.stack(np.meshgrid(_GRID, _GRID), axis=-1).reshape(-1, 2) * surface.size:
                yield np.array([*surface.pose.apply((x, y)), surface.height + _OVER])
    else:
        yield np.array(target.position)


def _reaches(robot: RobotDescription, here: Pose2, point: np.ndarray) -> bool:
    from dadu.motion.reach_map import reach_map  # kinematics take 50 MB, and who drives does not need them
    local = here.inverse().apply(point[:2])
    return reach_map(robot).reaches_point((float(local[0]), float(local[1]), float(point[2])))
