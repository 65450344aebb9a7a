"""Where to stand for what follows: the cheapest stance that is free, reachable, and suits the skill."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from dadu.errors import choices
from dadu.geometry import Pose2, wrap
from dadu.memory.graph import Articulation, Entity, Kind, Relation, Surface, inside
from dadu.navigation.articulated import open_parts, part_outline
from dadu.navigation.costmap import Costmap
from dadu.navigation.path_planner import NoPath
from dadu.navigation.room_pose import room_stances
from dadu.navigation.route import plan_route
from dadu.navigation.stances import Stance, look_stances, part_stances, pick_stances, place_stances
from dadu.robot import RobotDescription
from dadu.skills.outcome import Code, Detail, SkillResult
from dadu.skills.scene import Scene

PURPOSES = ("look", "pick", "place", "open", "close")

_MARGIN = 0.03  # between outline and obstacles, for localisation and control errors [m]
_NO_TURNING = 0.5  # cost of a place without room to turn
_DRIVING = 0.15  # cost of a metre on the way
_TRIED = 3.0  # cost of a stance that did not work out before
_ROUTES = 12  # stances whose way is planned before giving up


def place_base(scene: Scene, robot: RobotDescription, target_id: str, purpose: str, *, relation: str = "",
               part: str = "", next_to: str = "", start: Pose2 | None = None, avoid: Sequence[Pose2] = ()
               ) -> Pose2 | SkillResult:
    """Where base_link should stand in map to do `purpose` (see `PURPOSES`) with an object, furniture or a room.

    `relation` (on, in) and `next_to` (id) narrow down where a place goes, `part` what is opened. The way is planned
    from `start`, by default from where the graph has the robot. Poses in `avoid` were tried in vain and cost more.
    Returns a SkillResult when there is none: UNKNOWN_TARGET, NOT_INTERACTIVE, TOO_FAR, or EXECUTION_FAILED with
    path_blocked; UNREACHABLE_BACKEND without a map.
    """
    if purpose not in PURPOSES:
        raise ValueError(f"unknown purpose {purpose!r}; valid: {choices(PURPOSES)}")
    if scene.map is None:
        return SkillResult(Code.UNREACHABLE_BACKEND, "there is no map yet; try again soon")
    if target_id not in scene.graph:
        return SkillResult(Code.UNKNOWN_TARGET, f"{target_id!r} is not known; known: {choices(scene.graph.entities)}")
    found = _candidates(scene, robot, scene.graph[target_id], purpose, relation, part, next_to)
    if isinstance(found, SkillResult):
        return found
    costmap = Costmap(scene.map, robot)
    here = _with_free_tracks(costmap, scene, target_id, _in_room_of(scene, target_id, found))
    costmap.block(open_parts(scene.graph))
    free = sorted(_free(costmap, here, avoid), key=lambda stance: stance.cost)
    if not free:
        return SkillResult(Code.TOO_FAR, f"there is no free place to stand from which {target_id} is in reach; "
                           "choose another target or clear the space before it", target=target_id)
    start = start or (scene.graph["robot"].pose if "robot" in scene.graph else None)
    best = _cheapest_to_reach(costmap, free, start)
    return best or SkillResult(Code.EXECUTION_FAILED, f"no way leads to a place at {target_id}; choose another target "
                               "or have the way cleared", Detail.PATH_BLOCKED, target_id)


def _candidates(scene: Scene, robot: RobotDescription, target: Entity, purpose: str, relation: str, part: str,
                next_to: str) -> Iterable[Stance] | SkillResult:
    graph = scene.graph
    if target.kind is Kind.ROOM:
        return room_stances(target)
    if target.kind not in (Kind.OBJECT, Kind.FURNITURE):
        return SkillResult(Code.UNKNOWN_TARGET, f"{target.id} is no place to go to; choose a room, a piece of "
                           "furniture or an object", target=target.id)
    furniture, surface = _support(scene, target)
    if purpose in ("open", "close"):
        return _at_part(robot, furniture, target, purpose, part)
    inside = surface is not None and surface.inside
    if target.kind is Kind.OBJECT and purpose == "pick":
        if target.position[2] > robot.reach_height[1] + 0.1:
            return SkillResult(Code.TOO_FAR, f"{target.id} is {target.position[2]:.1f} m up, out of the arm's reach; "
                               "choose something lower", target=target.id)
        return pick_stances(robot, target.position[:2], furniture, inside)
    if purpose == "look":
        return look_stances(robot, target.position[:2], furniture, inside)
    if furniture is None:
        return SkillResult(Code.UNKNOWN_TARGET, f"it is not known what {target.id} stands on; look for it first",
                           target=target.id)
    beside = next_to if next_to in graph else target.id if target.kind is Kind.OBJECT else ""
    return _at_surfaces(scene, robot, furniture, relation, beside)


def _support(scene: Scene, target: Entity) -> tuple[Entity | None, Surface | None]:
    """The furniture that `target` is, or is on or in, and the surface where an object stands, as far as known."""
    if target.kind is Kind.FURNITURE:
        return target, None
    edge = scene.graph.support(target.id)
    furniture = scene.graph.entities.get(edge.object) if edge else None
    if furniture is None or furniture.kind is not Kind.FURNITURE:
        return None, None
    surface = next((s for s in furniture.surfaces if s.name == edge.part), None)
    if surface is None and edge.relation is Relation.IN:
        surface = next((s for s in furniture.surfaces if s.inside), None)
    return furniture, surface


def _at_part(robot: RobotDescription, furniture: Entity | None, target: Entity, purpose: str, name: str
             ) -> Iterable[Stance] | SkillResult:
    parts = [] if furniture is None else [p for p in furniture.parts if name in ("", p.name)]
    if not parts:
        return SkillResult(Code.NOT_INTERACTIVE, f"{target.id} has nothing to {purpose}", target=target.id)
    # Those that still have to move come first; with all in place already, any will do.
    waiting = [p for p in parts if (not p.open if purpose == "open" else not p.closed)] or parts
    return (stance for p in waiting for stance in _clear_of_sweep(robot, furniture, p, purpose == "open"))


def _clear_of_sweep(robot: RobotDescription, furniture: Entity, part: Articulation, opening: bool) -> Iterator[Stance]:
    """Stances whose base stays out of the way of the part as it moves."""
    for stance in part_stances(robot, part, opening):
        poses = stance.track or (stance.pose,)
        values = np.linspace(0.0, min(part.range, 1.48), len(poses)) if stance.track else (part.range,)
        if not any(_overlap(pose.apply(robot.footprint), part_outline(furniture, part, float(value)))
                   for pose, value in zip(poses, values, strict=True)):
            yield stance


def _at_surfaces(scene: Scene, robot: RobotDescription, furniture: Entity, relation: str, beside: str
                 ) -> Iterable[Stance] | SkillResult:
    graph = scene.graph
    wanted = [s for s in furniture.surfaces if relation in ("", "in" if s.inside else "on")]
    # Without a relation the open surfaces are meant, where there are any.
    surfaces = wanted if relation else [s for s in wanted if not s.inside] or wanted
    surfaces = [s for s in surfaces if s.height < robot.reach_height[1]]
    if not surfaces:
        return SkillResult(Code.TOO_FAR, f"{furniture.id} has no surface in reach of the arm; choose another",
                           target=furniture.id)
    others = np.array([e.position[:2] for e in graph.contents(furniture.id) if e.id != beside]).reshape(-1, 2)
    near = np.array(graph[beside].position[:2]) if beside else None
    return (stance for s in surfaces for stance in place_stances(robot, furniture, s, others, near))


def _in_room_of(scene: Scene, target_id: str, stances: Iterable[Stance]) -> Iterator[Stance]:
    """Stances on the target's side of the walls."""
    room = scene.graph.room_of(target_id)
    return (s for s in stances if room is None or inside(room.polygon, s.pose[:2]))


