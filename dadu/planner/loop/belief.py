"""Memory's graph, with the outcomes that memory has not heard of yet."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from dadu.skills.call import SkillCall
from dadu.skills.effects import ROBOT, apply
from dadu.skills.outcome import Code, SkillResult
from dadu.skills.specification import MovesPart, Puts, Takes
from dadu.skills.table import does
from dadu.world.graph import Edge, Relation, WorldGraph
from dadu.world.handles import split_handle_path

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
            memory = _after(memory, call, result, stamp)
        return memory


def _concerns(pending: tuple[float, SkillCall, SkillResult], memory: WorldGraph) -> bool:
    stamp, call, result = pending
    id = _subject(call, result)
    return bool(id) and id in memory and memory[id].stamp < stamp - _ROUNDING


def _subject(call: SkillCall, result: SkillResult) -> str:
    """The entity that an outcome changes."""
    if does(call.skill, Puts) or result.code is Code.OBJECT_LOST:
        return result.target
    if does(call.skill, Takes):
        return result.target or call.arguments[0]
    return call.arguments[0] if does(call.skill, MovesPart) else ""


def _after(graph: WorldGraph, call: SkillCall, result: SkillResult, stamp: float) -> WorldGraph:
    if result.code is Code.OBJECT_LOST:
        graph = graph.copy()
        graph.set_support(_subject(call, result), None)
        graph.change(_subject(call, result), provenance="skill", stamp=stamp)
        return graph
    if result.code is Code.CONTAINER_CLOSED and result.target in graph:
        return apply(graph, SkillCall("close", (result.target,)), stamp)
    if not result.ok:
        return graph
    if does(call.skill, Puts) and graph.held(ROBOT) is None:
        # Memory may have dropped the hold before it knew the place.
        graph = graph.copy()
        graph.set_support(result.target, Edge(result.target, Relation.HELD_BY, ROBOT))
    if does(call.skill, Takes):
        call = replace(call, arguments=(_subject(call, result),))
    if does(call.skill, MovesPart) and split_handle_path(result.target)[0] == call.arguments[0]:
        call = replace(call, arguments=(result.target,))  # the others stand as they did
    return apply(graph, call, stamp)
