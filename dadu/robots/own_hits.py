"""What a laser sees of the robot itself: a mast, or something that has fallen onto the base.

The place of such hits never changes, so any place beside a wall explains them: a robot with a box before its laser
took itself to stand still, and drove 4 m. Compare ROS's laser_filters (LaserScanBoxFilter).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from dadu.core.robot import LaserScan
from dadu.world.graph import points_in_polygon

COVERED = "the laser sees next to nothing but what lies on the robot itself; take that away"


def mask_own_hits(scan: LaserScan, footprint: ArrayLike) -> LaserScan:
    """The scan with NaN for rays that end within `footprint` (N, 2) [m, base_link]."""
    ranges = np.asarray(scan.ranges)
    finite = np.flatnonzero(np.isfinite(ranges))
    own = finite[points_in_polygon(footprint, scan.ends(finite))]
    if not len(own):
        return scan
    cleared = ranges.copy()
    cleared[own] = np.nan
    return replace(scan, ranges=cleared, own=len(own) / len(ranges))
