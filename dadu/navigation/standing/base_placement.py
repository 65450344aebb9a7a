"""Where to stand for what follows: the cheapest stance that is free, reachable, and suits the skill."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import compress

import numpy as np

from dadu.core.errors import choices
from dadu.core.geometry import Pose2, Vector2, wrap
from dadu.core.robot import RobotDescription
from dadu.navigation.costmap import Costmap, CostmapSettings
from dadu.navigation.path_planner import NoPath, Reason
from dadu.navigation.route import plan_route
from dadu.navigation.standing.base_poses import TAKEN_FROM_ABOVE, BasePoseCandidate
from dadu.navigation.standing.candidates import candidates
from dadu.navigation.standing.from_here import stand_here
from dadu.navigation.standing.open_parts import open_parts, open_pieces, shut_copy
from dadu.robots.manipulator_settings import PickSettings
from dadu.skills.outcome import Code, Detail, SkillResult
from dadu.skills.scene import Scene
from dadu.skills.specification import PURPOSES
from dadu.world.graph import ROBOT, Entity, Kind, WorldGraph, points_in_polygon
from dadu.world.occupancy import UNKNOWN

_MARGIN = 0.03  # between outline and obstacles, for localisation and control errors [m]
_NO_TURNING = 0.5  # cost of a place without room to turn
_DRIVING = 0.15  # cost of a metre on the way
_SETTING_OFF = 0.4  # cost of driving at all: turning away and back again
_ASIDE = 1.0  # cost of a metre between the stance and the side to work from
_TRIED = 3.0  # cost of a stance that did not work out before, or of a side where something is in the arm's way
_ALIKE = 0.2  # between stances that are as good as one [m]
_FADING = 0.4  # beyond that, where any part of a table will do: rather its other end, or another side [m]
_MANOEUVRE = 0.2  # by which the ways to neighbouring stances may differ, beside the distance between them [m]
_SIDES, _SAME_SIDE = 4, 0.5  # sides that are asked about; directions that are one [rad]
_ROUTES = 12  # stances whose way is planned before giving up
_SUSPECTS = 3  # of what stands open, the nearest that may be in the way
_ALONG = np.linspace(0.0, 1.0, 41)[:, None, None]  # of the line between two points, closer than a wall is thick
_WALL = 50  # of an occupancy map, what is taken for occupied
_OFF = 0.1  # by which furniture may stand beside where memory has it, or a handle out of it [m]


def place_base(scene: Scene, robot: RobotDescription, target_id: str, purpose: str, *, relation: str = "",
               part: str = "", next_to: str = "", start: Pose2 | None = None, avoid: Sequence[Pose2] = (),
               towards: Vector2 | None = None) -> Pose2 | SkillResult:
    """Where base_link should stand in map to do `purpose` (see `PURPOSES`) with an object, furniture or a room.

    `relation` (on, in) and `next_to` (id) narrow down where a place goes, `part` what is opened. The way is planned
    from `start`, by default from where the graph has the robot. Poses in `avoid` were tried in vain and cost more, as
    do those that are far from `towards` (2,) [m, map], the side to work from. A base that is fixed stands where it is.
    Returns a SkillResult when there is none: UNKNOWN_TARGET, NOT_INTERACTIVE, TOO_FAR (with open_in_the_way and what
    stands open as target, where shutting that would help; with unseen, where there may be a place once more was seen),
    or EXECUTION_FAILED with path_blocked; UNREACHABLE_BACKEND without a map.
    """
    if purpose not in PURPOSES:
        raise ValueError(f"unknown purpose {purpose!r}; valid: {choices(PURPOSES)}")
    here = start or (scene.graph[ROBOT].pose if ROBOT in scene.graph else None)
    if robot.fixed and here is not None and target_id in scene.graph:
        return stand_here(robot, scene.graph, scene.graph[target_id], purpose, part, here)

    def place(graph: WorldGraph, settings: CostmapSettings | None = None, shut_in: bool = False) -> Pose2 | SkillResult:
        return _placed(replace(scene, graph=graph), robot, target_id, purpose, relation, part, next_to, start, avoid,
                       towards, settings, shut_in)

    found = place(scene.graph)
    if isinstance(found, SkillResult) and (found.code is Code.TOO_FAR or found.detail == Detail.PATH_BLOCKED) \
            and found.detail != Detail.UNSEEN:
        blocked = found.detail == Detail.PATH_BLOCKED
        found = _open_in_the_way(scene.graph, target_id, place) or _unseen_floor(scene, target_id, place) or found
        if blocked and found.detail == Detail.PATH_BLOCKED and open_parts(scene.graph):
            found = place(scene.graph, shut_in=True)
    return found


def _open_in_the_way(graph: WorldGraph, target_id: str, place: Callable[[WorldGraph], Pose2 | SkillResult]
                     ) -> SkillResult | None:
    """Names what stands open and, were it shut, would leave room; None where that helps nothing. What the target is in
    has to stand open."""
    support = graph.support(target_id)
    meant = target_id, support.object if support is not None else ""
    near = [piece.id for piece in open_pieces(graph, graph[target_id].position[:2]) if piece.id not in meant]
    for id in near[:_SUSPECTS]:
        if isinstance(place(shut_copy(graph, id)), Pose2):
            return SkillResult(Code.TOO_FAR, f"{id} stands open where there is room to stand for {target_id}; close "
                               f"{id} first", Detail.OPEN_IN_THE_WAY, id)
    return None


def _unseen_floor(scene: Scene, target_id: str, place: Callable[[WorldGraph, CostmapSettings], Pose2 | SkillResult]
                      ) -> SkillResult | None:
    """UNSEEN where there is room, or a way, if only the floor that was not seen yet is free; None else."""
    unseen = scene.map is not None and bool((scene.map.grid == UNKNOWN).any())
    if unseen and isinstance(place(scene.graph, CostmapSettings(unknown_blocks=False)), Pose2):
        return SkillResult(Code.TOO_FAR, f"too little of the floor about {target_id} has been seen to say where to "
                           "stand; look from nearer, or explore", Detail.UNSEEN, target_id)
    return None


def _placed(scene: Scene, robot: RobotDescription, target_id: str, purpose: str, relation: str, part: str,
            next_to: str, start: Pose2 | None, avoid: Sequence[Pose2], towards: Vector2 | None,
            settings: CostmapSettings | None, shut_in: bool) -> Pose2 | SkillResult:
    """`place_base` in a scene as it is. `shut_in`: by doors that stand open, as memory has them, which may be a little
    off; whether there is a way past them laser and camera have to see."""
    if scene.map is None:
        return SkillResult(Code.UNREACHABLE_BACKEND, "there is no map yet; try again soon")
    if target_id not in scene.graph:
        return SkillResult(Code.UNKNOWN_TARGET, f"{target_id!r} is not known; known: {choices(scene.graph.entities)}")
    start = start or (scene.graph[ROBOT].pose if ROBOT in scene.graph else None)
    found = candidates(scene, robot, scene.graph[target_id], purpose, relation, part, next_to, start)
    if isinstance(found, SkillResult):
        return found
    if towards is not None:
        found = [s.with_added_cost(_ASIDE * math.dist(s.pose[:2], towards)) for s in found]
    costmap = Costmap(scene.map, robot, settings)
    here = _free_tracks_only(costmap, scene, target_id, _this_side_of_walls(scene, scene.graph[target_id], found))
    costmap.block(open_parts(scene.graph))
    fading = _FADING if purpose == "place" else 0.0
    free = sorted(_free(costmap, here, avoid, start, fading), key=lambda stance: stance.cost)
    if not free:
        return SkillResult(Code.TOO_FAR, f"there is no free place to stand from which {target_id} is in reach; "
                           "choose another target or clear the space before it", target=target_id)
    if shut_in:
        costmap.block(())
    length = None if start is None else _length_from(costmap, start)
    best = _cheapest_to_reach(free, start, length)
    if purpose == "pick" and scene.graph[target_id].kind is Kind.OBJECT:
        best = _past_neighbours(robot, scene.graph, scene.graph[target_id], best, free, start, length)
    return best or SkillResult(Code.EXECUTION_FAILED, f"no way leads to a place at {target_id}; choose another target "
                               "or have the way cleared", Detail.PATH_BLOCKED, target_id)


def _this_side_of_walls(scene: Scene, target: Entity, base_poses: Iterable[BasePoseCandidate]
                        ) -> list[BasePoseCandidate]:
    """Poses in the target's room; where rooms are the robot's own guess, those from which a straight line leads to the
    target over nothing but free floor and furniture."""
    found, room = list(base_poses), scene.graph.room_of(target.id)
    if scene.map is None or room is None or not found:
        return found
    places = np.array([s.pose[:2] for s in found])
    if room.provenance == "prior":
        return list(compress(found, points_in_polygon(room.polygon, places)))
    half = np.array(target.size[:2]) / 2
    nearest = target.pose.apply(np.clip(target.pose.inverse().apply(places), -half, half))
    lines = places + _ALONG * (nearest - places)
    walls = scene.map.at(lines) >= _WALL
    between = lines[walls]
    walls[walls] = ~np.any([piece.box.away(between) < _OFF for piece in scene.graph.of(Kind.FURNITURE)], axis=0)
    return [stance for stance, hits in zip(found, walls.T, strict=True) if not hits.any()]


def _free_tracks_only(costmap: Costmap, scene: Scene, target_id: str, base_poses: Sequence[BasePoseCandidate]
                      ) -> list[BasePoseCandidate]:
    """Poses whose base runs into nothing along its track; the target's own parts are what moves there."""
    costmap.block(open_parts(scene.graph, without=target_id))
    along = [(i, pose) for i, s in enumerate(base_poses) for pose in s.track]
    if not along:
        return list(base_poses)
    hits = costmap.collisions(np.array([pose for _, pose in along])) > 0
    blocked = {i for (i, _), hit in zip(along, hits, strict=True) if hit}
    return [s for i, s in enumerate(base_poses) if i not in blocked]


