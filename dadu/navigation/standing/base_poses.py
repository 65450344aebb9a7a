"""Where a robot could stand for what it wants to do: candidates with costs, before the map has its say.

The arm reaches out along `RobotDescription.arm_direction`: a stance points it into the furniture, from a side that is
open to it, at a distance that leaves the arm room to extend and to draw back.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

import numpy as np

from dadu.core.geometry import Pose2, Vector2, wrap
from dadu.core.robot import RobotDescription
from dadu.robots.manipulator_settings import PickSettings
from dadu.world.boxes import OrientedBox
from dadu.world.graph import Articulation, Entity, Surface
from dadu.world.handles import LEAF_END

LATERAL = (0.0, 0.1, -0.1, 0.2, -0.2, 0.3, -0.3)
"""offsets along base x that pick and place can make up for [m]"""
FOLDING = 0.12
"""farther than the base a hand that swings past its end reaches while it is folded or unfolded [m]"""
HELD_OUT = 0.45
"""what is held out to somebody is so far before their middle [m]"""
TAKEN_FROM_ABOVE = PickSettings().top_only_below
"""what is lower than this is [m]"""
_LOWERED_COST = 10.0  # a metre beyond what lowered fingers reach
_SPARE = 0.06  # of the way that makes up for an offset: manipulation keeps off what the laser sees [m]
_COMFORT = (0.12, 0.27)  # beyond the nearest reach: room to draw back, and for grasps from above [m]
_CORNER_COST = 0.8  # of reaching over a corner, beside that of the front
_SIDE_COST, _LATERAL_COST, _DISTANCE_COST, _SPARE_COST = 0.4, 1.0, 2.0, 5.0
_EDGE = 0.03  # kept free around what is put down [m]
_ROOMY, _CROWDED = 0.15, 1.0  # room beside it that is worth looking for [m]; cost of less than is needed
_BEHIND = 0.12  # second row of what is put down [m]
_SMALL = 0.8  # a width that is looked at closely [m]
_TURNS, _TURN_COST = (0.0, 0.3, -0.3), 1.0  # into a container [rad]
_ASKEW = 0.15  # from parallel to the furniture, standing well enough already [rad]
_LOOK, _LOOK_BEST, _LOOK_INSIDE = (0.7, 1.7), 0.9, 0.8  # from the target to base_link [m]
_WHOLE, _WHOLE_BEST = (1.0, 2.1), 1.4  # and where all of it is to be in the picture
_SWEEP = 1.48  # greatest angle that manipulation turns a hinge to [rad]
_AJAR = 0.1  # less than this a hinged part is shut for whoever moves it [rad]
_HALF, _HALF_COST = 5, 2.0  # of the eight values of a hinge, after which it can be opened wider from behind
_FAR_OPEN, _BEFORE_END = 0.9, 0.06  # [rad]; between a hand that is drawn in and the end of a leaf [m]
_WRIST = 0.24  # from a bar handle out to the wrist, gripping it [m]
_PUSH = 0.40  # from the hinge, where a hinged part is pushed shut [m]
_DRAWER = 0.02  # kept from the ends of the arm's reach: where the base comes to stand is not exact [m]
_DOOR = (0.235, 0.015)  # from a hinged front to base_link: more than the nearest reach, less than the farthest [m]
_BESIDE, _ASIDE = (0.0, 0.03, -0.03), (0.1, -0.1, 0.17, -0.17)  # of the handle; where there is no room, farther [m]
_DOOR_BEST = 0.435  # beyond the nearest reach: nearer, the wrist has no room left half way through the turn [m]

_Point: TypeAlias = Vector2 | np.ndarray
"""(2,) [m] in map"""


@dataclass(frozen=True)
class BasePoseCandidate:
    """A pose of base_link in map, what speaks against it, and where the base goes from there."""

    pose: Pose2
    cost: float
    """in metres of driving that it would take to accept it"""
    track: tuple[Pose2, ...] = ()
    """poses that the base must be able to take while manipulating"""

    def with_added_cost(self, cost: float) -> BasePoseCandidate:
        """The same for so much more."""
        return BasePoseCandidate(self.pose, self.cost + cost, self.track)


def pick_base_poses(robot: RobotDescription, target: np.ndarray, support: Entity | None, inside: bool,
                    here: Pose2 | None, corners: bool = True) -> Iterator[BasePoseCandidate]:
    """For reaching a point `target` (2,) [m] in map that stands on or `inside` of `support`; staying `here` counts;
    `corners`: over those of `support`, too."""
    for direction, cost in (_approaches if corners else _directions)(support, inside):
        if here is not None:
            yield from _staying(robot, target, direction, cost, here)
        # Beside an open door there may be no room to stand parallel: the arm then reaches in at an angle.
        for turn in _TURNS if inside else (0.0,):
            yield from _reaching(robot, target, direction + turn, cost + _TURN_COST * abs(turn))


def top_grasp_base_poses(robot: RobotDescription, target: np.ndarray, height: float,
                         base_poses: Iterable[BasePoseCandidate]) -> Iterator[BasePoseCandidate]:
    """`base_poses` for a flat thing at `target` (2,) [m, map], `height` [m] up, which only lowered fingers take and put
    down: dear where they do not get there."""
    from dadu.motion.reach_map import lowered_reach  # kinematics take 50 MB, and most who ask do not need them
    farthest = lowered_reach(robot, round(height, 1))
    for stance in base_poses:
        arm = Pose2(stance.pose.x, stance.pose.y, stance.pose.yaw + robot.arm_direction)
        beyond = float(arm.inverse().apply(target)[0]) - farthest
        yield stance.with_added_cost(_LOWERED_COST * max(0.0, beyond))


def place_base_poses(robot: RobotDescription, furniture: Entity, surface: Surface, others: Sequence[OrientedBox],
                  held: tuple[float, float, float], beside: np.ndarray | None) -> Iterator[BasePoseCandidate]:
    """For putting something of size `held` [m] on `surface`, clear of `others`, near to `beside` (2,) [m, map]."""
    narrow, wide = sorted(held[:2])
    for outward, cost in _directions(furniture, surface.inside):
        out, along = _unit(outward), _unit(outward + math.pi / 2)
        local = round((outward - surface.pose.yaw) / (math.pi / 2)) % 2
        depth, width = surface.size if local == 0 else surface.size[::-1]
        half, margin, step = width / 2, min(0.1, narrow / 2 + _EDGE), 0.05 if width < _SMALL else 0.1
        for inset in _insets(depth, bool(others)):
            for shift in np.arange(margin - half, half - margin + 1e-3, step) if half > margin else (0.0,):
                spot = surface_centre(furniture, surface) + (depth / 2 - inset) * out + shift * along
                room = _room(spot, others, (wide - narrow) / 2 * out, narrow / 2)
                crowd = 2 * max(0.0, _ROOMY - room) + _CROWDED * (room < _EDGE)
                away = 0.0 if beside is None else float(np.linalg.norm(beside - spot))
                found = _reaching(robot, spot, outward, cost + crowd + 3 * away + 0.1 * abs(shift), (0.0,))
                if held[2] < TAKEN_FROM_ABOVE:
                    found = top_grasp_base_poses(robot, spot, surface.height, found)
                yield from found


def _insets(depth: float, crowded: bool) -> tuple[float, ...]:
    """How far behind the edge things go [m]: near it, and where others stand, also farther in."""
    first = min(max(depth / 2, 0.12), 0.2)
    return (first, first + _BEHIND) if crowded and first + _BEHIND < depth / 2 else (first,)


def _room(spot: np.ndarray, others: Sequence[OrientedBox], reach: np.ndarray, radius: float) -> float:
    """Between `others` and what lies at `spot` (2,) [m, map], `radius` wide, and `reach` (2,) long to either side."""
    middles = np.array([spot - reach, spot, spot + reach])
    return min((float(box.away(middles).min()) for box in others), default=math.inf) - radius


def _unit(direction: float) -> np.ndarray:
    return np.array([math.cos(direction), math.sin(direction)])


def surface_centre(furniture: Entity, surface: Surface) -> np.ndarray:
    """(2,) [m] in map: where the middle of a surface is now, a drawer's bottom having moved with the drawer."""
    part = furniture.part_of(surface)
    moved = np.array(part.axis[:2]) * part.value if part is not None and part.kind == "slide" else np.zeros(2)
    return np.array(surface.pose[:2]) + moved


