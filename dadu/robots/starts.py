"""Several robots in one home: what they are called, and where each of them begins."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.ndimage import distance_transform_edt, label

from dadu.core.errors import ConfigError
from dadu.core.geometry import Pose2
from dadu.core.robot import RobotDescription
from dadu.house.format import House
from dadu.house.rasterize import rasterize
from dadu.world.graph import ROBOT
from dadu.world.occupancy import FREE

_APART = 0.3
"""[m] between the circles round two robots: each can turn, and neither is in what the other keeps clear of"""


def robot_names(count: int) -> tuple[str, ...]:
    """``robot`` where it is alone, else ``robot_0``, ``robot_1``, ...: in the model, as namespace, before frames."""
    return (ROBOT,) if count == 1 else tuple(f"{ROBOT}_{i}" for i in range(count))


def start_poses(house: House, robots: Sequence[RobotDescription]) -> tuple[Pose2, ...]:
    """base_link in map. The first begins where the house says; each other as near to it as it can stand freely and get
    to it from, facing the same way.

    Errors: ConfigError where one finds no place.
    """
    first = Pose2(*house.robot.pose)
    poses, radii = [first], [_radius(robot) for robot in robots]
    if len(robots) == 1:
        return (first,)
    map = rasterize(house)
    cells = np.argwhere(map.grid == FREE)
    centres = map.centres(cells)
    clear = distance_transform_edt(map.grid == FREE)[tuple(cells.T)] * map.resolution
    order = np.argsort(np.hypot(*(centres - first[:2]).T), kind="stable")
    for robot, radius in zip(robots[1:], radii[1:]):
        gaps = [np.hypot(*(centres - pose[:2]).T) - other for pose, other in zip(poses, radii)]
        free = (clear > radius) & (np.min(gaps, axis=0) > radius + _APART)
        free &= _connected(map.grid.shape, cells, clear > radius, order)
        spots = order[free[order]]
        if not len(spots):
            raise ConfigError(f"{house.house}: no free place for {len(robots)} robots; {robot.name} number "
                              f"{len(poses)} finds none")
        poses.append(Pose2(float(centres[spots[0]][0]), float(centres[spots[0]][1]), first.yaw))
    return tuple(poses)


def _connected(shape: tuple[int, ...], cells: np.ndarray, standing: np.ndarray, order: np.ndarray) -> np.ndarray:
    """bool (n,): of the cells where a robot is `standing` freely, those joined with the one nearest to the start."""
    grid = np.zeros(shape, bool)
    grid[tuple(cells[standing].T)] = True
    parts = label(grid)[0][tuple(cells.T)]
    nearest = order[standing[order]]
    return standing & (parts == parts[nearest[0]]) if len(nearest) else standing


def _radius(robot: RobotDescription) -> float:
    """[m] of the circle about base_link that its base turns in."""
    return float(np.hypot(*robot.footprint.T).max())
