"""explore: look for things in a room, or where the map ends, from as few places as it takes."""

from __future__ import annotations

from dadu.core.geometry import Pose2
from dadu.core.robot import Command, RobotDescription
from dadu.navigation.costmap import Costmap
from dadu.navigation.frontier import frontiers, next_frontier
from dadu.navigation.glance import all_round
from dadu.navigation.go_to import Drive, go_to
from dadu.navigation.standing.viewpoints import UNKNOWN, room_to_explore, viewpoints
from dadu.skills.generator import Skill
from dadu.skills.outcome import Code, Detail, SkillResult
from dadu.skills.scene import Scene

_FRONTIERS = 4  # edges of the map that one call goes to


def explore(robot: RobotDescription, scene: Scene, room: str, drive: Drive | None = None) -> Skill:
    """Drives to viewpoints in `room` (an id, or "unknown") and turns the head all round at each.

    SUCCEEDED after at least one viewpoint; UNKNOWN_TARGET, EXECUTION_FAILED (path_blocked) or UNREACHABLE_BACKEND
    otherwise. `drive` shares the costmap between drives and counts the viewpoints.
    """
    observation = yield Command()
    if scene.map is None:
        return SkillResult(Code.UNREACHABLE_BACKEND, "there is no map to drive by yet; try again soon")
    drive = drive or Drive(Costmap(scene.map, robot))
    drive.viewpoints = 0
    if room == UNKNOWN and frontiers(scene.map):
        return (yield from _beyond_the_known(robot, scene, drive))
    where = room_to_explore(scene.graph, room, observation.base_pose)
    if isinstance(where, SkillResult):
        return where
    for pose in viewpoints(scene, robot, where, observation.base_pose):
        yield from _look_from(robot, scene, pose, drive)
    if drive.viewpoints == 0:
        return SkillResult(Code.EXECUTION_FAILED, f"no place in {where.id} to look from could be reached; "
                           "explore another room", Detail.PATH_BLOCKED, where.id)
    return SkillResult(Code.SUCCEEDED, f"looked around {where.id} from {drive.viewpoints} places", target=where.id)


def _beyond_the_known(robot: RobotDescription, scene: Scene, drive: Drive) -> Skill:
    """Drives to a few frontiers of the map, the nearest first, while the map grows."""
    tried: list[Pose2] = []
    for _ in range(_FRONTIERS):
        observation = yield Command()
        drive.take_map(scene)
        pose = next_frontier(drive.costmap, observation.base_pose, tried)
        if pose is None:
            break
        tried.append(pose)
        yield from _look_from(robot, scene, pose, drive)
    drive.take_map(scene)
    left = len(frontiers(drive.costmap.map))
    if drive.viewpoints == 0:
        return SkillResult(Code.EXECUTION_FAILED, "no edge of the known could be reached; explore a room instead",
                           Detail.PATH_BLOCKED)
    return SkillResult(Code.SUCCEEDED, f"looked beyond the known from {drive.viewpoints} places; "
                       f"{left} edges are left to explore")


def _look_from(robot: RobotDescription, scene: Scene, pose: Pose2, drive: Drive) -> Skill:
    """Looks all round at `pose`, if it can be reached, and counts it."""
    arrived = yield from go_to(robot, scene, pose, drive, look=all_round())
    if arrived.ok:
        drive.viewpoints += 1
    return arrived
