"""Moving arm, head and gripper by hand, a step at a time: by keys or by a gamepad, without a terminal or ROS."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dadu.core.robot import Command, GripperCommand, JointTrajectory, RobotDescription, Twist

HELP = """\
  j / l       choose a joint      i / k   move it up or out, down or in      o / c   open, close the gripper"""

JOG_KEYS = frozenset("jlikoc")

_STEP_TIME = 0.25
"""of a joint's top speed that a step is worth [s]"""
_LONGEST_STEP = 0.1
"""[m or rad]"""
_RUNS_ON = 1.0
"""[s]: steps that follow each other sooner add up, however far the joint has come"""


class Jog:
    """One joint is chosen; steps move it within its limits."""

    def __init__(self, robot: RobotDescription) -> None:
        self._robot = robot
        self._names = (*robot.arm_joints, *robot.head_joints)
        self._chosen = 0
        self._target, self._when = 0.0, -math.inf

    @property
    def joint(self) -> str:
        """The one that is chosen."""
        return self._names[self._chosen]

    def press(self, key: str, measured: Mapping[str, float], now: float) -> Command | None:
        """What a key asks for at `now` [s], the joints being where they are `measured` [m or rad]; None: nothing."""
        if key in ("j", "l"):
            self.choose(1 if key == "l" else -1)
        elif key in ("i", "k"):
            return self.step(1.0 if key == "i" else -1.0, measured, now)
        elif key in ("o", "c"):
            return Command(gripper=GripperCommand(self._robot.aperture_max if key == "o" else -0.03))
        return None

    def choose(self, by: int) -> None:
        """The next joint, or the one before."""
        self._chosen = (self._chosen + by) % len(self._names)
        self._when = -math.inf

    def step(self, share: float, measured: Mapping[str, float], now: float) -> Command | None:
        """Moves the joint by a share (-1 to 1) of a step; None where it was not measured yet, or is at its end."""
        limit = self._robot.joints[self.joint]
        if self.joint not in measured:
            return None
        start = self._target if now - self._when < _RUNS_ON else measured[self.joint]
        step = min(_STEP_TIME * limit.velocity, _LONGEST_STEP)
        target = min(max(start + share * step, limit.lower), limit.upper)
        if target == start:
            return None
        self._target, self._when = target, now
        duration = max(0.1, abs(target - measured[self.joint]) / limit.velocity)
        return Command(joints=JointTrajectory.single_goal({self.joint: target}, duration))


@dataclass(frozen=True)
class GamepadView:
    """What a gamepad asks for now."""

    twist: Twist | None
    """None: nobody holds the switch, the base is autonomy's"""
    command: Command | None = None
    e_stop: bool = False
    """pressed just now"""
    release: bool = False
    """pressed just now: the base goes back to autonomy"""


class Gamepad:
    """`sensor_msgs/Joy` of an Xbox-like pad, as ROS's joy_node numbers it. While the left shoulder button is held: left
    stick the base, right stick up and down the chosen joint, to the sides an omnidirectional base, cross left and right
    choose the joint, A closes, B opens. X gives the base back, Back is the emergency stop."""

    HOLD, CLOSE, OPEN, RELEASE, STOP = 4, 0, 1, 2, 6
    FORWARD, TURN, ASIDE, MOVE, CHOOSE = 1, 0, 3, 4, 6
    DEAD = 0.15
    """share of a stick's way that counts as none"""

    def __init__(self, jog: Jog, speed: Twist) -> None:
        """`speed`: vx, vy [m/s] and wz [rad/s] with the stick all the way."""
        self._jog, self._speed = jog, speed
        self._before: tuple[list[float], list[int]] = ([], [])

    def read(self, axes: Sequence[float], buttons: Sequence[int], measured: Mapping[str, float],
             now: float) -> GamepadView:
        """A message at `now` [s]; axes and buttons that a pad lacks are at rest."""
        axes = [min(max(axis, -1.0), 1.0) if math.isfinite(axis) else 0.0 for axis in axes]
        at_rest: tuple[list[float], list[int]] = [0.0] * 8, [0] * 12
        axes, buttons = [*axes, *at_rest[0][len(axes):]], [*buttons, *at_rest[1][len(buttons):]]
        old_axes, old_buttons = self._before if self._before[1] else at_rest
        self._before = axes, buttons
        new = [bool(b) and not old for b, old in zip(buttons, old_buttons)]
        if not buttons[self.HOLD]:
            return GamepadView(None, e_stop=new[self.STOP], release=new[self.RELEASE])
        if axes[self.CHOOSE] and not old_axes[self.CHOOSE]:
            self._jog.choose(-1 if axes[self.CHOOSE] > 0 else 1)
        forward, turn, aside, move = (axes[i] if abs(axes[i]) > self.DEAD else 0.0
                                      for i in (self.FORWARD, self.TURN, self.ASIDE, self.MOVE))
        if new[self.CLOSE] or new[self.OPEN]:
            command = self._jog.press("c" if new[self.CLOSE] else "o", measured, now)
        else:
            command = self._jog.step(move, measured, now) if move else None
        twist = Twist(vx=self._speed.vx * forward, wz=self._speed.wz * turn, vy=self._speed.vy * aside)
        return GamepadView(twist, command, new[self.STOP], new[self.RELEASE])
