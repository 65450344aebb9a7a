"""The costmap as Nav2 publishes its two: of the whole map, and of the surroundings."""

from __future__ import annotations

import numpy as np
from dadu_nodes.support.convert.geometry import planar_pose
from nav_msgs.msg import OccupancyGrid
from std_msgs.msg import Header

from dadu.core.geometry import Pose2
from dadu.navigation.costmap import Costmap

_WINDOW = 6.0
"""side of the surroundings [m]"""


def costmap_message(costmap: Costmap, header: Header) -> OccupancyGrid:
    """100 where the base collides, falling to 0 with the distance to obstacles."""
    top = 1 + costmap.settings.weight
    costs = costmap.costs()
    values = np.where(np.isfinite(costs), np.minimum(costs - 1, top) / top * 98, 100).astype(np.int8)
    grid = OccupancyGrid(header=header, data=values.ravel())
    grid.info.resolution = float(costmap.map.resolution)
    grid.info.height, grid.info.width = costmap.map.shape
    grid.info.origin = planar_pose(Pose2(*costmap.map.origin, 0.0))
    return grid


def surroundings(whole: OccupancyGrid, robot: Pose2) -> OccupancyGrid:
    """What of a costmap lies within three metres of the robot (map), cut to whole cells."""
    info = whole.info
    centre = np.array([robot.x - info.origin.position.x, robot.y - info.origin.position.y]) / info.resolution
    reach = _WINDOW / 2 / info.resolution
    low = np.clip(np.floor(centre - reach), 0, [info.width, info.height]).astype(int)
    high = np.clip(np.ceil(centre + reach), low, [info.width, info.height]).astype(int)
    values = np.asarray(whole.data, np.int8).reshape(info.height, info.width)[low[1]:high[1], low[0]:high[0]]
    grid = OccupancyGrid(header=whole.header, data=values.ravel())
    grid.info.resolution = info.resolution
    grid.info.height, grid.info.width = values.shape
    corner = low * info.resolution
    grid.info.origin = planar_pose(Pose2(info.origin.position.x + float(corner[0]),
                                         info.origin.position.y + float(corner[1]), 0.0))
    return grid
