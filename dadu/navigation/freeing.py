"""An arm that cannot be folded where the base stands, as behind an open door: the base moves a little, and it is tried
again."""

from __future__ import annotations

from dadu.core.robot import Command, RobotDescription, Twist
from dadu.navigation.costmap import Costmap
from dadu.navigation.posture import stow
from dadu.navigation.recovery import hold
from dadu.skills.generator import Skill

_SPEED = 0.4  # share of the top speed
_MOVES = ((1.0, 1.0), (-1.0, 2.0))  # ahead, then back past where it stood: direction, for how long [s]


def stow_elsewhere(robot: RobotDescription, costmap: Costmap, holding: bool, *, lift: str = "") -> Skill:
    """As `dadu.navigation.posture.stow`, from a little ahead or behind, where `costmap` has room for it."""
    for direction, seconds in _MOVES:
        yield from hold(costmap, Twist(vx=direction * _SPEED * robot.max_speed.vx), seconds)
        observation = yield Command(base=Twist())
        folded = yield from stow(robot, observation, holding, lift=lift)
        if folded.ok:
            break
    return folded
