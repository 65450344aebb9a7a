"""Where head and hand are wanted at a stance: roughly, as the skill that works there looks closer."""

from __future__ import annotations

import math

import numpy as np

from dadu.core.geometry import Pose2, Vector3, vector3
from dadu.core.robot import RobotDescription
from dadu.house.furniture.entity import switch_of
from dadu.skills.scene import Scene
from dadu.world.graph import Articulation, Entity, Kind, Surface

_OVER = 0.1  # of the hand over the surface that something is put on [m]
_OUT = 0.2  # beyond the nearest reach, where things are put down [m]
_COMFORTABLE = 0.75  # height of a surface [m]


def work_point(scene: Scene, robot: RobotDescription, stance: Pose2, target_id: str, purpose: str, *,
               relation: str = "", part: str = "") -> Vector3 | None:
    """(3,) [m] in map: what is picked, the handle that is pulled or beside which is pushed, a point over the surface
    before the arm. None for other purposes, and where the graph does not tell."""
    target = scene.graph.entities.get(target_id)
    if target is None:
        return None
    if purpose == "pick" and target.kind is Kind.OBJECT:
        return target.position
    if purpose == "place":
        return _surface_work_point(robot, stance, target, relation)
    if purpose in ("open", "close"):
        return _handle(stance, target, part, opening=purpose == "open")
    if purpose == "press" and target.kind is Kind.FURNITURE and (switch := switch_of(target)) is not None:
        return switch.handle
    return None


def _surface_work_point(robot: RobotDescription, stance: Pose2, target: Entity, relation: str) -> Vector3 | None:
    def height_off(surface: Surface) -> float:
        return abs(surface.height - _COMFORTABLE)

    meant = [s for s in target.surfaces if relation in ("", "in" if s.inside else "on")]
    if not meant:
        return target.position if target.kind is Kind.OBJECT else None
    heading, out = stance.yaw + robot.arm_direction, robot.reach[0] + _OUT
    before = stance.x + out * math.cos(heading), stance.y + out * math.sin(heading)
    return (*before, min(meant, key=height_off).height + _OVER)


def _handle(stance: Pose2, target: Entity, name: str, opening: bool) -> Vector3 | None:
    def away(part: Articulation) -> float:
        return math.dist(part.handle[:2], stance[:2])

    parts = [p for p in target.parts if name in ("", p.name)]
    waiting = [p for p in parts if (not p.open if opening else p.open)] or parts
    return vector3(np.array(min(waiting, key=away).handle)) if waiting else None
