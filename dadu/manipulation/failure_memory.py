"""What failed: the next attempt at the same, in this skill or a later one, goes about it differently."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from dadu.core.geometry import Pose2, Vector3, vector3, wrap
from dadu.manipulation.grasp.synthesis import Grasp
from dadu.robots.poses import heading_of

MOVED = 0.05
"""a thing that is this far from where a grasp failed may be grasped in the same way again [m]"""
SAME_TILT, SAME_HEADING = 0.1, 0.2
"""grasps that differ less are the same way of grasping [rad]"""
NEAR, PARALLEL = 0.06, 0.1
"""a base that stands so much elsewhere may well succeed where it failed before [m], [rad]"""
AGAIN = 1.0
"""cost of the same tilt again from the same place, and as much of the same heading; as `Grasp.cost`"""
ELSEWHERE = 0.25
"""share of that cost where the base stands elsewhere"""
BESIDE, STALLED = 0.2, 0.5
"""spots nearer than this [m] to one that the arm did not get to are likely no better; cost of the same one, as
`Spot.cost`"""


@dataclass(frozen=True)
class _Failure:
    position: Vector3
    tilt: float
    heading: float
    base: Pose2


@dataclass
class FailureMemory:
    """Failed grasps by object, for as long as the object stays where it was, and spots that could not be reached to
    put something down. All in map. Whoever binds pick and place to a robot keeps one and hands it to both."""

    _failures: dict[str, list[_Failure]] = field(default_factory=lambda: defaultdict(list))
    _spots: list[tuple[Vector3, Pose2]] = field(default_factory=list)

    def failed(self, object_id: str, position: ArrayLike, grasp: Grasp, base: Pose2) -> None:
        """Remembers that `grasp` of the object at `position` (3,) [m] failed with the base at `base`."""
        place = vector3(position)
        kept = [f for f in self._failures[object_id] if np.linalg.norm(np.subtract(f.position, place)) < MOVED]
        self._failures[object_id] = [*kept, _Failure(place, grasp.tilt, heading_of(grasp.T_map_tool), base)]

    def forget(self, object_id: str) -> None:
        """The object was taken: wherever it goes, it is grasped anew."""
        self._failures.pop(object_id, None)

    def cost(self, object_id: str, position: ArrayLike, grasp: Grasp, base: Pose2) -> float:
        """What speaks against grasping it like that from there, to be added to `Grasp.cost`."""
        return sum(_likeness(failure, grasp, base) for failure in self._failures.get(object_id, ())
                   if np.linalg.norm(np.subtract(failure.position, position)) < MOVED)

    def stalled(self, spot: ArrayLike, base: Pose2) -> None:
        """Remembers that the arm stalled on its way to `spot` (3,) [m] with the base at `base`."""
        self._spots.append((vector3(spot), base))

    def arrived(self) -> None:
        """Something was put down: where it is put next, everything may be different."""
        self._spots.clear()

    def spot_cost(self, spot: ArrayLike, base: Pose2) -> float:
        """What speaks against going there from `base`, to be added to `Spot.cost`."""
        cost = 0.0
        for place, before in self._spots:
            near = max(0.0, 1.0 - float(np.linalg.norm(np.subtract(place, spot))) / BESIDE)
            cost += STALLED * near * (1.0 if _same_stand(before, base) else ELSEWHERE)
        return cost


def _likeness(failure: _Failure, grasp: Grasp, base: Pose2) -> float:
    if abs(failure.tilt - grasp.tilt) > SAME_TILT:
        return 0.0
    turned = abs(wrap(failure.heading - heading_of(grasp.T_map_tool)))
    cost = AGAIN + (AGAIN if turned < SAME_HEADING else 0.0)
    return cost if _same_stand(failure.base, base) else ELSEWHERE * cost


def _same_stand(a: Pose2, b: Pose2) -> bool:
    shift = a.inverse() * b
    return bool(np.hypot(shift.x, shift.y) < NEAR and abs(shift.yaw) < PARALLEL)
