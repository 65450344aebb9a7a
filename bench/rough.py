"""A simulated robot as skills meet it behind a network: its pose as localisation estimates it, its readings a tick old,
and time that passes while it thinks.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from dadu.core.geometry import Pose2
from dadu.core.robot import Command, Observation, Robot

OFF = np.array([0.010, 0.010, 0.004])
"""standard deviation of the estimated pose, which wanders [m, m, rad]: errors on the graph were up to 15 mm, 8 mrad"""
WANDERS = 20.0
"""time in which it becomes another [s]"""
JITTER = np.array([0.001, 0.001, 0.001])
"""of single estimates [m, m, rad]"""
THINKING = 2.0
"""simulated seconds that pass in one of a processor's, as in a graph that runs at this many times real time"""
LEAST = 0.02
"""thinking that takes less of the processor [s] fits into a tick"""


class Rough:
    """Takes a `Robot`'s place; all that it does not change is the robot's own."""

    def __init__(self, robot: Robot, advance: Callable[[float], None], seed: int) -> None:
        """`advance` lets time pass [s]."""
        self._robot, self._advance = robot, advance
        self._random = np.random.default_rng(seed)
        self._off, self._stamp = self._random.normal(0.0, OFF), 0.0
        self._now: Observation | None = None
        self._before: Observation | None = None
        self._asked: float | None = None
        self._picture = None

    def __getattr__(self, name: str):
        return getattr(self._robot, name)

    def observe(self) -> Observation:
        """What was true a tick ago, by an estimate of where the robot is."""
        now = self._disturbed(self._robot.observe())
        if self._now is None or now.stamp > self._now.stamp:
            self._before, self._now = self._now or now, now
        self._asked = time.thread_time()
        return replace(self._before, stamp=now.stamp)

    def act(self, command: Command) -> None:
        """Acts after as much time as it took to decide."""
        thought = time.thread_time() - self._asked if self._asked is not None else 0.0
        if thought > LEAST:
            self._advance(min(THINKING * thought, 5.0))
        self._asked = None
        self._robot.act(command)

    def _disturbed(self, observation: Observation) -> Observation:
        passed, self._stamp = observation.stamp - self._stamp, observation.stamp
        keep = np.exp(-passed / WANDERS)
        self._off = keep * self._off + self._random.normal(0.0, OFF * np.sqrt(1 - keep**2))
        true = observation.base_pose
        pose = true * Pose2(*map(float, self._off + self._random.normal(0.0, JITTER)))
        camera = observation.camera
        if camera is not None and (self._picture is None or camera.stamp != self._picture.stamp):
            T = pose.matrix() @ true.inverse().matrix() @ camera.T_map_camera
            self._picture = replace(camera, T_map_camera=T)
        return replace(observation, base_pose=pose, camera=self._picture if camera is not None else None)
