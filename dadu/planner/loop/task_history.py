"""What has happened in a task so far, as the planner may know it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from dadu.knowledge.odds import Odds
from dadu.planner.loop.belief import Belief
from dadu.planner.loop.carried import Grip, apply_gripper_feedback
from dadu.planner.loop.world import TaskWorld
from dadu.planner.situation import Situation
from dadu.planner.step import Step
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult
from dadu.skills.table import lets_go
from dadu.world.graph import ROBOT, Kind, Relation, WorldGraph


class TaskHistory:
    """Finished steps and what follows from them: what is believed, where the robot has looked, what failed."""

    def __init__(self, world: TaskWorld, feedback: bool, odds: Odds) -> None:
        """Without `feedback` (ablation) the planner is told of no outcome: it takes every skill for carried out.
        `odds`: what searches draw on."""
        self.steps: list[Step] = []
        self.situation = Situation(odds=odds)
        self._world, self._feedback = world, feedback
        self._belief, self._grip = Belief(), Grip()

    def observe(self) -> WorldGraph:
        """What is believed now; the caller's own."""
        graph = self._belief.graph(self._world.graph().copy())  # memory may change it while a skill runs
        graph = self._grip.believed(graph, self._world)
        self.situation.extend(len(graph.of(Kind.ROOM)) + len(graph.of(Kind.FURNITURE)))
        return graph

    def learn(self, step: Step, result: SkillResult, before: WorldGraph) -> tuple[Step, SkillResult]:
        """Takes an outcome in; `before`: what was believed when the step was chosen. The finished step, and its outcome
        as the planner may know it."""
        held, gripped = before.held(ROBOT), self._world.holding()
        result = apply_gripper_feedback(step.call, result, before, gripped)
        self._grip.learn(step.call, result, before, gripped)
        if lets_go(step.call.skill) and result.ok and not result.target and held is not None:
            result = replace(result, target=held.id)
        step = replace(step, result=result, end=self._world.now())
        self.steps.append(step)
        known = result if self._feedback else assumed(step.call, held.id if held is not None else "")
        self._belief.learn(step.call, known, step.end)
        self.situation.take(step.call, step.decision.purpose, known, step.end)
        return step, known

    def note(self, step: Step, result: SkillResult) -> Step:
        """Takes in the outcome of a step that changes nothing in the world. The finished step."""
        step = replace(step, result=result, end=self._world.now())
        self.steps.append(step)
        self.situation.take(step.call, "", result, step.end)
        return step

    def fingerprint(self, graph: WorldGraph) -> Hashable:
        """Who is on what, what is open, what was looked at."""
        supports = frozenset(e for e in graph.edges if e.relation is not Relation.NEXT_TO)
        parts = tuple((e.id, p.name, p.open) for e in graph for p in e.parts)
        situation = self.situation
        return supports, parts, situation.extent, len(situation.looked), situation.looks_again.total()

    def told(self) -> tuple[Step, ...]:
        """The steps as the planner may know them."""
        if self._feedback:
            return tuple(self.steps)
        return tuple(replace(step, result=assumed(step.call)) for step in self.steps)


def assumed(call: SkillCall, held: str = "") -> SkillResult:
    """What a planner without feedback takes for the outcome of every skill."""
    return SkillResult(Code.SUCCEEDED, "assumed", target=held if lets_go(call.skill) else "")
