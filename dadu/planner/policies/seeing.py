"""A policy with a second opinion by eye: a model that sees is shown the camera's picture where that can help, after
go_to, after a pick that failed, and before the task is called done.

Source: DaDu-E, section 3.3.
"""

from __future__ import annotations

import time
from dataclasses import replace

from dadu.planner.model.vision import TargetView, VisionModel
from dadu.planner.policies.policy import Learner, Policy, Turn
from dadu.planner.report import TaskReport
from dadu.planner.situation import Situation
from dadu.planner.step import Decision
from dadu.skills.outcome import Code
from dadu.skills.specification import Takes
from dadu.skills.table import does
from dadu.world.graph import Kind


class SeeingPolicy:
    """`policy`, told what `eyes` see."""

    def __init__(self, policy: Policy, eyes: VisionModel, patience: float) -> None:
        """`patience`: wall seconds for one picture."""
        self._policy, self._eyes, self._patience = policy, eyes, patience
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
            decision = replace(decision, calls=(sight.call, *decision.calls), query=sight.query, side=sight.side)
        return self._done_by_sight(decision, told) if decision.call.skill == "done" else decision

    def learn(self, instruction: str, report: TaskReport) -> None:
        """The policy may learn from it."""
        if isinstance(self._policy, Learner):
            self._policy.learn(instruction, report)

    def _look(self, turn: Turn) -> TargetView | None:
        """What the picture shows of what is about to be picked; None where nothing is, or nobody sees."""
        target = _sought(turn)
        picture = turn.picture() if target else None
        if picture is None:
            return None
        return self._eyes.look(picture, target, _place(turn, target), time.monotonic() + self._patience)

    def _done_by_sight(self, decision: Decision, turn: Turn) -> Decision:
        """The decision, or, once a task, what is chosen instead where the picture shows that it is not done. Who
        pursues a goal of its own, or has been doubted already, knows better than one picture."""
        picture = None if turn.progress is not None or turn.doubted or self._objected is turn.situation \
            else turn.picture()
        view = self._eyes.done(picture, turn.instruction, time.monotonic() + self._patience) \
            if picture is not None else None
        if view is None:
            return decision
        if not view.done:
            self._objected = turn.situation
            remark = f"The picture does not show it done: {view.reason}"
            again = self._policy.choose(replace(turn, feedback=f"{remark} {turn.feedback}".strip()))
            return replace(again, calls=(*decision.calls, view.call, *again.calls))
        return replace(decision, calls=(*decision.calls, view.call))


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


def _place(turn: Turn, target: str) -> str:
    """What it is on or in, as far as that is known, else where the robot has gone."""
    edge = turn.graph.support(target)
    drives = [s.call.arguments[0] for s in turn.history if s.call.skill == "go_to"]
    return edge.object if edge is not None else next(reversed(drives), target)
