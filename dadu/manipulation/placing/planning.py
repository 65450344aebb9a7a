"""Which free spot, and how the arm comes to hover over it: around what stands there, or over it."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

import numpy as np

from dadu.core.geometry import apply, inverse
from dadu.core.robot import Command, Observation
from dadu.manipulation.failure_memory import FailureMemory
from dadu.manipulation.grasp.synthesis import TILTS, grasp_height
from dadu.manipulation.placing.free_spots import STANDS, PlaceSpot, free_spots
from dadu.manipulation.placing.held import HeldExtent, box_in_hand, held_extent
from dadu.manipulation.placing.receptacle import PlaceGoal
from dadu.manipulation.room import ceiling, obstacles, room_to_fold, seen
from dadu.motion.model import body_model
from dadu.motion.plan import Blocked, ReachEntry, plan_entry
from dadu.motion.scene import CollisionScene
from dadu.robots import ik
from dadu.robots.body import Manipulator
from dadu.robots.ik import NoSolution
from dadu.robots.kinematics import Posture
from dadu.robots.poses import heading_of, shifted, tilt_of, tool_pose
from dadu.skills.outcome import Code, Detail, SkillFailed
from dadu.skills.scene import Scene
from dadu.world.detection import DetectionFrame
from dadu.world.graph import Kind, Surface

OFF = 0.06
"""by which memory may be wrong [m]"""
FLAT, MOST = 0.008, 0.8
"""what lies this close to one level is of it [m], and is so much of what is seen about there, at least"""
FEWEST = 60
"""points from which a level is told"""
_RIM = 0.03
"""at the edge of a surface nothing is told [m]"""


def levelled(surface: Surface, points: np.ndarray) -> Surface:
    """`surface` at the level on which most of `points` (N, 3) [m, map] above and below it lie; unmoved where that is
    not clear. Memory may have it a few centimetres off, and would take all of it for something that stands on it."""
    local = np.abs(surface.pose.inverse().apply(points[:, :2]))
    over = (local < np.array(surface.size) / 2 - _RIM).all(axis=1) & (np.abs(points[:, 2] - surface.height) < OFF)
    heights = np.sort(points[over, 2])
    if len(heights) < FEWEST:
        return surface
    within = np.searchsorted(heights, heights + 2 * FLAT, side="right") - np.arange(len(heights))
    first = int(within.argmax())
    if within[first] < MOST * len(heights):
        return surface
    return replace(surface, height=float(np.median(heights[first:first + within[first]])))


DEEP = 0.05
"""what is seen so far below a surface shows that there is none before it [m]"""
EDGE = 0.03
"""so near to its edge a surface may end earlier than it is known to: pixels there mix both [m]"""
FINE = 0.02
"""points nearer to each other than this are as good as one [m]"""


def holes(surface: Surface, points: np.ndarray, eye: np.ndarray) -> np.ndarray:
    """(M, 2) [m, map]: where the rays from the camera at `eye` (3,) [m, map] to what it sees, `points` (N, 3) [m, map],
    go through the surface; a basin's opening, or where the table ends. What is under a table is seen past its edge."""
    above = eye[2] - surface.height
    low = points[points[:, 2] < surface.height - DEEP]
    if above < DEEP or not len(low):
        return np.zeros((0, 2))
    share = above / (eye[2] - low[:, 2:])
    through = eye[:2] + share * (low[:, :2] - eye[:2])
    inside = (np.abs(surface.pose.inverse().apply(through)) < np.array(surface.size) / 2 - EDGE).all(axis=1)
    return np.asarray(np.unique(np.round(through[inside] / FINE), axis=0) * FINE)


TURNS = (0.0, 0.4, -0.4, 0.8, -0.8)
"""headings of the hand tried at a spot, from the arm's direction [rad]"""
TURNING = 0.15
"""cost of a radian of it, as `PlaceSpot.cost`"""
TRIED = 30
"""spots planned for on a surface"""
APART = 0.09
"""what is tried next is this far from all before: neighbours mostly fail alike [m]"""
RISES = (0.08, 0.16, 0.24, 0.32, 0.4)
"""higher starts of the descent, over the rim of a drawer or basket, or over what stands before the spot [m]"""
FEWER = 4
"""of so many spots one is tried from another height"""
STOOP = -0.05
"""a lower start, where a surface is as high as the arm reaches [m]"""
HELD = 0.08
"""aperture for which room is looked for with something in the hand [m]"""
BELOW = 0.06
"""how far below the expected height the descent may go on [m]: the object's size is an estimate"""
STEP = 0.02
"""between postures of the descent [m]"""
RIGHTS, LESS = 0.75, 0.2
"""share of the angle at which a box tips over: what is put down leans no more; tilts no farther apart are one [rad]"""
BRACKET = 0.08
"""room that the hand takes above the grasp centre [m]"""


