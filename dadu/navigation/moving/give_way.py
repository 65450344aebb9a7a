"""Who goes first where two meet and there is room for one: a rule that needs no word between them.

Everybody waits for those who move. Where both stand, whoever has the lower rank loses patience first and drives to a
place where it cuts off nobody, until the other is through.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator

import numpy as np

from dadu.core.geometry import Pose2
from dadu.core.robot import Command, Observation, Twist
from dadu.navigation.costmap import Costmap
from dadu.navigation.moving.tracks import BODY, Mover
from dadu.navigation.path_planner import TRIES, NoPath, Reason
from dadu.navigation.route import Leg, plan_route
from dadu.world.graph import ROBOT

Retreat = Callable[[Pose2], Generator[Command, Observation, Reason | None]]
"""drives to a pose; why not, where it does not get there"""

_PATIENCE = 8.0  # of the first in rank while the other stands; each further one has half of it [s]
_LOOK = 0.5  # between two looks whether the way is free [s]
_PASSING = 15.0  # how long one that has got out of the way waits at most [s]
_IN_ALL = 90.0  # of one drive [s]
_LATELY = 30.0  # who has not moved for longer stands there for good [s]
_AHEAD = 2.5  # of a way that must be free of others before it is gone on [m]
_NEAR = 1.0  # what counts as being on it [m]
_FARTHEST = 4.0  # to get out of the way [m]
_APART = 0.2  # of the places that are thought of [m]
_LOOKED_AT = 150  # of them, the nearest, for a tenth of a second in all; ways to a few of these are planned
_LOST = 0.3  # what may be cut off [m^2]: a corner where nobody would stand


def robot_rank(namespace: str) -> int:
    """Of the robot with that namespace among those of its home: 0 for ``robot_0``, and for any other name."""
    number = namespace.strip("/").removeprefix(f"{ROBOT}_")
    return int(number) if number.isdecimal() else 0


class RightOfWay:
    """Of one drive to `goal`."""

    def __init__(self, costmap: Costmap, goal: Pose2, rank: int) -> None:
        """`rank`: 0 is the first."""
        self._costmap, self._goal = costmap, goal
        self._patience = _PATIENCE / 2 ** rank
        self._waited = 0.0
        self._spent = 0.0

    def in_the_way(self, stamp: float) -> bool:
        """True if somebody who lately moved is near, and waiting for them is not yet in vain."""
        return self._spent < _IN_ALL and any(stamp - track.moved < _LATELY for track in self._costmap.movers)

    def give_way(self, retreat: Retreat) -> Generator[Command, Observation, None]:
        """Until the way may be tried again."""
        begun = (yield Command(base=Twist())).stamp
        if not (yield from self._wait()):
            observation = yield Command(base=Twist())
            for place in refuges(self._costmap, observation.base_pose):
                if (yield from retreat(place)) is None:
                    yield from self._let_pass()
                    break
            self._waited = 0.0
        self._spent += (yield Command(base=Twist())).stamp - begun

    def _wait(self) -> Generator[Command, Observation, bool]:
        """True once there is a way; False where the other one stands, and patience is at an end."""
        then = looked = (yield Command(base=Twist())).stamp
        while self._waited < self._patience:
            observation = yield Command(base=Twist())
            self._costmap.update(observation)
            if all(track.stands for track in self._costmap.movers):
                self._waited += observation.stamp - then
            then = observation.stamp
            if then > looked + _LOOK:
                looked = then
                if not self.in_the_way(then) or self._way(observation.base_pose):
                    return True
        return False

    def _let_pass(self) -> Generator[Command, Observation, None]:
        """Until nobody is on the way."""
        begun = looked = (yield Command(base=Twist())).stamp
        while True:
            observation = yield Command(base=Twist())
            self._costmap.update(observation)
            if observation.stamp > begun + _PASSING:
                return
            if observation.stamp > looked + _LOOK:
                looked = observation.stamp
                way = self._way(observation.base_pose)
                if way and not _met(way, self._costmap.movers):
                    return

    def _way(self, here: Pose2) -> list[Leg]:
        try:
            return plan_route(self._costmap, here, self._goal)
        except NoPath:
            return []


def _met(way: list[Leg], others: list[Mover]) -> bool:
    """True if one of them is near where the way begins."""
    points = np.concatenate([leg.points for leg in way])
    driven = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    first = points[driven < _AHEAD]
    return any(np.linalg.norm(first - track.position, axis=1).min() < _NEAR for track in others)


def refuges(costmap: Costmap, here: Pose2) -> Iterator[Pose2]:
    """Places near `here`, the nearest first, that can be driven to past those who move, and where a base that stands
    cuts none of them off from anywhere."""
    from scipy.ndimage import label  # as in the costmap: of no use to a planner
    grid, ground = costmap.map, costmap.open_ground()
    cells = np.argwhere(costmap.turnable())
    cells = cells[(cells % max(1, round(_APART / grid.resolution)) == 0).all(axis=1)]
    distance = np.linalg.norm(grid.centres(cells) - here[:2], axis=1)
    near = np.argsort(distance, kind="stable")
    whole, open_ = label(ground)[0], np.argwhere(ground)
    others = [tuple(open_[np.argmin(np.linalg.norm(grid.centres(open_) - track.position, axis=1))])
              for track in costmap.movers if len(open_)]
    # What the other keeps clear of is our body, however we turn, by half its own width; bodies are alike here.
    radius = (costmap.footprint.circumscribed + max(BODY, costmap.footprint.half_width)) / grid.resolution
    rows, columns = np.ogrid[:ground.shape[0], :ground.shape[1]]
    tried = 0
    for i in near[distance[near] < _FARTHEST][:_LOOKED_AT]:
        left = ground & (np.hypot(rows - cells[i][0], columns - cells[i][1]) > radius)
        parts = label(left)[0]
        lost = [(left & (whole == whole[o]) & (parts != parts[o])).sum() if left[o] else np.inf for o in others]
        if max(lost, default=0.0) * grid.resolution ** 2 > _LOST:
            continue
        x, y = grid.centres(cells[i])
        pose = Pose2(float(x), float(y), here.yaw)
        try:
            plan_route(costmap, here, pose)
        except NoPath:
            continue
        yield pose
        tried += 1
        if tried == TRIES:
            return
