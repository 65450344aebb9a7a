"""A ``sensor_msgs/LaserScan`` as a scan of ours."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dadu.core.errors import NotUsable
from dadu.core.robot import LaserScan

_TURN = 2 * math.pi
_SLACK = 0.2
"""[rad] by which a scan of a whole turn may overlap itself"""
_STRETCH = 0.05
"""share of a scan by which its last ray may be off what `angle_max` says: lasers without a steady motor send some rays
more or less"""
_FARTHEST = 500.0
"""[m] that half of a laser's rays do not reach"""


def laser_scan(message: Any, stamp: float, T_base_laser: np.ndarray) -> LaserScan:
    """NaN for rays nearer than `range_min` or without a number; inf for those beyond `range_max` (REP 117), or just
    there, as many drivers have it where nothing came back.

    Errors: NotUsable for geometry that no laser has.
    """
    ranges = np.array(message.ranges, np.float32)
    first, increment, least, most = (float(value) for value in (
        message.angle_min, message.angle_increment, message.range_min, message.range_max))
    if not len(ranges):
        raise NotUsable("the scan holds no rays")
    if not math.isfinite(first) or not math.isfinite(increment) or (increment == 0.0 and len(ranges) > 1):
        raise NotUsable(f"a scan from {first:g} in steps of {increment:g} rad points nowhere")
    if abs(increment) * (len(ranges) - 1) > _TURN + _SLACK or abs(first) > _TURN + _SLACK:
        raise NotUsable(f"a scan of {len(ranges)} rays from {first:g} in steps of {increment:g} goes round more than "
                       "once: are these degrees?")
    last = first + increment * (len(ranges) - 1)
    if not abs(last - message.angle_max) <= _STRETCH * abs(last - first) + 2 * abs(increment):
        raise NotUsable(f"a scan's {len(ranges)} rays from {first:g} in steps of {increment:g} rad end at {last:g}, "
                       f"and its angle_max is {message.angle_max:g}")
    if not (least >= 0 and most > least and math.isfinite(least)):
        raise NotUsable(f"a laser that measures from {least:g} to {most:g} m measures nothing")
    hits = ranges[np.isfinite(ranges) & (ranges > 0)]
    if len(hits) and float(np.median(hits)) > _FARTHEST:
        raise NotUsable(f"half of a scan's rays are beyond {_FARTHEST:g} m: are these millimetres?")
    ranges[(ranges < least) | np.isneginf(ranges) | (ranges <= 0)] = np.nan
    ranges[ranges >= np.float32(most)] = np.inf
    return LaserScan(stamp, ranges, first, increment, most, T_base_laser)
