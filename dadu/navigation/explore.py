"""explore: look for things in a room, or where the map ends, from as few places as it takes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

from dadu.core.errors import choices
from dadu.core.geometry import Pose2
from dadu.core.robot import Command, RobotDescription
from dadu.navigation.costmap import Costmap
from dadu.navigation.frontier import frontiers, next_frontier, next_unseen
from dadu.navigation.go_to import Drive, go_to
from dadu.navigation.head_motion import ALL_ROUND, glance, look_all_round
from dadu.navigation.standing.base_placement import place_base
from dadu.navigation.standing.from_here import stand_here
from dadu.navigation.survey import NEAR
from dadu.robots.kinematics import Kinematics
from dadu.robots.own_hits import COVERED
from dadu.skills.generator import Skill
from dadu.skills.outcome import Code, Detail, SkillResult
from dadu.skills.scene import Scene
from dadu.world.graph import Entity, Kind, WorldGraph

_PLACES = 4  # that one call goes to


def explore(robot: RobotDescription, scene: Scene, room: str, drive: Drive | None = None) -> Skill:
    """Drives to viewpoints in `room` (an id, or "unknown") and turns the head all round at each; beyond the known only
    to where it has not looked lately.

    SUCCEEDED after at least one viewpoint; UNKNOWN_TARGET, EXECUTION_FAILED (path_blocked) or UNREACHABLE_BACKEND
    otherwise. `drive` shares the costmap and what was looked at between drives and counts the viewpoints.
    """
    observation = yield Command()
    if scene.map is None:
        return SkillResult(Code.UNREACHABLE_BACKEND, "there is no map to drive by yet; try again soon")
    if observation.scan is not None and observation.scan.covered:
        return SkillResult(Code.UNREACHABLE_BACKEND, COVERED)
    drive = drive or Drive(Costmap(scene.map, robot))
    drive.viewpoints = 0
    drive.survey.forget(observation.stamp)
    if room == UNKNOWN and not robot.fixed and (frontiers(scene.map) or not _told_of_rooms(scene.graph)):
        return (yield from _explore_frontiers(robot, scene, drive))
    where = room_to_explore(scene.graph, room, observation.base_pose)
    if isinstance(where, SkillResult):
        return where
    here = observation.base_pose
    if robot.fixed and room != UNKNOWN and isinstance(found := stand_here(robot, scene.graph, where, "look", "", here),
                                                      SkillResult):
        return found
    for pose in (here,) if robot.fixed else viewpoints(scene, robot, where, here):
        yield from _look_from(robot, scene, pose, drive)
    if drive.viewpoints == 0:
        return SkillResult(Code.EXECUTION_FAILED, f"no place in {where.id} to look from could be reached; "
                           "explore another room", Detail.PATH_BLOCKED, where.id)
    return SkillResult(Code.SUCCEEDED, f"looked around {where.id} from {drive.viewpoints} places", target=where.id)


def _told_of_rooms(graph: WorldGraph) -> bool:
    """Rooms that the robot has found itself say nothing of what it has not looked at."""
    return any(room.provenance == "prior" for room in graph.of(Kind.ROOM))


def _explore_frontiers(robot: RobotDescription, scene: Scene, drive: Drive) -> Skill:
    """Drives to a few frontiers of the map, the nearest first, while the map grows; then to what was not looked at from
    nearby."""
    tried: list[Pose2] = []
    for _ in range(_PLACES):
        observation = yield Command()
        drive.take_map(scene)
        place = _next_place(drive, observation.base_pose, tried)
        if place is None:
            break
        pose, near = place
        tried.append(pose)
        yield from _look_from(robot, scene, pose, drive, near)
    if drive.viewpoints == 0:
        return SkillResult(Code.EXECUTION_FAILED, "all that can be reached was looked at; explore a room instead",
                           Detail.PATH_BLOCKED)
    return SkillResult(Code.SUCCEEDED, f"looked beyond the known from {drive.viewpoints} places")


def _next_place(drive: Drive, here: Pose2, tried: Sequence[Pose2]) -> tuple[Pose2, float] | None:
    """Where to look from next, and how far [m]; None when nothing is left."""
    frontier = next_frontier(drive.costmap, here, drive.survey, tried)
    if frontier is not None:
        return frontier, NEAR[0]
    places = ((next_unseen(drive.costmap, here, drive.survey, near, tried), near) for near in NEAR)
    return next(((pose, near) for pose, near in places if pose is not None), None)


def _look_from(robot: RobotDescription, scene: Scene, pose: Pose2, drive: Drive, near: float = math.inf) -> Skill:
    """Looks all round at `pose`, if it can be reached, and counts it; or only to where something within `near` [m] was
    not looked at."""
    arrived = yield from go_to(robot, scene, pose, drive, look=look_all_round(ALL_ROUND[:1]))
    if not arrived.ok:
        return arrived
    drive.viewpoints += 1
    observation = yield Command()
    drive.take_map(scene)
    here, turns = observation.base_pose, ALL_ROUND
    if math.isfinite(near):
        turns = drive.survey.directions(drive.costmap.map, here, ALL_ROUND, near)
    least = 0.0 if turns == ALL_ROUND else near
    looked = yield from glance(robot, Kinematics(robot), observation, look_all_round(turns))
    drive.survey.looked(observation.stamp, (here.x, here.y), least)
    return looked


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