def part_base_poses(robot: RobotDescription, part: Articulation, opening: bool) -> Iterator[BasePoseCandidate]:
    """For opening or closing a part: arm side to its front, level with the handle."""
    normal = np.array(part.normal[:2])
    outward = math.atan2(normal[1], normal[0])
    handle = np.array(part.handle[:2])
    if part.kind == "slide":
        # Pulled out by drawing the arm in, the base still: all of the range has to fit into the arm's, or most of it.
        far = robot.reach[1] - _DRAWER
        near = min(robot.reach[0] + _DRAWER + part.range, far - 2 * _DRAWER)
        for distance in np.linspace(near, far, 5):
            spare = abs(float(distance) - (near + far) / 2)
            for lateral in (0.0, 0.05, -0.05, 0.1, -0.1):
                cost = _SPARE_COST * spare + 3 * abs(lateral)
                yield BasePoseCandidate(_pose(robot, handle, outward, float(distance), lateral), cost)
        return
    front = handle - normal * (normal @ (handle - np.array(part.origin[:2])))
    offsets = hinge_track(part, opening)
    nearest, farthest = robot.reach[0] + _DOOR[0], robot.reach[1] - _DOOR[1]
    best = min(robot.reach[0] + _DOOR_BEST, farthest)
    for distance in np.linspace(min(nearest, farthest), farthest, 7):
        comfort = abs(float(distance) - best)
        for lateral in (*_BESIDE, *_ASIDE):
            track = tuple(_pose(robot, front, outward, float(distance), float(o) + lateral) for o in offsets)
            cost = 2 * comfort + abs(lateral) + (1.0 if lateral in _ASIDE else 0.0)
            yield BasePoseCandidate(track[0], cost, track if opening else (*track, robot.shifted(track[0], FOLDING)))
            if opening:
                yield BasePoseCandidate(track[0], cost + _HALF_COST, track[:_HALF])
    if not opening and part.value > _FAR_OPEN:
        yield from _leaf_end_base_poses(robot, part, outward)


