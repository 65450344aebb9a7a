"""Where to go to see more of something: as near to it as what is known of the floor lets the robot."""

from __future__ import annotations

import math

import numpy as np
from scipy.ndimage import label

from dadu.core.geometry import Pose2
from dadu.core.robot import RobotDescription
from dadu.navigation.costmap import Costmap
from dadu.navigation.path_planner import TRIES, NoPath
from dadu.navigation.route import plan_route
from dadu.navigation.standing.open_parts import open_parts
from dadu.skills.scene import Scene

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
