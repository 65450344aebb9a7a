"""The newest correction of the odometry on disk, so that a restarted navigation knows where the robot is."""

from __future__ import annotations

import os
from pathlib import Path

from pydantic import FiniteFloat

from dadu.core.config import Settings, load, save
from dadu.core.errors import ConfigError
from dadu.core.geometry import Pose2


class _Correction(Settings):
    map_odom: tuple[FiniteFloat, FiniteFloat, FiniteFloat]
    """x, y [m], yaw [rad] of odom in map"""


def save_correction(path: Path, map_odom: Pose2) -> None:
    """Writes at once or not at all."""
    partial = path.with_suffix(".partial")
    save(_Correction(map_odom=tuple(map_odom)), partial)
    os.replace(partial, path)


def load_correction(path: Path) -> Pose2 | None:
    """What `save_correction` left, or None where there is nothing of use."""
    try:
        return Pose2(*load(_Correction, path).map_odom)
    except ConfigError:
        return None