def _with_free_tracks(costmap: Costmap, scene: Scene, target_id: str, stances: Iterable[Stance]) -> list[Stance]:
    """Stances whose base runs into nothing along its track; the target's own parts are what moves there."""
    costmap.block(open_parts(scene.graph, without=target_id))
    return [s for s in stances if not s.track or not (costmap.collisions(np.array(s.track)) > 0).any()]


def _free(costmap: Costmap, stances: Sequence[Stance], avoid: Sequence[Pose2]) -> list[Stance]:
    """Stances that collide with nothing, priced also by the room there is."""
    if not stances:
        return []
    poses = np.array([s.pose for s in stances])
    clearance = costmap.clearance(costmap.footprint.at(poses, costmap.footprint.area)).min(axis=1)
    turning = costmap.clearance(poses[:, :2]) > costmap.footprint.circumscribed
    free = []
    for stance, gap, turns in zip(stances, clearance, turning, strict=True):
        if gap < _MARGIN:
            continue
        tried = sum(_alike(stance.pose, pose) for pose in avoid)
        free.append(Stance(stance.pose, stance.cost + _NO_TURNING * (not turns) + _TRIED * tried, stance.track))
    return free


def _cheapest_to_reach(costmap: Costmap, stances: Sequence[Stance], start: Pose2 | None) -> Pose2 | None:
    """The stance with the least cost, the way there included; looks along the sorted list until nothing can win."""
    if start is None:
        return stances[0].pose
    straight = [s.cost + _DRIVING * math.dist(s.pose[:2], start[:2]) for s in stances]
    best, best_cost, planned = None, math.inf, 0
    for i in np.argsort(straight, kind="stable"):
        if straight[i] >= best_cost or planned >= _ROUTES:
            break
        planned += 1
        try:
            length = sum(leg.length for leg in plan_route(costmap, start, stances[i].pose))
        except NoPath:
            continue
        cost = stances[i].cost + _DRIVING * length
        if cost < best_cost:
            best, best_cost = stances[i].pose, cost
    return best


def _alike(a: Pose2, b: Pose2) -> bool:
    return math.dist(a[:2], b[:2]) < 0.2 and abs(wrap(a.yaw - b.yaw)) < 0.5


def _overlap(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two convex polygons (N, 2), (M, 2) overlap: separating axes."""
    for polygon in (a, b):
        edges = np.roll(polygon, -1, axis=0) - polygon
        axes = np.stack([-edges[:, 1], edges[:, 0]], axis=1)
        pa, pb = a @ axes.T, b @ axes.T
        if ((pa.max(axis=0) < pb.min(axis=0)) | (pb.max(axis=0) < pa.min(axis=0))).any():
            return False
    return True
