"""What to try when the way is blocked, in this order; each is a sub-skill that takes a few seconds."""

from __future__ import annotations

from collections.abc import Callable, Generator

import numpy as np

from dadu.core.robot import Command, Observation, RobotDescription, Twist
from dadu.navigation.costmap import Costmap

Recovery = Generator[Command, Observation, None]

_SLOW = 0.4  # share of the top speed


def wait(robot: RobotDescription, costmap: Costmap) -> Recovery:
    """Lets whoever is in the way pass."""
    yield from hold(costmap, Twist(), 2.0)


def wait_longer(robot: RobotDescription, costmap: Costmap) -> Recovery:
    """The last hope."""
    yield from hold(costmap, Twist(), 6.0)


def clear(robot: RobotDescription, costmap: Costmap) -> Recovery:
    """Forgets obstacles seen earlier, then looks again."""
    costmap.clear()
    yield from hold(costmap, Twist(), 0.5)


def back_up(robot: RobotDescription, costmap: Costmap) -> Recovery:
    """Backs away from what is ahead, as far as there is room."""
    yield from hold(costmap, Twist(vx=-_SLOW * robot.max_speed.vx), 2.0)


def turn(robot: RobotDescription, costmap: Costmap) -> Recovery:
    """Turns on the spot, so that laser and camera see what is around."""
    yield from hold(costmap, Twist(wz=_SLOW * robot.max_speed.wz), 4.0)


RECOVERIES: tuple[Callable[[RobotDescription, Costmap], Recovery], ...] = (
    wait, clear, back_up, turn, wait_longer)


def hold(costmap: Costmap, twist: Twist, duration: float) -> Recovery:
    """Keeps a velocity for `duration` [s], or until going on for 0.3 s would touch more than now."""
    observation = yield Command(base=Twist())
    end = observation.stamp + duration
    while observation.stamp < end:
        costmap.update(observation)
        x, y, yaw = observation.base_pose
        ahead = 0.3 * np.array([twist.vx * np.cos(yaw), twist.vx * np.sin(yaw), twist.wz])
        now, then = costmap.collisions(np.array([(x, y, yaw), (x, y, yaw) + ahead]))
        if then > now:
            break
        observation = yield Command(base=twist)
    yield Command(base=Twist())
