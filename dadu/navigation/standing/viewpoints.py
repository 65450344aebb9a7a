"""Where to look from: few poses from which each piece of furniture of a room is near and not behind a wall."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

from dadu.core.errors import choices
from dadu.core.geometry import Pose2
from dadu.core.robot import RobotDescription
from dadu.navigation.standing.base_placement import place_base
from dadu.skills.outcome import Code, SkillResult
from dadu.skills.scene import Scene
from dadu.world.graph import Entity, Kind, WorldGraph

UNKNOWN = "unknown"
"""instead of a room: wherever it is longest ago that something was looked at"""
_SEES = 2.6  # farthest furniture whose things are recognised from a viewpoint [m]


def room_to_explore(graph: WorldGraph, name: str, here: Pose2) -> Entity | SkillResult:
    """The room called `name`; for `UNKNOWN` the one whose furniture was last seen longest ago, the nearest of several.
    """
    rooms = graph.of(Kind.ROOM)
    if name in graph and graph[name].kind is Kind.ROOM:
        return graph[name]
    if name != UNKNOWN or not rooms:
        return SkillResult(Code.UNKNOWN_TARGET, f"{name!r} is no room; rooms: {choices(r.id for r in rooms)}, "
                           f"or {UNKNOWN}")

    def seen(room: Entity) -> float:
        return max((f.stamp for f in furniture_in(graph, room)), default=math.inf)
    return min(rooms, key=lambda room: (seen(room), math.dist(room_middle(room), here[:2])))


def furniture_in(graph: WorldGraph, room: Entity) -> list[Entity]:
    """Pieces of furniture in `room`."""
    return [f for f in graph.of(Kind.FURNITURE) if (r := graph.room_of(f.id)) is not None and r.id == room.id]


def room_middle(room: Entity) -> tuple[float, float]:
    """Middle of the room's bounding box, map [m]."""
    xs, ys = zip(*room.polygon, strict=True) if room.polygon else ((room.position[0],), (room.position[1],))
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def viewpoints(scene: Scene, robot: RobotDescription, room: Entity, start: Pose2) -> list[Pose2]:
    """Poses in the order of a short way from `start`: `start` itself where that is in the room, else, and where that
    is too far from some furniture, one in the room's middle; and one before each piece too far from the others."""
    here, pieces = scene.graph.room_at(start[:2]), furniture_in(scene.graph, room)
    poses = [start] if here is not None and here.id == room.id and pieces else []
    if not poses or any(map(partial(_too_far, poses), pieces)):
        middle = place_base(scene, robot, room.id, "look", start=start)
        poses += [middle] if isinstance(middle, Pose2) else []
    for furniture in pieces:
        if not _too_far(poses, furniture):
            continue
        pose = place_base(scene, robot, furniture.id, "look", start=start)
        if isinstance(pose, Pose2):
            poses.append(pose)
    return nearest_first(start, poses)


def _too_far(poses: Sequence[Pose2], furniture: Entity) -> bool:
    return all(math.dist(pose[:2], furniture.position[:2]) >= _SEES for pose in poses)


def nearest_first(start: Pose2, poses: Sequence[Pose2]) -> list[Pose2]:
    """Always the nearest of those that are left, as the crow flies."""
    here, left, order = start, list(poses), []
    while left:
        here = min(left, key=lambda pose: math.dist(pose[:2], here[:2]))
        left.remove(here)
        order.append(here)
    return order
