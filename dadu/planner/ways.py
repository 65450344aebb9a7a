"""Which of a skill's ways is taken where whoever plans names none: the one that is expected to cost least."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult

_ELSEWHERE = 0.25
"""what a failure at another call of the skill says of this one"""
_LATER = 0.3
"""failures that the way named before another is borne with beyond that one's: less than one at the very call, more than
one elsewhere"""
_ANOTHER_MAY_DO = (Code.EXECUTION_FAILED, Code.OBJECT_LOST, Code.TIMED_OUT, Code.UNREACHABLE_BACKEND, Code.TOO_FAR,
                   Code.TOO_CLOSE)
"""what the world itself forbids, such as a full hand, it forbids to all"""


@dataclass
class WayCosts:
    """At what each way has failed since it last worked there."""

    failures: Counter[tuple[SkillCall, str]] = field(default_factory=Counter)

    def take(self, call: SkillCall, result: SkillResult) -> None:
        """One more outcome."""
        if result.ok:
            self.failures.pop((call, result.by), None)
        elif result.by and result.code in _ANOTHER_MAY_DO:
            self.failures[call, result.by] += 1

    def choose(self, names: Sequence[str], call: SkillCall) -> str:
        """The cheapest of `names`, the first of those that cost the same."""
        return min(names, key=lambda name: self._cost(name, call) + _LATER * names.index(name))

    def copy(self) -> WayCosts:
        return WayCosts(Counter(self.failures))

    def _cost(self, name: str, call: SkillCall) -> float:
        """In failures."""
        return sum(count * (1.0 if failed == call else _ELSEWHERE) for (failed, by), count in self.failures.items()
                   if by == name and failed.skill == call.skill)
