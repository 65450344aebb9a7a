"""When a task that is not achieved ends all the same: out of steps, out of time, or out of ways."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from itertools import takewhile

from dadu.planner.settings import LoopSettings
from dadu.planner.situation import TRIES
from dadu.planner.step import Step
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult

PATIENCE = 4 * TRIES
"""steps in a row that fail, of the robot itself or because a skill's server is gone: all `TRIES` of four calls"""
_UNUSABLE_TURNS = TRIES
"""turns in a row in which a model gives no skill that can be used"""
_FORMAT = (Code.UNKNOWN_ACTION, Code.UNKNOWN_TARGET)
_GONE = (Code.UNREACHABLE_BACKEND, Code.CANCELLED)
_TRANSIENT = (*_GONE, Code.OPERATOR_OVERRIDE, Code.SAFETY_STOP)


class TaskLimits:
    """Follows one task; `reason` once a turn."""

    def __init__(self, settings: LoopSettings) -> None:
        self._settings = settings
        self._tried: Counter[tuple[Hashable, Hashable]] = Counter()
        self._refused = 0
        self._last_success = 0

    def learn(self, step: Step, situation: Hashable) -> None:
        """`situation` in which the step was chosen."""
        if step.outcome.ok:
            self._last_success = step.index
        if step.outcome.code not in _TRANSIENT:
            self._tried[situation, step.call] += 1

    def insists(self) -> bool:
        """Called when the planner says done and is not: whether it has said so too often."""
        self._refused += 1
        return self._refused >= self._settings.same_step

    def reason(self, steps: Sequence[Step], elapsed: float) -> SkillResult | None:
        """Why the task ends; None: it goes on. `elapsed`: the task's time [s]."""
        settings, newest = self._settings, steps[-1].outcome if steps else None
        if len(steps) - _tidying(steps) >= settings.max_steps:
            return SkillResult(Code.TIMED_OUT, f"no more than {settings.max_steps} steps")
        if elapsed > settings.max_seconds:
            return SkillResult(Code.TIMED_OUT, f"no more than {settings.max_seconds:.0f} s")
        if newest is None:
            return None
        if _trailing_steps(steps, _gone) >= PATIENCE:
            return SkillResult(Code.UNREACHABLE_BACKEND, newest.message)
        if _trailing_steps(steps, _unusable) >= _UNUSABLE_TURNS:
            return SkillResult(newest.code, f"the planner gives no skill that can be used: {newest.message}")
        if len(steps) - self._last_success >= PATIENCE and newest.code not in _TRANSIENT:
            return SkillResult(newest.code, "nothing works any more", "no_progress")
        if max(self._tried.values(), default=0) >= settings.same_step:
            return SkillResult(Code.EXECUTION_FAILED, "no progress any more", "no_progress")
        return None


def _tidying(steps: Sequence[Step]) -> int:
    """Steps that shut something, and those that went there for it: whoever tidies up as he goes has not fewer for what
    was asked. Nothing can be shut oftener than it is opened, which counts."""
    shut = [i for i, step in enumerate(steps) if step.call.skill == "close" and step.outcome.ok]
    went = [i for i in shut if i and steps[i - 1].call == SkillCall("go_to", steps[i].call.arguments[:1])]
    return len(shut) + len(went)


def _gone(step: Step) -> bool:
    """The server of the skill, or the simulator, did not answer."""
    return step.outcome.code in _GONE


def _unusable(step: Step) -> bool:
    """The planner named no skill that can be carried out."""
    return step.decision.failure is not None and step.outcome.code in _FORMAT


def _trailing_steps(steps: Sequence[Step], kind: Callable[[Step], bool]) -> int:
    """The newest steps that are all of one kind."""
    return sum(1 for _ in takewhile(kind, reversed(steps)))
