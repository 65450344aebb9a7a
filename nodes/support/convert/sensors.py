"""Laser, map and joint trajectories between the library and the standard messages."""

from __future__ import annotations

import numpy as np
from dadu_nodes.support.clock import seconds
from dadu_nodes.support.convert.geometry import planar_pose
from nav_msgs.msg import OccupancyGrid
from numpy.typing import ArrayLike
from sensor_msgs.msg import LaserScan as LaserScanMsg
from std_msgs.msg import Header

from dadu.core.geometry import Pose2
from dadu.core.robot import RANGE_MIN, LaserScan
from dadu.incoming.laser import laser_scan
from dadu.robots.own_hits import mask_own_hits
from dadu.world.occupancy import OccupancyMap


def scan(message: LaserScanMsg, T_base_laser: np.ndarray, footprint: ArrayLike) -> LaserScan:
    """Without what the laser sees of the robot itself, which covers `footprint` (N, 2) [m]. Errors: NotUsable."""
    return mask_own_hits(laser_scan(message, seconds(message.header.stamp), T_base_laser), footprint)


def scan_message(scan: LaserScan, header: Header, period: float) -> LaserScanMsg:
    """`period` [s] between scans."""
    return LaserScanMsg(header=header, angle_min=scan.angle_min, angle_increment=scan.angle_increment,
                        angle_max=scan.angle_min + scan.angle_increment * (len(scan.ranges) - 1),
                        scan_time=period, range_min=RANGE_MIN, range_max=scan.range_max,
                        ranges=scan.ranges.astype(np.float32))


def map_message(map: OccupancyMap, header: Header) -> OccupancyGrid:
    grid = OccupancyGrid(header=header, data=map.grid.astype(np.int8).ravel())
    grid.info.resolution = float(map.resolution)
    grid.info.height, grid.info.width = map.grid.shape
    grid.info.origin = planar_pose(Pose2(*map.origin, 0.0))
    return grid