@dataclass(frozen=True)
class PlacePlan:
    """A spot and how the arm comes to hover over it."""

    spot: PlaceSpot
    entry: ReachEntry
    descent: tuple[Posture, ...]
    """from hovering to below where the object should stand"""
    over_rim: bool = False
    """the hand has to leave the way it came: over a rim of furniture, or of what it holds"""


@dataclass(frozen=True)
class _Room:
    """What limits the way to a spot."""

    held: HeldExtent
    above: float
    """of the grasp centre over the underside of what is held, if it hangs upright [m]"""
    tilt: float
    """of the fingers below level [rad]"""
    drive: tuple[float, float]
    laden: CollisionScene
    """of the hand with what it holds"""
    bare: CollisionScene
    """of the hand alone: what it holds is lowered until it touches"""


def choose(body: Manipulator, observation: Observation, scene: Scene, goal: PlaceGoal, frame: DetectionFrame,
           failures: FailureMemory) -> Generator[Command, Observation, tuple[Observation, PlacePlan]]:
    """The best free spot that the arm can reach; plans one a tick. Errors: SkillFailed (no_free_space, collision,
    ik_failed)."""
    visible = seen(body, observation, frame)
    surfaces = [levelled(surface, visible) for surface in goal.surfaces]
    points = np.concatenate([visible, _remembered(scene, goal)])
    points = points[~_hand_points(body, observation, points, goal)]
    tilt = tilt_of(body.kinematics.tool(observation.joints))
    held = held_extent(goal.size, observation.aperture, tilt)
    spots = {surface: _spots(body, observation, goal, surface, held, _not_free(surface, points, frame), failures)
             for surface in surfaces}
    blocked: Blocked | None = None
    for lean in (0.0, *_leans(tilt, held, goal)):
        rooms = _rooms(body, observation, scene, goal, frame, surfaces, held, lean)
        for spot, rise in _tries(body, observation, spots, rooms):
            observation = yield Command()
            try:
                return observation, _plan(body, observation, spot, rise, rooms[spot.surface])
            except Blocked as why:
                blocked = blocked or why
            except NoSolution:
                continue
    where = f"{goal.relation} {goal.receptacle.id}"
    if blocked:
        raise SkillFailed(Code.EXECUTION_FAILED, f"things {where} leave the arm no room on its way to a free spot: "
                          f"{blocked}; go_to({goal.receptacle.id}) to stand elsewhere, or move them away",
                          Detail.COLLISION)
    if any(spots.values()):
        raise SkillFailed(Code.TOO_FAR, f"the arm cannot reach a free spot {where} from here; "
                          f"go_to({goal.receptacle.id}) to stand better", Detail.IK_FAILED)
    beside = " near that object" if goal.beside else ""
    raise SkillFailed(Code.EXECUTION_FAILED, f"there is no free space{beside} {where}; "
                      "move something away or choose another place", Detail.NO_FREE_SPACE)


def _leans(tilt: float, held: HeldExtent, goal: PlaceGoal) -> list[float]:
    """By how much less steeply than it grasped, `tilt` [rad] below level, the hand may put down what then leans [rad]:
    a hand that points down gets under no board."""
    most = RIGHTS * float(np.arctan2(held.along, goal.size[2]))
    return [tilt - less for less in reversed(TILTS) if LESS < tilt - less < most]


def _rooms(body: Manipulator, observation: Observation, scene: Scene, goal: PlaceGoal, frame: DetectionFrame,
           surfaces: Sequence[Surface], held: HeldExtent, lean: float) -> dict[Surface, _Room]:
    T_now, height = body.kinematics.tool(observation.joints), goal.size[2]
    above, tilt = grasp_height(height, tilt_of(T_now), body.settings.gripper), tilt_of(T_now) - lean
    ends = held.along / 2 * float(np.sin(lean))  # the near one hangs lower, and the far one higher
    held = replace(held, droop=held.droop + ends)
    points = obstacles(body, observation, scene.graph, frame, None)
    points = points[~_hand_points(body, observation, apply(observation.base_pose.matrix(), points), goal)]
    load = box_in_hand(tool_pose(T_now[:3, 3], heading_of(T_now), tilt), held, height + ends, above)
    model = body_model(body.kinematics)
    drive = room_to_fold(body, observation, body.settings.pick.max_drive)
    rooms = {}
    for surface in surfaces:
        bare = CollisionScene(model, ceiling(observation.base_pose, surface), points)
        rooms[surface] = _Room(held, above, tilt, drive, bare.carrying(load), bare)
    return rooms


def _spots(body: Manipulator, observation: Observation, goal: PlaceGoal, surface: Surface, held: HeldExtent,
           points: np.ndarray, failures: FailureMemory) -> list[PlaceSpot]:
    """On one surface, with the hand turned each way: the best first."""
    base, found = observation.base_pose, []
    for turn in TURNS:
        spots = free_spots(surface, held, base.yaw + body.robot.arm_direction + turn, goal.size[2], points, base,
                           body.robot.arm_direction, body.settings.place, goal.beside)
        found += [replace(spot, cost=spot.cost + TURNING * abs(turn) + failures.spot_cost(spot.position, base))
                  for spot in spots]
    return sorted(found, key=lambda spot: spot.cost)


