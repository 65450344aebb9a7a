"""Does Stretch's driver listen, and what is to do next to bring it into the mode that a command needs.

stretch_driver changes its mode only between goals: a switch that it is asked for while a goal is under way holds up
everything it does, its joint states included, until that goal ends. So a goal is cancelled, and its end awaited, first.
Every wait has an end, a sentence that says what is wrong, and another try.
"""

from __future__ import annotations

from enum import Enum, auto

from pydantic import PositiveFloat

from dadu.core.config import Settings
from dadu.robots.drivers.stretch_commands import Mode

_OUT_OF_OUR_HANDS = {
    "runstopped": "Stretch's runstop button is pressed; press it again to release the robot",
    "homing": "Stretch is homing its joints; wait until it has",
    "stowing": "Stretch is stowing its arm; wait until it has",
}
"""modes that the driver leaves by itself, and what to tell"""


class LinkSettings(Settings):
    """How long the driver is waited for [s]."""

    silence: PositiveFloat = 1.0
    """without joint states, after which it counts as gone"""
    switch: PositiveFloat = 2.0
    """in which it must answer a change of mode"""
    cancel: PositiveFloat = 2.0
    """after which a goal that was cancelled counts as ended, whether or not the driver says so"""
    longest_pause: PositiveFloat = 8.0
    """between two tries; the first comes after `switch`, every further one after twice the pause before"""


class LinkStep(Enum):
    """What to do now."""

    GO = auto()
    """hand the command over"""
    WAIT = auto()
    CANCEL = auto()
    """end the goal under way; then report `goal_ended`"""
    SWITCH = auto()
    """ask for the mode; then report `answered`"""


class DriverLink:
    """Keeps the driver's mode. Times [s] on any one clock."""

    def __init__(self, settings: LinkSettings | None = None, latched: bool = False) -> None:
        """`latched`: the mode is told once whenever it changes, not again and again."""
        self.settings, self._latched = settings or LinkSettings(), latched
        self._heard = -float("inf")
        self._began = False
        self._homed = True
        self.mode = ""
        """as the driver says; empty: not known"""
        self._trusted = -float("inf")
        self._goal = False
        self._cancelled: float | None = None
        self._asked: float | None = None
        self._pause = self.settings.switch
        self._failed, self._retry = "", -float("inf")

    def joints_heard(self, now: float) -> None:
        self._heard, self._began = now, True

    def mode_heard(self, mode: str, now: float) -> None:
        """The driver says which mode it is in; what it goes on saying for a moment after its last answer is old."""
        if self._latched or now - self._trusted > 0.15:
            self.mode = mode

    def homed_heard(self, homed: bool) -> None:
        """The driver says that the joints know where they are, or that they do not."""
        self._homed = homed

    def goal_began(self) -> None:
        """The driver has taken a goal."""
        self._goal, self._cancelled = True, None

    def goal_ended(self) -> None:
        """No goal is under way any more."""
        self._goal, self._cancelled = False, None

    def answered(self, mode: Mode, success: bool, message: str, now: float) -> None:
        """The answer to a change of mode."""
        if not success:
            self._fail(f"Stretch's driver refused {mode.value} mode: {message}", now)
            return
        self.mode, self._trusted = mode.value, now
        self._begin_anew()

    def next(self, wanted: Mode | None, now: float) -> LinkStep:
        """What to do for a command that needs mode `wanted`; None: any will do. To be called regularly."""
        if self._gone(now):
            # A driver that comes back starts anew: nothing of what it was doing or asked is left.
            self.mode = self.mode if self._latched else ""
            self.goal_ended()
            self._begin_anew()
            return LinkStep.WAIT
        if self._asked is not None and now - self._asked > self.settings.switch:
            self._fail("Stretch's driver does not answer when its mode is to change; restart stretch_driver", now)
        if self.mode in _OUT_OF_OUR_HANDS or not self._homed:
            return LinkStep.WAIT
        if wanted is None or wanted.value == self.mode:
            return LinkStep.GO
        if self._goal:
            return self._cancel(now)
        if self._asked is not None or now < self._retry:
            return LinkStep.WAIT
        self._asked = now
        return LinkStep.SWITCH

    def problem(self, now: float) -> str:
        """Why nothing moves, in a sentence; empty: nothing is wrong."""
        if not self._began:
            return "Stretch's driver has not reported its joints yet"
        if self._gone(now):
            return f"Stretch's driver has been silent for {now - self._heard:.1f} s; is stretch_driver running?"
        if self.mode in _OUT_OF_OUR_HANDS:
            return _OUT_OF_OUR_HANDS[self.mode]
        if not self._homed:
            return "Stretch is not homed: run stretch_robot_home.py, or call /home_the_robot"
        return self._failed if now < self._retry else ""

    def _fail(self, sentence: str, now: float) -> None:
        self._failed, self._retry, self._asked = sentence, now + self._pause, None
        self._pause = min(2 * self._pause, self.settings.longest_pause)

    def _begin_anew(self) -> None:
        self._failed, self._retry, self._asked = "", -float("inf"), None
        self._pause = self.settings.switch

    def _cancel(self, now: float) -> LinkStep:
        if self._cancelled is None:
            self._cancelled = now
            return LinkStep.CANCEL
        if now - self._cancelled > self.settings.cancel:
            self.goal_ended()  # whoever had it knows nothing of it any more
        return LinkStep.WAIT

    def _gone(self, now: float) -> bool:
        return now - self._heard > self.settings.silence