def _free(costmap: Costmap, base_poses: Sequence[BasePoseCandidate], avoid: Sequence[Pose2], start: Pose2 | None,
          fading: float) -> list[BasePoseCandidate]:
    """Stances that collide with nothing, priced also by the room there is. Where the robot stands already, at `start`,
    it needs none for errors of a drive."""
    if not base_poses:
        return []
    poses = np.array([s.pose for s in base_poses])
    clearance = costmap.clearance(costmap.footprint.at(poses, costmap.footprint.area)).min(axis=1)
    turning = costmap.clearance(poses[:, :2]) > costmap.footprint.circumscribed
    free = []
    for stance, gap, turns in zip(base_poses, clearance, turning, strict=True):
        if gap < _MARGIN and (stance.pose != start or gap <= 0.0):
            continue
        tried = sum(_likeness(stance.pose, pose, fading) for pose in avoid)
        free.append(stance.with_added_cost(_NO_TURNING * (not turns) + _TRIED * tried))
    return free


def _length_from(costmap: Costmap, start: Pose2) -> Callable[[Pose2], float]:
    """The length of the way from `start` to a pose [m], each planned once; infinite where there is none; straight
    where the robot has to free itself first, which is the drive's business."""
    @cache
    def length(pose: Pose2) -> float:
        try:
            return sum(leg.length for leg in plan_route(costmap, start, pose))
        except NoPath as error:
            return math.dist(start[:2], pose[:2]) if error.reason is Reason.START_BLOCKED else math.inf
    return length


