"""A skill is a generator: it receives observations, yields commands, and returns a `SkillResult`.

Sub-skills compose with ``yield from``. The same generator is ticked by a ROS node's timer and by `run` below, in
simulated or real time, so its logic is tested without ROS and is deterministic in lock step.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TypeAlias

from dadu.core.robot import Command, Observation, Robot
from dadu.skills.outcome import Code, SkillResult
from dadu.world.graph import UnknownEntity

Skill: TypeAlias = Generator[Command, Observation, SkillResult]
"""Every ``observation = yield command`` acts and hands back the newest observation, one tick later; a skill that needs
one before it moves begins with ``observation = yield Command()``."""


TICK = 0.05
"""[s] between two ticks of a skill, in simulated or real time, and of what stops a robot"""
_LOOKS = 3
"""commands, at most, that only wait for an observation before a skill knows whether it is possible: that of
`dadu.manipulation.recover_then`, its own, and one that moves something"""


class SkillRunner:
    """Ticks one skill to its end, obeying cancellation and a deadline, and leaves the robot safe.

    One tick takes the newest observation and returns the next command, or None when the skill has ended and
    `result` is set. A skill that is interrupted gets `GeneratorExit` at its current yield, and the command of
    that tick is `Command.stop()`.
    """

    def __init__(self, skill: Skill, deadline: float | None = None) -> None:
        """`deadline` [s] is absolute, on the clock of `Observation.stamp`; it may be set later."""
        self._skill = skill
        self.deadline = deadline
        self._first: Command | None = None
        """what the skill asked for first, where it has looked already"""
        self._started = False
        self._interruption: SkillResult | None = None
        self.result: SkillResult | None = None

    def interrupt(self, code: Code, message: str) -> None:
        """Ends the skill at the next tick with `code` (CANCELLED, OPERATOR_OVERRIDE, SAFETY_STOP, ...)."""
        self.end(SkillResult(code, message))

    def end(self, result: SkillResult) -> None:
        """Ends the skill at the next tick with this result."""
        self._interruption = result

    def look(self, observation: Observation) -> None:
        """Lets the skill look before anything moves, so that one that is not possible has its `result` already; what it
        asks for then the first `tick` returns."""
        for _ in range(_LOOKS):
            self._first = self._next(observation)
            if self.result is not None or self._first != Command():
                return

    def tick(self, observation: Observation) -> Command | None:
        """The command for this tick; after the end, None."""
        if self._first is not None and self._interruption is None:
            first, self._first = self._first, None
            return first
        if self.result is not None:
            return None
        if self._interruption is None and self.deadline is not None and observation.stamp > self.deadline:
            self._interruption = SkillResult(Code.TIMED_OUT, "the skill ran past its deadline; try again or elsewhere")
        if self._interruption is not None:
            self._skill.close()
            self.result = self._interruption
            return Command.stop()
        return self._next(observation)

    def _next(self, observation: Observation) -> Command:
        try:
            if not self._started:
                self._started = True
                return next(self._skill)
            return self._skill.send(observation)
        except StopIteration as end:
            self.result = end.value
        except UnknownEntity as error:  # memory has dropped it, or calls it something else, since the skill began
            self.result = SkillResult(Code.UNKNOWN_TARGET, f"{error}; look again")
        return Command.stop()


def run(skill: Skill, robot: Robot, advance: Callable[[float], None], *, period: float = 0.05,
        timeout: float = 300.0) -> SkillResult:
    """Runs `skill` in process: observe, tick, act, `advance(period)` [s] (step a simulator, or sleep).

    Returns the skill's result; after `timeout` [s] of the robot's clock, TIMED_OUT.
    """
    runner = SkillRunner(skill, robot.observe().stamp + timeout)
    while True:
        command = runner.tick(robot.observe())
        if command is not None:
            robot.act(command)
        if runner.result is not None:
            return runner.result
        advance(period)
