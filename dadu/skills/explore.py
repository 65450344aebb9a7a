"""explore: look for things in a room, from as few places as it takes."""

from __future__ import annotations

from dadu.manipulation.kinematics import Kinematics
from dadu.navigation.costmap import Costmap
from dadu.navigation.glance import all_round, glance
from dadu.navigation.viewpoints import room_to_explore, viewpoints
from dadu.robot import Command, RobotDescription
from dadu.skills.generator import Skill
from dadu.skills.go_to import Drive, go_to
from dadu.skills.outcome import Code, Detail, SkillResult
from dadu.skills.scene import Scene


def explore(robot: RobotDescription, scene: Scene, room: str, drive: Drive | None = None) -> Skill:
    """Drives to viewpoints in `room` (an id, or "unknown") and turns the head all round at each.

    SUCCEEDED after at least one viewpoint; UNKNOWN_TARGET, EXECUTION_FAILED (path_blocked) or UNREACHABLE_BACKEND
    otherwise. `drive` shares the costmap between drives and counts the viewpoints.
    """
    observation = yield Command()
    if scene.map is None:
        return SkillResult(Code.UNREACHABLE_BACKEND, "there is no map to drive by yet; try again soon")
    where = room_to_explore(scene.graph, room, observation.base_pose)
    if isinstance(where, SkillResult):
        return where
    drive = drive or Drive(Costmap(scene.map, robot))
    drive.viewpoints = 0
    kinematics = Kinematics(robot)
    for pose in viewpoints(scene, robot, where, observation.base_pose):
        arrived = yield from go_to(robot, scene, pose, drive, look=False)
        if not arrived.ok:
            continue
        scene.phase = "look"
        yield from glance(robot, kinematics, (yield Command.stop()), all_round())
        drive.viewpoints += 1
    if drive.viewpoints == 0:
        return SkillResult(Code.EXECUTION_FAILED, f"no place in {where.id} to look from could be reached; "
                           "explore another room", Detail.PATH_BLOCKED, where.id)
    return SkillResult(Code.SUCCEEDED, f"looked around {where.id} from {drive.viewpoints} places", target=where.id)