def _leaf_end_base_poses(robot: RobotDescription, part: Articulation, outward: float) -> Iterator[BasePoseCandidate]:
    """For closing a hinged part from farther off, with the hand beside the end of its leaf."""
    hinge, normal = np.array(part.origin[:2]), np.array(part.normal[:2])
    arm = np.array(part.handle[:2]) - hinge
    arm = arm - normal * (normal @ arm)
    length = float(np.linalg.norm(arm)) + LEAF_END
    end = hinge + arm / np.linalg.norm(arm) * length * math.cos(part.value)
    for extra, lateral in product((0.0, 0.06, 0.12), (0.0, 0.06, -0.06)):
        distance = length + robot.reach[0] + _BEFORE_END + extra
        pose = _pose(robot, end, outward, distance, lateral)
        yield BasePoseCandidate(pose, _HALF_COST + extra + abs(lateral), (pose, robot.shifted(pose, FOLDING)))


def hinge_values(part: Articulation, opening: bool) -> np.ndarray:
    """(8,) [rad] that manipulation leads a hinged part through, from where it stands: to as open as it is turned, or
    till it is shut."""
    top = min(part.range, _SWEEP)
    if opening:
        return np.linspace(min(part.value, top) if part.value > _AJAR else 0.0, top, 8)
    return np.linspace(part.value if part.value > _AJAR else top, 0.0, 8)


def hinge_track(part: Articulation, opening: bool) -> np.ndarray:
    """(8,) [m] how far beside the closed handle, along the outward normal turned by +90 degrees, the base has to stand
    while the hand pulls a hinged part open by its bar, or pushes it shut nearer to the hinge."""
    return np.array([wrist_offset(part, value, opening) for value in hinge_values(part, opening)])


def wrist_offset(part: Articulation, value: float, opening: bool) -> float:
    """How far beside the closed handle the wrist is when a hinged part stands at `value` [rad], as in `hinge_track`."""
    hinge, handle, normal = (np.array(v[:2]) for v in (part.origin, part.handle, part.normal))
    along, arm = np.array([-normal[1], normal[0]]), handle - hinge
    lever = arm if opening else arm * min(1.0, _PUSH / float(np.linalg.norm(arm)))
    c, s = math.cos(np.sign(part.axis[2]) * value), math.sin(np.sign(part.axis[2]) * value)
    return float(along @ (np.array([[c, -s], [s, c]]) @ (lever + _WRIST * normal) - arm))


def look_base_poses(robot: RobotDescription, target: _Point, furniture: Entity | None, inside: bool
                    ) -> Iterator[BasePoseCandidate]:
    """For seeing what is at `target` (2,) [m] in map; the arm side towards it, as for what may follow."""
    best, aside = (_LOOK_INSIDE, (0.0, 0.1, -0.1)) if inside else (_LOOK_BEST, (0.0,))
    for direction, cost in _directions(furniture, inside):
        for turn, offset in product((0.0, 0.4, -0.4), aside):
            for distance in np.arange(*_LOOK, 0.1):
                yield BasePoseCandidate(_pose(robot, target, direction + turn, float(distance), offset),
                             0.5 * cost + 0.3 * abs(turn) + abs(float(distance) - best) + abs(offset))


