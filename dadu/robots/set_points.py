"""What is commanded of joints at any moment: trajectories as drivers follow them, one replacing the other."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping

import numpy as np

from dadu.core.robot import Command, JointTrajectory, Waypoint

APERTURE = "gripper_aperture"
"""the gap between the fingertips [m], among joints"""


class SetPoints:
    """Set-points by joint, a straight line from waypoint to waypoint. Commands come in the order of their stamps."""

    def __init__(self) -> None:
        self._tracks: dict[str, tuple[list[float], list[float]]] = {}
        """stamps [s] and positions [m or rad] between which a joint's set-point goes straight"""

    @property
    def joints(self) -> frozenset[str]:
        """Those of which anything was ever commanded."""
        return frozenset(self._tracks)

    def move(self, stamp: float, trajectory: JointTrajectory, measured: Mapping[str, float]) -> None:
        """A trajectory that begins at `stamp` [s], where a joint of which nothing was commanded is as `measured`."""
        for name in {name for waypoint in trajectory.waypoints for name in waypoint.positions}:
            times, positions = self._cut(name, stamp, measured)
            for waypoint in trajectory.waypoints:
                if name in waypoint.positions:
                    times.append(max(times[-1], stamp + waypoint.time))
                    positions.append(waypoint.positions[name])

    def hold(self, stamp: float, measured: Mapping[str, float]) -> None:
        """Joints stop where they are; the fingers keep their grip."""
        for name in self._tracks.keys() - {APERTURE}:
            times, positions = self._cut(name, stamp, {})
            times.append(stamp)
            positions.append(measured.get(name, positions[-1]))

    def at(self, name: str, stamps: np.ndarray) -> np.ndarray:
        """(N,) [m or rad] set-points of a joint of `joints`; before the first command, where it was then."""
        times, positions = self._tracks[name]
        return np.interp(stamps, times, positions)

    def _cut(self, name: str, stamp: float, measured: Mapping[str, float]) -> tuple[list[float], list[float]]:
        """The joint's track up to `stamp`, with the set-point that holds then as its end."""
        times, positions = self._tracks.setdefault(name, ([], []))
        now = float(np.interp(stamp, times, positions)) if times else measured.get(name, 0.0)
        past = bisect_right(times, stamp)
        del times[past:], positions[past:]
        times.append(stamp)
        positions.append(now)
        return times, positions


def trajectories(command: Command) -> list[JointTrajectory]:
    """Arm and fingers of a command, for who writes it down: what is moved at once; one without waypoints says hold."""
    told = [command.joints] if command.joints is not None else [JointTrajectory(())] if command.hold else []
    if command.gripper is not None:
        told.append(JointTrajectory((Waypoint(0.0, {APERTURE: command.gripper.aperture}),)))
    return told