def _cheapest_to_reach(base_poses: Sequence[BasePoseCandidate], start: Pose2 | None,
                       length: Callable[[Pose2], float] | None) -> Pose2 | None:
    """The stance with the least cost, the way there included; looks along the sorted list until nothing can win, and
    plans no way to where a neighbour's shows that it would be too long."""
    if start is None or length is None:
        return base_poses[0].pose
    fixed = [s.cost + _SETTING_OFF * (s.pose != start) for s in base_poses]
    straight = [cost + _DRIVING * math.dist(s.pose[:2], start[:2]) for cost, s in zip(fixed, base_poses, strict=True)]
    places = np.array([s.pose[:2] for s in base_poses])
    least = np.zeros(len(base_poses))  # of the way to each, as its neighbours' ways show [m]
    best, best_cost, planned = None, math.inf, 0
    for i in np.argsort(straight, kind="stable"):
        if straight[i] >= best_cost or planned >= _ROUTES:
            break
        if fixed[i] + _DRIVING * least[i] >= best_cost:
            continue
        planned += 1
        way = length(base_poses[i].pose)
        if math.isinf(way):
            continue
        least = np.maximum(least, way - np.linalg.norm(places - places[i], axis=1) - _MANOEUVRE)
        cost = fixed[i] + _DRIVING * way
        if cost < best_cost:
            best, best_cost = base_poses[i].pose, cost
    return best


def _past_neighbours(robot: RobotDescription, graph: WorldGraph, target: Entity, best: Pose2 | None,
                     free: Sequence[BasePoseCandidate], start: Pose2 | None,
                     length: Callable[[Pose2], float] | None) -> Pose2 | None:
    """`best`, or a stance on another side where things or furniture beside `target` are in the way of the arm from
    there; where they are from everywhere, `best`: memory may be a little off, and the skill looks for itself."""
    from dadu.motion.way_in import WayIn  # kinematics take 50 MB, and most who ask do not need them
    way_in = WayIn(robot, graph, target, flat=target.size[2] < TAKEN_FROM_ABOVE)
    first, drive = best, PickSettings().max_drive
    for _ in range(_SIDES):
        if best is None or not way_in.hindrance(best, (-drive, drive)):
            return best
        free = sorted((s.with_added_cost(_TRIED * (abs(wrap(s.pose.yaw - best.yaw)) < _SAME_SIDE)) for s in free),
                      key=lambda stance: stance.cost)
        best = _cheapest_to_reach(free, start, length)
    return first


def _likeness(a: Pose2, b: Pose2, fading: float) -> float:
    """1 where two stances are as good as one; it fades to 0 over `fading` [m] more between them."""
    if abs(wrap(a.yaw - b.yaw)) >= 0.5:
        return 0.0
    apart = math.dist(a[:2], b[:2]) - _ALIKE
    return float(apart < 0.0) if fading == 0.0 else min(max(1.0 - apart / fading, 0.0), 1.0)
