"""Before a drive: base placement for what the robot is to do where it goes, or to see first what is there."""

from __future__ import annotations

from dadu.core.geometry import Pose2
from dadu.core.robot import RobotDescription
from dadu.navigation.standing.base_placement import place_base
from dadu.navigation.standing.vantage import vantage
from dadu.navigation.standing.work_point import work_point
from dadu.planner.loop.skill_context import SkillContext
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Detail, SkillResult
from dadu.skills.scene import Scene
from dadu.skills.specification import MovesBase
from dadu.skills.table import does
from dadu.world.graph import ROBOT


def choose_base_pose(robot: RobotDescription, scene: Scene, call: SkillCall, skill_context: SkillContext
                     ) -> SkillContext | SkillResult:
    """`skill_context` with the pose that the drive of `call` leads to, or why there is none; as it is for other skills.
    Where too little was seen yet to say where to stand, the drive leads only nearer."""
    if not does(call.skill, MovesBase):
        return skill_context
    pose = place_base(scene, robot, call.arguments[0], skill_context.purpose, relation=skill_context.relation,
                      part=skill_context.part, next_to=skill_context.next_to, start=skill_context.start,
                      avoid=skill_context.avoid, towards=skill_context.towards)
    if isinstance(pose, SkillResult):
        nearer = _nearer(robot, scene, call.arguments[0], skill_context) if pose.detail == Detail.UNSEEN else None
        if nearer is None:
            return pose
        skill_context.nearer = True
        skill_context.chosen(nearer)
        return skill_context
    skill_context.chosen(pose, work_point(scene, robot, pose, call.arguments[0], skill_context.purpose,
                                     relation=skill_context.relation, part=skill_context.part))
    return skill_context


def _nearer(robot: RobotDescription, scene: Scene, target_id: str, skill_context: SkillContext) -> Pose2 | None:
    start = skill_context.start or (scene.graph[ROBOT].pose if ROBOT in scene.graph else None)
    return vantage(scene, robot, target_id, start) if start is not None else None