def _tries(body: Manipulator, observation: Observation, spots: Mapping[Surface, Sequence[PlaceSpot]],
           rooms: Mapping[Surface, _Room]) -> Iterator[tuple[PlaceSpot, float]]:
    """Spots, and how much higher than usual to hover: as usual on every surface first; nothing beyond the arm's height.
    """
    spread = {surface: _spread(found) for surface, found in spots.items() if found}
    for rises, every in (((0.0,), 1), (RISES, FEWER), ((STOOP,), FEWER)):
        for surface, found in spread.items():
            for rise in rises:
                if _within_height(body, observation, surface, rise, rooms[surface]):
                    yield from ((spot, rise) for spot in found[::every])


def _within_height(body: Manipulator, observation: Observation, surface: Surface, rise: float, room: _Room) -> bool:
    """True if the hand, tilted as in `room`, hovers over the surface anywhere, and has room there."""
    up = room.above + room.held.droop + body.settings.place.hover + rise
    if up + BRACKET > surface.clearance:
        return False
    heading = heading_of(body.kinematics.tool(observation.joints))
    T = tool_pose((0.0, 0.0, surface.height + up), heading, room.tilt)
    try:
        ik.solve(body.kinematics, T, body.ready(observation), rows=ik.HEIGHT_AND_ROTATION, settings=body.settings.ik)
    except NoSolution:
        return False
    return True


def _spread(spots: Sequence[PlaceSpot]) -> list[PlaceSpot]:
    """As many as are tried, the best of each neighbourhood first."""
    first: list[PlaceSpot] = []
    for spot in spots:
        if len(first) == TRIED:
            break
        if all(spot.heading != other.heading or np.hypot(*(spot.position - other.position)[:2]) > APART
               for other in first):
            first.append(spot)
    taken = set(map(id, first))
    return [*first, *(spot for spot in spots[:TRIED] if id(spot) not in taken)][:TRIED]


def _plan(body: Manipulator, observation: Observation, spot: PlaceSpot, rise: float, room: _Room) -> PlacePlan:
    """Hovering over the spot with the hand tilted as in `room`.

    Where a rim keeps the hand from following the object down, it lets it drop the rest. Errors: NoSolution where the
    arm does not get there, Blocked where something is in its way.
    """
    place, hover = body.settings.place, body.settings.place.hover + room.held.droop + rise
    over = spot.position - room.held.middle(spot.heading)
    T = tool_pose(apply(inverse(observation.base_pose.matrix()), over) + (0.0, 0.0, room.above + hover),
                  spot.heading - observation.base_pose.yaw, room.tilt)
    start = body.solve(T, body.ready(observation), room.drive)
    entry = plan_entry(body, body.posture(observation), observation.base_pose, start, room.laden, HELD)
    down = body.line(T, shifted(T, (0.0, 0.0, -hover - BELOW)), start, step=STEP)
    free = list(takewhile(lambda posture: room.bare.free([posture], HELD), down))
    if not free or hover - STEP * len(free) > (place.drop if spot.surface.inside else place.hover):
        raise Blocked("something keeps the hand from following down what it holds")
    return PlacePlan(spot, entry, tuple(free), rise > 0 or room.held.droop > 0 or len(free) < len(down))


def _not_free(surface: Surface, points: np.ndarray, frame: DetectionFrame) -> np.ndarray:
    """`points` (N, 3) [m, map] and what stands for the holes in a surface: things on it."""
    through = holes(surface, points, frame.T_map_camera[:3, 3])
    return np.concatenate([points, np.column_stack([through, np.full(len(through), surface.height + 2 * STANDS)])])


def _remembered(scene: Scene, goal: PlaceGoal) -> np.ndarray:
    """(N, 3) [m, map]: outlines of what the graph has on the receptacle, seen now or not."""
    points = [np.zeros((0, 3))]
    for entity in scene.graph.contents(goal.receptacle.id):
        if entity.kind is not Kind.OBJECT or entity.id == goal.name:
            continue
        angle = np.linspace(0.0, 2 * np.pi, 12, endpoint=False)
        ring = float(min(entity.size[:2])) / 2 * np.column_stack([np.cos(angle), np.sin(angle)])
        points.append(np.column_stack([ring + entity.position[:2], np.full(12, entity.position[2])]))
    return np.concatenate(points)


def _hand_points(body: Manipulator, observation: Observation, points: np.ndarray, goal: PlaceGoal) -> np.ndarray:
    """bool (N,): points of the hand and of what it holds."""
    tool = observation.base_pose.matrix() @ body.kinematics.tool(observation.joints)
    return np.linalg.norm(points - tool[:3, 3], axis=1) < max(goal.size) + 0.05