def agent_base_poses(robot: RobotDescription, agent: Entity) -> Iterator[BasePoseCandidate]:
    """For holding something out to somebody, `HELD_OUT` before them, from any side."""
    for direction in np.arange(0.0, 2 * math.pi, math.pi / 8).tolist():
        yield from _reaching(robot, np.array(agent.position[:2]) + HELD_OUT * _unit(direction), direction, 0.0, (0.0,))


def whole_view_base_poses(robot: RobotDescription, piece: Entity) -> Iterator[BasePoseCandidate]:
    """For seeing what a piece is, as far from it as shows it whole; from all round, since its front is not known."""
    for direction, cost in _directions(None, False):
        for distance in np.arange(*_WHOLE, 0.1):
            yield BasePoseCandidate(_pose(robot, piece.position[:2], direction, float(distance), 0.0),
                         cost + abs(float(distance) - _WHOLE_BEST))


def _directions(furniture: Entity | None, inside: bool) -> list[tuple[float, float]]:
    """Sides to come from: yaw in map out of the furniture, and cost. The front alone where the rest is closed."""
    if furniture is None:
        return [(i * math.pi / 4, 0.0) for i in range(8)]
    front = furniture.yaw
    if inside and furniture.parts:
        return [(front, 0.0)]
    return [(front, 0.0), *((front + i * math.pi / 2, _SIDE_COST) for i in (1, 2, 3))]


def _approaches(support: Entity | None, inside: bool) -> list[tuple[float, float]]:
    """`_directions`, and those between them: of what stands in a corner no side may have floor before it."""
    sides = _directions(support, inside)
    if support is None or inside:
        return sides
    return sides + [(direction + math.pi / 4, _CORNER_COST) for direction, _ in sides]


def _reaching(robot: RobotDescription, target: _Point, outward: float, cost: float,
              lateral: Iterable[float] = LATERAL) -> Iterator[BasePoseCandidate]:
    nearest, farthest = robot.reach
    at = _poses(robot, target, outward)
    for distance in np.arange(nearest + 0.05, farthest - 0.03, 0.05).tolist():
        for offset in lateral:
            pose = at(distance, offset)
            # An offset is made up for by driving: the way must be free, beside an open door it is not.
            track = (pose, at(distance, -math.copysign(_SPARE, offset))) if offset else ()
            yield BasePoseCandidate(pose, cost + _reaching_cost(robot, distance, offset), track)


def _staying(robot: RobotDescription, target: _Point, outward: float, cost: float, here: Pose2
             ) -> Iterator[BasePoseCandidate]:
    """The pose that the base has already, if the arm reaches from it."""
    if abs(wrap(here.yaw - _pose(robot, target, outward, 0.0, 0.0).yaw)) > _ASKEW:
        return
    ahead = Pose2(here.x, here.y, here.yaw + robot.arm_direction).inverse().apply(target)
    distance, offset = float(ahead[0]), float(ahead[1])
    if robot.reach[0] <= distance <= robot.reach[1] - 0.03 and abs(offset) <= max(LATERAL):
        aside, way = robot.arm_direction + math.pi / 2, offset + math.copysign(min(_SPARE, abs(offset)), offset)
        beyond = here * Pose2(way * math.cos(aside), way * math.sin(aside), 0.0)
        yield BasePoseCandidate(here, cost + _reaching_cost(robot, distance, offset), (here, beyond))


def _reaching_cost(robot: RobotDescription, distance: float, offset: float) -> float:
    nearest = robot.reach[0]
    strain = max(nearest + _COMFORT[0] - distance, distance - nearest - _COMFORT[1], 0.0)
    return _DISTANCE_COST * strain + _LATERAL_COST * abs(offset)


def _pose(robot: RobotDescription, target: _Point, outward: float, distance: float, along: float) -> Pose2:
    """Base pose with the arm pointing at `target` against `outward`, `distance` away, shifted by `along` [m] in the
    direction of `outward` + 90 degrees."""
    return _poses(robot, target, outward)(distance, along)


def _poses(robot: RobotDescription, target: _Point, outward: float) -> Callable[[float, float], Pose2]:
    """`_pose` by distance and shift."""
    x, y, c, s = float(target[0]), float(target[1]), math.cos(outward), math.sin(outward)
    yaw = math.remainder(outward + math.pi - robot.arm_direction, 2 * math.pi)
    return lambda distance, along: Pose2(x + distance * c - along * s, y + distance * s + along * c, yaw)
