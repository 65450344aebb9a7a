"""A drive from pose to pose as legs: out of where there is no room to turn, along a path, and into such a place."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from dadu.core.geometry import Pose2, wrap
from dadu.navigation.costmap import Costmap
from dadu.navigation.footprint import resample
from dadu.navigation.manoeuvre import turning_place_path
from dadu.navigation.path_planner import SPACING, NoPath, Reason, plan_path

_SHORT = 1.5  # longest path that may be driven backwards, where the camera does not look [m]


@dataclass(frozen=True)
class Leg:
    """One stretch of a route."""

    points: np.ndarray
    """(N, 2) [m] in map, N >= 2"""
    yaw: float | None
    """yaw to end with [rad]; None: whatever it is then"""
    straight: bool = False
    """driven without turning, forwards or backwards: there is no room to turn; or by an omnidirectional base in
    whatever direction, turning to `yaw` meanwhile"""
    backwards: bool = False
    """driven tail first"""

    @property
    def length(self) -> float:
        """[m]"""
        return float(np.linalg.norm(np.diff(self.points, axis=0), axis=1).sum())


def plan_route(costmap: Costmap, start: Pose2, goal: Pose2) -> list[Leg]:
    """The legs from `start` to `goal`.

    Errors: NoPath.
    """
    if not costmap.map.contains(costmap.map.cells(goal[:2])):
        raise NoPath(Reason.GOAL_OUTSIDE)
    if not costmap.fits(goal):
        raise NoPath(Reason.GOAL_BLOCKED)
    if np.hypot(goal.x - start.x, goal.y - start.y) < 0.5 and _sweep_is_free(costmap, start, goal):
        return [_straight(start, goal)]
    out, back = _way_out(costmap, start, Reason.START_BLOCKED), _way_out(costmap, goal, Reason.GOAL_BLOCKED)
    turning, parking = out[-1], back[-1]
    path = plan_path(costmap, turning[:2], parking[:2])
    way = Leg(path, parking.yaw, backwards=_better_backwards(path, turning.yaw, parking.yaw))
    return [*_manoeuvre(out), way, *_manoeuvre(back[::-1])]


def _better_backwards(path: np.ndarray, start: float, end: float) -> bool:
    """True if a short path asks for less turning tail first, between the yaws `start` and `end` [rad]."""
    if np.linalg.norm(np.diff(path, axis=0), axis=1).sum() > _SHORT:
        return False
    ahead = min(len(path) - 1, 6)  # the path's ends, without the kinks of the grid
    first, last = path[ahead] - path[0], path[-1] - path[-1 - ahead]
    headings = math.atan2(first[1], first[0]), math.atan2(last[1], last[0])
    forwards, tail_first = (abs(wrap(headings[0] + half - start)) + abs(wrap(headings[1] + half - end))
                            for half in (0.0, math.pi))
    return tail_first + 0.5 < forwards


def _way_out(costmap: Costmap, pose: Pose2, otherwise: Reason) -> list[Pose2]:
    """Poses from `pose` to where the base can turn; itself where it can."""
    way = turning_place_path(costmap, pose)
    if not way:
        raise NoPath(otherwise)
    return way


def _manoeuvre(way: Sequence[Pose2]) -> list[Leg]:
    """Straight legs, and turns on the spot as legs without length."""
    return [_straight(a, b) if math.dist(a[:2], b[:2]) > 1e-6 else Leg(np.array([a[:2], b[:2]]), b.yaw)
            for a, b in pairwise(way)]


def _sweep_is_free(costmap: Costmap, a: Pose2, b: Pose2) -> bool:
    """True if the base can be shifted from `a` to `b`, straight along its x axis unless it is omnidirectional, without
    touching more than it does."""
    shift = a.inverse() * b
    if not costmap.omnidirectional and (abs(shift.y) > 0.02 or abs(shift.yaw) > 0.05):
        return False
    n = max(2, int(np.ceil(max(math.hypot(shift.x, shift.y), abs(shift.yaw) * costmap.footprint.circumscribed)
                           / costmap.map.resolution)) + 1)
    poses = np.array(a) + np.linspace(0, 1, n)[:, None] * (b.x - a.x, b.y - a.y, shift.yaw)
    collisions = costmap.collisions(poses)
    return bool((collisions <= np.linspace(collisions[0], 0, n)).all())


def _straight(a: Pose2, b: Pose2) -> Leg:
    return Leg(resample(np.array([a[:2], b[:2]]), SPACING), b.yaw, straight=True)
