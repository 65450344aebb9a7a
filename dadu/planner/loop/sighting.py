"""Watches for what a step is to find, while the robot still looks for it."""

from __future__ import annotations

from collections.abc import Sequence

from dadu.planner.loop.world import TaskWorld
from dadu.planner.search_target import SearchKinds, SearchTarget
from dadu.planner.step import Decision, Step
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, Detail, SkillResult


class Sighting:
    """Watches memory's graph during one skill at a time. `found` may be called from any thread."""

    def __init__(self, world: TaskWorld) -> None:
        self._world = world
        self._seeks: SearchTarget | SearchKinds | None = None
        self._call: SkillCall | None = None
        self._since: float | None = None

    def begin(self, decision: Decision, history: Sequence[Step]) -> None:
        """The next skill. One that is chosen again for the same although it was cut short runs to its end: what was
        seen did not serve."""
        last = history[-1] if history else None
        again = (last is not None and last.call == decision.call and last.outcome.detail == Detail.SEEN
                 and decision.seeks is not None and last.decision.seeks is not None
                 and last.decision.seeks.again(decision.seeks))
        self._seeks, self._call, self._since = None if again else decision.seeks, decision.call, None

    def found(self, lasting: float = 0.0) -> SkillResult | None:
        """The outcome of a look that may end here, since memory has held what it is for for `lasting` [s]; None while
        it has to go on. Whoever carries out the skill asks now and then, and ends it."""
        things = self._seeks.found(self._world.graph()) if self._seeks is not None else ()
        if not things or self._call is None:
            self._since = None
            return None
        now = self._world.now()
        self._since = now if self._since is None else self._since
        if now < self._since + lasting:
            return None
        return SkillResult(Code.SUCCEEDED, f"{', '.join(things)} seen; looked no further", Detail.SEEN,
                           self._call.arguments[0])
