"""Driving by keyboard: what each key means, without a terminal or ROS."""

from __future__ import annotations

import math
from enum import Enum

from dadu.core.robot import Twist

PERSISTENCE = 0.6
"""[s] that a key press lasts: longer than a terminal waits before it repeats a key that is held"""
_STEP = 1.25
_SCALE = (0.2, 2.0)

_DIRECTIONS = {"w": (1, 0, 0), "s": (-1, 0, 0), "a": (0, 1, 0), "d": (0, -1, 0), "z": (0, 0, 1), "x": (0, 0, -1),
               "up": (1, 0, 0), "down": (-1, 0, 0), "left": (0, 1, 0), "right": (0, -1, 0)}

HELP = """\
  w / up      forward        a / left    turn left       + / -   faster, slower
  s / down    backward       d / right   turn right      space   stop
  z / x       left and right, of an omnidirectional base
  r  give the base back to autonomy      e  emergency stop, again to release      q  quit
Hold a key to drive. Two seconds after the last key, autonomy has the base again; an emergency stop stays."""


class KeyRequest(Enum):
    """What a key asks for beside driving."""

    RELEASE = "r"
    E_STOP = "e"
    QUIT = "q"


class KeyboardDriver:
    """Turns key presses into a twist."""

    def __init__(self, speed: Twist) -> None:
        """`speed`: vx, vy [m/s] and wz [rad/s] at scale 1."""
        self._speed = speed
        self._direction = (0, 0, 0)
        self._pressed = -math.inf
        self.scale = 1.0

    def press(self, key: str, now: float) -> KeyRequest | None:
        """Takes one key at `now` [s]; returns what it asks for beside driving."""
        if key in _DIRECTIONS or key == " ":
            self._direction, self._pressed = _DIRECTIONS.get(key, (0, 0, 0)), now
        elif key in "+=":
            self.scale = min(_SCALE[1], self.scale * _STEP)
        elif key in "-_":
            self.scale = max(_SCALE[0], self.scale / _STEP)
        elif key in ("q", "\x03", "\x04"):  # also Ctrl-C and Ctrl-D, which a raw terminal hands through
            return KeyRequest.QUIT
        elif key in ("r", "e"):
            self._pressed = -math.inf
            return KeyRequest(key)
        return None

    def twist(self, now: float) -> Twist | None:
        """What to send at `now` [s]: while a key lasts its twist, for as long again a stop, then None."""
        age = now - self._pressed
        if age >= 2 * PERSISTENCE:
            return None
        forward, turn, aside = self._direction if age < PERSISTENCE else (0, 0, 0)
        return Twist(vx=forward * self._speed.vx * self.scale, wz=turn * self._speed.wz * self.scale,
                     vy=aside * self._speed.vy * self.scale)
