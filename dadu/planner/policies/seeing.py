"""A policy with a second opinion by eye: whoever sees is asked where that can help, after go_to, after a pick that
failed, and before the task is called done.

Source: DaDu-E, section 3.3.
"""

from __future__ import annotations

from dataclasses import replace

from dadu.planner.policies.policy import Learner, Policy, Turn
from dadu.planner.policies.views import Onlooker, TargetView
from dadu.planner.report import TaskReport
from dadu.planner.situation import Situation
from dadu.planner.step import Decision
from dadu.skills.outcome import Code
from dadu.skills.specification import Takes
from dadu.skills.table import does
from dadu.world.graph import Kind


class SeeingPolicy:
    """`policy`, told what `eyes` see."""

    def __init__(self, policy: Policy, *eyes: Onlooker) -> None:
        """The first of the `eyes` that can answer does."""
        self._policy, self._eyes = policy, eyes
        self._objected: Situation | None = None

    @property
    def name(self) -> str:
        return self._policy.name

    def choose(self, turn: Turn) -> Decision:
        """Errors: PolicyUnavailable."""
        sight = self._look(turn)
        told = replace(turn, feedback=f"{sight.remark} {turn.feedback}".strip()) if sight is not None else turn
        decision = self._policy.choose(told)
        if sight is not None:
            decision = replace(decision, calls=(*sight.calls, *decision.calls), query=sight.query, side=sight.side,
                               sighted=f"{sight.by}: {sight.remark}" if sight.remark else "")
        return self._done_by_sight(decision, told) if decision.call.skill == "done" else decision

    def learn(self, instruction: str, report: TaskReport) -> None:
        """The policy may learn from it."""
        if isinstance(self._policy, Learner):
            self._policy.learn(instruction, report)

    def _look(self, turn: Turn) -> TargetView | None:
        """What is seen of what is about to be picked; None where nothing is, or nobody sees."""
        target = _sought(turn) if turn.looks else ""
        if not target:
            return None
        edge = turn.graph.support(target)
        drives = [s.call.arguments[0] for s in turn.history if s.call.skill == "go_to"]
        place = edge.object if edge is not None else next(reversed(drives), target)
        return next(filter(None, (eyes.look(turn, target, place) for eyes in self._eyes)), None)

    def _done_by_sight(self, decision: Decision, turn: Turn) -> Decision:
        """The decision, or, once a task, what is chosen instead where it is seen that it is not done. Who pursues a
        goal of its own, or has been doubted already, knows better than one look."""
        if turn.progress is not None or turn.doubted or not turn.looks or self._objected is turn.situation:
            return decision
        view = next(filter(None, (eyes.done(turn) for eyes in self._eyes)), None)
        if view is None:
            return decision
        sighted = f"{view.by}: {view.reason}"
        if not view.done:
            self._objected = turn.situation
            remark = f"It is not seen to be done: {view.reason}"
            again = self._policy.choose(replace(turn, feedback=f"{remark} {turn.feedback}".strip()))
            return replace(again, calls=(*decision.calls, *view.calls, *again.calls), sighted=sighted)
        return replace(decision, calls=(*decision.calls, *view.calls), sighted=sighted)


def _sought(turn: Turn) -> str:
    """What the robot has come to pick up, the plan's next object, else the object that it was sent to; or what it has
    just failed to pick; empty where it is neither."""
    last = turn.history[-1] if turn.history else None
    if last is None or last.result is None:
        return ""
    if does(last.call.skill, Takes) and not last.result.ok and last.result.code is not Code.HAND_FULL:
        return last.call.arguments[0]
    if last.call.skill != "go_to" or not last.result.ok:
        return ""
    following = last.decision.plan[1] if len(last.decision.plan) > 1 else None
    if following is not None and does(following.skill, Takes):
        return following.arguments[0]
    target = turn.graph.entities.get(last.call.arguments[0])
    return target.id if target is not None and target.kind is Kind.OBJECT else ""
