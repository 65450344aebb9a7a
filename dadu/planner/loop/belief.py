"""Memory's graph, with the outcomes that memory has not heard of yet."""

from __future__ import annotations

from dataclasses import dataclass, field

from dadu.skills.call import SkillCall
from dadu.skills.effects import apply, believed, subject
from dadu.skills.outcome import Code, SkillResult
from dadu.skills.specification import Puts
from dadu.skills.table import does
from dadu.world.graph import WorldGraph

_ROUNDING = 1e-3
"""[s]; stamps pass through messages"""


@dataclass
class Belief:
    """An outcome counts until memory's entity is newer than it: memory runs in another process, and may be late or be
    starting anew."""

    pending: list[tuple[float, SkillCall, SkillResult]] = field(default_factory=list)
    states: dict[str, dict[str, bool]] = field(default_factory=dict)
    """what skills made of things and sight does not tell: heated in the oven, cooled in the fridge"""
    _last: WorldGraph | None = None

    def learn(self, call: SkillCall, result: SkillResult, stamp: float) -> None:
        """One more outcome, at `stamp` [s]. Where the hand is full after all, what may have been put down was not."""
        if result.code is Code.HAND_FULL:
            self.pending = [p for p in self.pending if not (does(p[1].skill, Puts) and p[2].code is Code.UNCERTAIN)]
        self.pending.append((stamp, call, result))
        if self._last is not None and result.ok:
            after = apply(self._last, call)
            for entity in self._last:
                if after[entity.id].states != entity.states:
                    self.states.setdefault(entity.id, {}).update(after[entity.id].states)

    def graph(self, memory: WorldGraph) -> WorldGraph:
        """What is believed now."""
        self._last = self._outcomes(memory)
        for id, states in self.states.items():
            if id in self._last:
                self._last.change(id, states=self._last[id].states | states)
        return self._last

    def _outcomes(self, memory: WorldGraph) -> WorldGraph:
        """Memory with what it has not heard of yet."""
        self.pending = [p for p in self.pending if _concerns(p, memory)]
        for stamp, call, result in self.pending:
            memory = believed(memory, call, result, stamp)
        return memory


def _concerns(pending: tuple[float, SkillCall, SkillResult], memory: WorldGraph) -> bool:
    stamp, call, result = pending
    id = subject(call, result)
    return bool(id) and id in memory and memory[id].stamp < stamp - _ROUNDING
