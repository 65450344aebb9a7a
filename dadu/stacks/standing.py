"""Before a drive: base placement for what the robot is to do where it goes, or to see first what is there."""

from __future__ import annotations

import math

import numpy as np
from scipy.ndimage import label

from dadu.core.geometry import Pose2, Vector3, vector3
from dadu.core.robot import RobotDescription
from dadu.house.furniture.entity import switch_of
from dadu.navigation.costmap import Costmap
from dadu.navigation.path_planner import TRIES, NoPath
from dadu.navigation.route import plan_route
from dadu.navigation.standing.base_placement import place_base
from dadu.navigation.standing.open_parts import open_parts
from dadu.planner.loop.skill_context import SkillContext
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Detail, SkillResult
from dadu.skills.scene import Scene
from dadu.skills.specification import MovesBase
from dadu.skills.table import does
from dadu.world.graph import ROBOT, Articulation, Entity, Kind, Surface


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


_BEST = 0.9  # from the target to base_link: all of it in view [m]
_NEARER = 0.5  # a shorter step towards it is no progress [m]
_APART = 0.3  # between places whose ways are planned [m]


def vantage(scene: Scene, robot: RobotDescription, target_id: str, start: Pose2) -> Pose2 | None:
    """The pose of base_link in map, the arm towards the target, that is nearest to it of those that can be reached from
    `start` over known floor; None where that brings the robot hardly nearer, or there is no map."""
    if scene.map is None:
        return None
    costmap = Costmap(scene.map, robot)
    costmap.block(open_parts(scene.graph), stands=start)
    box = scene.graph[target_id].box
    places = _connected(costmap, start)
    off = np.abs(box.away(places) - _BEST)
    near = abs(float(box.away(np.array(start[:2]))) - _BEST) - _NEARER
    tried: list[np.ndarray] = []
    for i in np.argsort(off, kind="stable"):
        if off[i] > near or len(tried) == TRIES:
            return None
        if any(math.dist(places[i], other) < _APART for other in tried):
            continue
        tried.append(places[i])
        pose = _facing(robot, places[i], np.array(box.centre[:2]))
        try:
            plan_route(costmap, start, pose)
        except NoPath:
            continue
        return pose
    return None


def _connected(costmap: Costmap, start: Pose2) -> np.ndarray:
    """(N, 2) [m] in map: where the base can turn on the spot, in the part of the floor that `start` is nearest to."""
    cells = costmap.turnable()
    parts, _ = label(cells, structure=np.ones((3, 3)))
    inside = np.argwhere(cells)
    if not len(inside):
        return np.zeros((0, 2))
    nearest = inside[np.linalg.norm(costmap.map.centres(inside) - start[:2], axis=1).argmin()]
    return costmap.map.centres(inside[parts[tuple(inside.T)] == parts[tuple(nearest)]])


def _facing(robot: RobotDescription, place: np.ndarray, target: np.ndarray) -> Pose2:
    ahead = target - place
    yaw = math.atan2(ahead[1], ahead[0]) - robot.arm_direction
    return Pose2(float(place[0]), float(place[1]), math.remainder(yaw, 2 * math.pi))
