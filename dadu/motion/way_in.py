"""The arm's straight way in to a thing, past what is known to stand about it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from dadu.core.geometry import Pose2
from dadu.core.robot import RobotDescription
from dadu.motion.model import body_model
from dadu.motion.plan import NARROW
from dadu.motion.scene import CollisionScene, Obstacle
from dadu.robots.body import Manipulator
from dadu.robots.ik import NoSolution
from dadu.robots.kinematics import Posture
from dadu.robots.poses import shifted, tool_pose
from dadu.world.boxes import OrientedBox
from dadu.world.graph import Entity, Kind, Relation, WorldGraph

TILTS = (0.0, 0.6, 1.0, math.pi / 2)
"""of the fingers below level [rad]; those that are level take nothing flat"""
OVER = 0.02
"""the middle of a thing, where the fingers close [m]"""
NEAR = 1.2
"""what is farther from a thing is out of the way of an arm that takes it [m]"""
SAME = 0.02
"""what is seen so near to a thing may be part of it [m]"""
BACK = 0.0, 0.15, 0.3
"""from where the fingers close, along the arm, what is looked at of the way in [m]: the arm itself fills the rest"""
_THIN = 0.005
"""less is no board [m]"""


class WayIn:
    """Asked of one thing in one state of the world, for as many places to stand as one likes."""

    def __init__(self, robot: RobotDescription, graph: WorldGraph, target: Entity, flat: bool) -> None:
        """`flat`: only lowered fingers take it."""
        self._body = _body(robot)
        self._point = np.array(target.position) + (0.0, 0.0, OVER)
        self._tilts = TILTS[flat:]
        self._scene = CollisionScene(body_model(self._body.kinematics), _about(graph, target))
        self._out = np.array([math.cos(robot.arm_direction), math.sin(robot.arm_direction), 0.0])
        self._seed = Posture({**robot.home, **robot.stow, **self._body.reaching.joints})

    def hindrance(self, base: Pose2, drive: tuple[float, float]) -> str:
        """Why the arm does not get there from `base` (map), which may shift by `drive` [m] back and ahead; empty where
        it does."""
        body, hindrance = self._body, ""
        local = np.array([*base.inverse().apply(self._point[:2]), self._point[2]])
        scene = self._scene.at(base)
        for tilt in self._tilts:
            T_entry, way = tool_pose(local, body.robot.arm_direction, tilt), [self._seed]
            try:
                for back in BACK:
                    way.append(body.solve(shifted(T_entry, -back * self._out), way[-1], drive, near=True))
            except NoSolution as error:  # drawn in as far as it goes
                if len(way) == 1:
                    hindrance = hindrance or str(error)
                    continue
            hit = scene.blocked(way[1:], NARROW)
            if hit is None:
                return ""
            hindrance = f"{hit.other} is in the way of the arm"
        return hindrance


@lru_cache(maxsize=8)
def _body(robot: RobotDescription) -> Manipulator:
    return Manipulator.from_description(robot)


def _about(graph: WorldGraph, target: Entity) -> Iterator[Obstacle]:
    """What is known to stand near `target`, beside what a hand holds."""
    held = {edge.subject for edge in graph.edges if edge.relation is Relation.HELD_BY}
    for entity in graph:
        if float(entity.box.away(target.position[:2])) >= NEAR:
            continue
        if entity.kind is Kind.FURNITURE:
            yield from (Obstacle(entity.id, box) for box in solid(entity))
        elif entity.kind is Kind.OBJECT and entity.id not in held and min(entity.size) > 0.0 \
                and float(entity.box.away(target.position[:2])) > SAME:
            yield Obstacle(entity.id, entity.box)


def solid(piece: Entity) -> Iterator[OrientedBox]:
    """Furniture without the room over its surfaces, out to its front: a box for each strip of its width and height."""
    deep, wide, high = np.array(piece.size) * (0.5, 0.5, 1.0)
    rooms = [(local.x - x / 2, local.y - y / 2, local.y + y / 2, over, over + surface.clearance)
             for surface in piece.surfaces for over in [surface.height - piece.position[2]]
             for local in [piece.pose.inverse() * piece.surface_pose(surface)]
             for x, y in [surface.size if abs(math.cos(local.yaw)) > math.sqrt(0.5) else surface.size[::-1]]]
    across = sorted({-wide, wide, *(float(np.clip(y, -wide, wide)) for room in rooms for y in room[1:3])})
    up = sorted({0.0, high, *(float(np.clip(z, 0.0, high)) for room in rooms for z in room[3:])})
    for left, right in zip(across, across[1:], strict=False):
        for bottom, top in zip(up, up[1:], strict=False):
            y, z = (left + right) / 2, (bottom + top) / 2
            front = min((room[0] for room in rooms if room[1] < y < room[2] and room[3] < z < room[4]), default=deep)
            size = np.array([front + deep, right - left, top - bottom])
            if (size > _THIN).all():
                x, y = piece.pose.apply(np.array([(front - deep) / 2, y]))
                yield OrientedBox.upright(float(x), float(y), piece.position[2] + bottom, piece.yaw, size)
