"""Putting down: survey, choose a spot that the arm reaches, hover, lower until it stands, let go, confirm."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

import numpy as np

from dadu.core.geometry import Pose2, inverse
from dadu.core.robot import Command, Observation
from dadu.manipulation import sight
from dadu.manipulation.clearance import Clearance
from dadu.manipulation.failure_memory import FailureMemory
from dadu.manipulation.grasp.synthesis import grasp_height
from dadu.manipulation.placing.contact import Touchdown
from dadu.manipulation.placing.free_spots import PlaceSpot, free_spots
from dadu.manipulation.placing.receptacle import PlaceGoal
from dadu.manipulation.reach import ReachEntry, plan_entry, unfold
from dadu.manipulation.room import drive_range, obstacles, seen
from dadu.robots import hand
from dadu.robots.body import Manipulator, SkillFailed
from dadu.robots.gaze import look_at, look_back
from dadu.robots.ik import NoSolution
from dadu.robots.kinematics import Posture
from dadu.robots.motion import Motion, move, wait
from dadu.robots.poses import heading_of, shifted, tilt_of, turned
from dadu.skills.outcome import Code, Detail
from dadu.skills.scene import Scene
from dadu.world.detection import DetectionFrame
from dadu.world.graph import Kind, Surface

TURNS = (0.0, 0.4, -0.4)
"""headings of the hand tried at a spot, from the arm's direction [rad]"""
TRIED = 25
"""spots planned for on a surface"""
RISES = (0.08, 0.16, 0.24, 0.32, 0.4)
"""higher starts of the descent, over the rim of a drawer or basket [m]"""
HELD = 0.08
"""aperture for which room is looked for with something in the hand [m]"""
BELOW = 0.06
"""how far below the expected height the descent may go on [m]: the object's size is an estimate"""
BACK = 0.10
"""straight back from what was let go [m]"""
STEP = 0.02
"""between postures of the descent [m]"""
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
    """the hand has to leave the way it came"""


def survey(body: Manipulator, observation: Observation, scene: Scene, goal: PlaceGoal,
           ) -> Generator[Command, Observation, tuple[Observation, DetectionFrame]]:
    """Looks at the part of the surface before the arm. Errors: SkillFailed (not_seen)."""
    surface, before = goal.surfaces[0], observation
    observation = yield from look_at(body, observation, _before_arm(body, observation.base_pose, surface, goal))
    since = observation.stamp
    observation = yield from sight.fresh(observation, scene, since, body.settings.pick.look_time)
    frame = sight.current(scene, since)
    if frame is None:
        raise SkillFailed(Code.EXECUTION_FAILED, "no picture came from the camera; try again", Detail.NOT_SEEN)
    return (yield from look_back(body, observation, before)), frame


def choose(body: Manipulator, observation: Observation, scene: Scene, goal: PlaceGoal, frame: DetectionFrame,
           failures: FailureMemory) -> Generator[Command, Observation, tuple[Observation, PlacePlan]]:
    """The best free spot that the arm can reach; plans one a tick. Errors: SkillFailed (no_free_space, ik_failed)."""
    points = np.concatenate([seen(body, observation, frame), _remembered(scene, goal)])
    points = points[~_in_hand(body, observation, points, goal)]
    robot, drive = body.robot, drive_range(body, observation)
    clearance = Clearance(body.kinematics, obstacles(body, observation, scene.graph, frame, None))
    any_free = False
    for surface in goal.surfaces:
        spots = free_spots(surface, goal.radius, goal.size[2], points, observation.base_pose, robot.arm_direction,
                           body.settings.place, goal.beside)
        any_free = any_free or bool(spots)
        spots.sort(key=lambda spot: spot.cost + failures.spot_cost(spot.position, observation.base_pose))
        for spot, rise in _tries(spots, surface):
            observation = yield Command()
            plan = _plan(body, observation, goal, spot, rise, drive, clearance)
            if plan is not None:
                return observation, plan
    if any_free:
        raise SkillFailed(Code.TOO_FAR, f"the arm cannot reach a free spot {goal.relation} {goal.receptacle.id} from "
                          f"here; go_to({goal.receptacle.id}) to stand better", Detail.IK_FAILED)
    beside = " near that object" if goal.beside else ""
    raise SkillFailed(Code.EXECUTION_FAILED, f"there is no free space{beside} {goal.relation} {goal.receptacle.id}; "
                      "move something away or choose another place", Detail.NO_FREE_SPACE)


def reach_over(body: Manipulator, observation: Observation, goal: PlaceGoal, plan: PlacePlan) -> Motion:
    """From folded to hovering. Errors: SkillFailed (OBJECT_LOST, arm_stalled)."""
    origin, entry = plan.entry.origin, plan.entry
    observation = yield from unfold(body, observation, entry)
    observation = yield from move(body, observation, entry.inward, origin)
    if not hand.holding(observation, body.robot, body.settings.gripper):
        raise SkillFailed(Code.OBJECT_LOST, f"{goal.name} fell from the hand on the way; look for it and pick it again",
                          target=goal.name)
    return observation


