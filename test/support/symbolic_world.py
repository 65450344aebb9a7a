"""A world without geometry for the planner's tests: skills have their effects, or the failures put on them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from dadu.planner.loop.loop import ClosedLoop
from dadu.planner.report import TaskReport
from dadu.skills.call import SkillCall
from dadu.skills.effects import apply
from dadu.skills.outcome import Code, SkillResult
from dadu.world.graph import Edge, Kind, Relation, WorldGraph

Failure = Callable[[SkillCall, int], SkillResult | None]


@dataclass
class SymbolicWorld:
    """`truth` is how things are, `memory` what has been seen of it: rooms explored, containers looked into."""

    truth: WorldGraph
    memory: WorldGraph
    fail: Failure = lambda call, count: None
    """result to give instead of carrying out a call, by the call and how often it came before"""
    grip: bool | None = None
    """what `holding` says; None: as it is"""
    calls: list[SkillCall] = field(default_factory=list)
    clock: float = 0.0

    def graph(self) -> WorldGraph:
        return self.memory

    def now(self) -> float:
        return self.clock

    def holding(self) -> bool:
        return self.truth.held("robot") is not None

    def execute(self, call: SkillCall) -> SkillResult:
        self.clock += 10.0
        count = self.calls.count(call)
        self.calls.append(call)
        failure = self.fail(call, count) or self._illegal(call)
        if failure is not None:
            return failure
        held = self.truth.held("robot")
        self.truth = apply(self.truth, call, self.clock)
        self._see(call, held.id if held else "")
        target = held.id if call.skill == "place" else call.arguments[0] if call.arguments else ""
        return SkillResult(Code.SUCCEEDED, "done", target=target)

    def drop(self, room: str) -> str:
        """Knocks what is held from the hand; it lies in `room`."""
        held = self.truth.held("robot").id
        self.truth.set_support(held, Edge(held, Relation.IN_ROOM, room))
        return held

    def _illegal(self, call: SkillCall) -> SkillResult | None:
        """The logic errors that EMMOE counts, so that a plan that only looks right fails here."""
        held = self.truth.held("robot")
        if call.skill in ("pick", "open", "close") and held is not None:
            return SkillResult(Code.HAND_FULL, f"{held.id} is in the hand; put it down first")
        if call.skill == "place" and held is None:
            return SkillResult(Code.HAND_EMPTY, "nothing is in the hand")
        if call.skill == "pick":
            edge = self.truth.support(call.arguments[0])
            if call.arguments[0] not in self.truth:
                return SkillResult(Code.UNKNOWN_TARGET, f"{call.arguments[0]} is not seen", "not_there")
            if edge is not None and edge.relation is Relation.IN and self.truth[edge.object].closed:
                return SkillResult(Code.CONTAINER_CLOSED, f"{edge.object} is closed", target=edge.object)
        if call.skill == "place" and call.arguments[0] == "in" and self.truth[call.arguments[1]].closed:
            return SkillResult(Code.CONTAINER_CLOSED, f"{call.arguments[1]} is closed", target=call.arguments[1])
        return None

    def _see(self, call: SkillCall, held: str) -> None:
        """Memory learns the effect, and what can be seen from there."""
        if call.skill != "place" or held in self.memory:
            self.memory = apply(self.memory, call, self.clock)
        if call.skill == "explore":
            self._reveal(lambda id: (room := self.truth.room_of(id)) is not None and room.id == call.arguments[0])
        elif call.skill in ("go_to", "open") and call.arguments[0] in self.truth:
            self._reveal(lambda id: (e := self.truth.support(id)) is not None and e.object == call.arguments[0])

    def _reveal(self, near: Callable[[str], bool]) -> None:
        for entity in self.truth.of(Kind.OBJECT):
            edge = self.truth.support(entity.id)
            hidden = edge is not None and edge.relation is Relation.IN and self.truth[edge.object].closed
            if near(entity.id) and not hidden:
                self.memory.put(replace(entity, stamp=self.clock, provenance="detection"))
                self.memory.set_support(entity.id, edge)


def run(loop: ClosedLoop, world: SymbolicWorld, disturb: Callable[[SkillCall, int], None] = lambda call, step: None
        ) -> TaskReport:
    """Runs a task to its end; `disturb` is called after each step."""
    steps = loop.run()
    try:
        call = next(steps)
        while True:
            result = world.execute(call)
            disturb(call, len(world.calls))
            call = steps.send(result)
    except StopIteration as end:
        return end.value
