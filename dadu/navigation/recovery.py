"""What to try when the way is blocked, in this order; each is a sub-skill that takes a few seconds."""

from __future__ import annotations

from collections.abc import Callable, Generator

import numpy as np
from pydantic import Field, NonNegativeFloat

from dadu.core.config import Settings
from dadu.core.geometry import Pose2
from dadu.core.robot import Command, Observation, RobotDescription, Twist
from dadu.navigation.costmap import Costmap

Recovery = Generator[Command, Observation, None]
_BACK_UP = 2.0
"""backing away, as far as there is room [s]"""


class RecoverySettings(Settings):
    """How long each is tried [s], in this order; 0: not at all."""

    wait: NonNegativeFloat = 2.0
    """for whoever is in the way to pass"""
    clear: NonNegativeFloat = 0.5
    """looking again, after what was seen earlier was forgotten"""
    turn: NonNegativeFloat = 4.0
    """turning on the spot, so that laser and camera see what is around"""
    speed: float = Field(0.4, gt=0, le=1)
    """share of the top speed that backing up and turning use"""


def wait(robot: RobotDescription, costmap: Costmap, settings: RecoverySettings) -> Recovery:
    """Lets whoever is in the way pass."""
    yield from hold(costmap, Twist(), settings.wait)


def wait_longer(robot: RobotDescription, costmap: Costmap, settings: RecoverySettings) -> Recovery:
    """The last hope: three times as long."""
    yield from hold(costmap, Twist(), 3 * settings.wait)


def clear(robot: RobotDescription, costmap: Costmap, settings: RecoverySettings) -> Recovery:
    """Forgets obstacles seen earlier, then looks again."""
    costmap.clear()
    yield from hold(costmap, Twist(), settings.clear)


def back_up(robot: RobotDescription, costmap: Costmap, settings: RecoverySettings) -> Recovery:
    """Backs away from what is ahead, as far as there is room."""
    yield from hold(costmap, Twist(vx=-settings.speed * robot.max_speed.vx), _BACK_UP)


def turn(robot: RobotDescription, costmap: Costmap, settings: RecoverySettings) -> Recovery:
    """Turns on the spot, so that laser and camera see what is around."""
    yield from hold(costmap, Twist(wz=settings.speed * robot.max_speed.wz), settings.turn)


RECOVERIES: tuple[Callable[[RobotDescription, Costmap, RecoverySettings], Recovery], ...] = (
    wait, clear, back_up, turn, wait_longer)


def hold(costmap: Costmap, twist: Twist, duration: float) -> Recovery:
    """Keeps a velocity for `duration` [s], or until going on for 0.3 s would touch more than now."""
    observation = yield Command(base=Twist())
    end = observation.stamp + duration
    while observation.stamp < end:
        costmap.update(observation)
        here = observation.base_pose
        ahead = here * Pose2(0.3 * twist.vx, 0.3 * twist.vy, 0.3 * twist.wz)
        now, then = costmap.collisions(np.array([here, ahead]))
        if then > now:
            break
        observation = yield Command(base=twist)
    yield Command(base=Twist())