def lower(body: Manipulator, observation: Observation, goal: PlaceGoal, plan: PlacePlan) -> Motion:
    """Down until the support carries the object."""
    touchdown = Touchdown(body, plan.descent)
    observation = yield from move(body, observation, plan.descent, plan.entry.origin, patient=True,
                                  least=STEP * len(plan.descent) / body.settings.place.descend_speed, until=touchdown)
    return (yield from wait(observation, 0.1))


def release(body: Manipulator, observation: Observation, plan: PlacePlan) -> Motion:
    """Lets go and leaves what was let go, along the fingers or upwards. Errors: SkillFailed (arm_stalled)."""
    aperture = min(body.robot.aperture_max, observation.aperture + 0.07)
    observation = yield from hand.open_hand(body, observation, aperture)
    if plan.over_rim:
        back, origin = [plan.entry.goal, *reversed(plan.entry.inward)], plan.entry.origin
    else:
        back, origin = _backwards(body, observation), observation.base_pose
    observation = yield from move(body, observation, back, origin, patient=True)
    return (yield from hand.close_hand(body, observation))


def _backwards(body: Manipulator, observation: Observation) -> list[Posture]:
    here = body.posture(observation)
    T = body.kinematics.tool_at(here)
    try:
        return body.line(T, shifted(T, -BACK * T[:3, 0]), here, drive_range(body, observation))
    except NoSolution:
        return []  # drawn in already


def confirm(body: Manipulator, observation: Observation, scene: Scene, goal: PlaceGoal, plan: PlacePlan,
            ) -> Generator[Command, Observation, tuple[Observation, bool]]:
    """Looks whether the object stands where it was put."""
    place = plan.spot.position + (0.0, 0.0, goal.size[2] / 2)
    observation = yield from look_at(body, observation, place)
    since = observation.stamp

    def there(frame: DetectionFrame) -> bool:
        return any(d.label == goal.category and np.linalg.norm(d.centroid[:2] - place[:2]) < 0.12
                   and abs(d.points[:, 2].min() - plan.spot.surface.height) < max(0.05, 0.5 * goal.size[2])
                   for d in frame.detections)

    observation = yield from sight.fresh(observation, scene, since, 0.5 * body.settings.pick.look_time, there)
    frame = sight.current(scene, since)
    return observation, frame is not None and there(frame)


def _tries(spots: Sequence[PlaceSpot], surface: Surface) -> Iterator[tuple[PlaceSpot, float]]:
    """Spots, and how much higher than usual to hover; rims are there only around what is inside."""
    yield from ((spot, 0.0) for spot in spots[:TRIED])
    if surface.inside:
        yield from ((spot, rise) for rise in RISES for spot in spots[:TRIED:TRIED // 4])


def _plan(body: Manipulator, observation: Observation, goal: PlaceGoal, spot: PlaceSpot, rise: float,
          drive: tuple[float, float],
          clearance: Clearance) -> PlacePlan | None:
    """Hovering over the spot with the hand's tilt kept; None where the arm does not get there.

    Where a rim keeps the hand from following the object down, it lets it drop the rest.
    """
    settings = body.settings
    T_now = body.kinematics.tool(observation.joints)
    above, hover = grasp_height(goal.size[2], tilt_of(T_now), settings.gripper), settings.place.hover + rise
    if above + hover + BRACKET > spot.surface.clearance:
        return None
    position = inverse(observation.base_pose.matrix()) @ np.array([*spot.position, 1.0])
    for turn in TURNS:
        T = turned(T_now, body.robot.arm_direction + turn - heading_of(T_now))
        T[:3, 3] = position[:3] + (0.0, 0.0, above + hover)
        try:
            start = body.solve(T, body.ready(observation), drive)
            entry = plan_entry(body, observation, start, clearance, HELD)
            down = body.line(T, shifted(T, (0.0, 0.0, -hover - BELOW)), start, step=STEP)
        except NoSolution:
            continue
        free = list(takewhile(lambda posture: clearance.free([posture], HELD), down))
        if free and hover - STEP * len(free) <= settings.place.drop:
            return PlacePlan(spot, entry, tuple(free), over_rim=rise > 0 or len(free) < len(down))
    return None


def _before_arm(body: Manipulator, base: Pose2, surface: Surface, goal: PlaceGoal) -> np.ndarray:
    """(3,) [m, map]: the point of the surface nearest to where the arm would put something, or to the reference."""
    heading = base.yaw + body.robot.arm_direction
    wish = np.array(base[:2]) + 0.6 * np.array([np.cos(heading), np.sin(heading)])
    if goal.beside is not None:
        wish = goal.beside.box.centre[:2]
    half = np.array(surface.size) / 2 - 0.05
    local = np.clip(surface.pose.inverse().apply(wish), -half, half)
    return np.array([*surface.pose.apply(local), surface.height])


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


def _in_hand(body: Manipulator, observation: Observation, points: np.ndarray, goal: PlaceGoal) -> np.ndarray:
    """bool (N,): points of the hand and of what it holds."""
    tool = observation.base_pose.matrix() @ body.kinematics.tool(observation.joints)
    return np.linalg.norm(points - tool[:3, 3], axis=1) < max(goal.size) + 0.05
