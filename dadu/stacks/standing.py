"""Before a drive: base placement for what the robot is to do where it goes, or to see first what is there."""

from __future__ import annotations

from dadu.core.geometry import Pose2
from dadu.core.robot import RobotDescription
from dadu.navigation.standing.base_placement import place_base
from dadu.navigation.standing.vantage import vantage
from dadu.navigation.standing.work_point import work_point
from dadu.planner.loop.approach import Approach
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Detail, SkillResult
from dadu.skills.scene import Scene
from dadu.skills.specification import MovesBase
from dadu.skills.table import does
from dadu.world.graph import ROBOT


def take_stance(robot: RobotDescription, scene: Scene, call: SkillCall, approach: Approach) -> Approach | SkillResult:
    """`approach` with the stance that the drive of `call` leads to, or why there is none; as it is for other skills.
    Where too little was seen yet to say where to stand, the drive leads only nearer."""
    if not does(call.skill, MovesBase):
        return approach
    pose = place_base(scene, robot, call.arguments[0], approach.purpose, relation=approach.relation,
                      part=approach.part, next_to=approach.next_to, start=approach.start, avoid=approach.avoid,
                      towards=approach.towards)
    if isinstance(pose, SkillResult):
        nearer = _nearer(robot, scene, call.arguments[0], approach) if pose.detail == Detail.UNSEEN else None
        if nearer is None:
            return pose
        approach.nearer = True
        approach.chosen(nearer)
        return approach
    approach.chosen(pose, work_point(scene, robot, pose, call.arguments[0], approach.purpose,
                                     relation=approach.relation, part=approach.part))
    return approach


def _nearer(robot: RobotDescription, scene: Scene, target_id: str, approach: Approach) -> Pose2 | None:
    start = approach.start or (scene.graph[ROBOT].pose if ROBOT in scene.graph else None)
    return vantage(scene, robot, target_id, start) if start is not None else None
