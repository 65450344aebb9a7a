"""A policy that pursues a goal of its own, of which the loop knows nothing."""

from __future__ import annotations

from dataclasses import replace

from dadu.goals.progress import Progress
from dadu.planner.goal_tracker import GoalTracker
from dadu.planner.policies.policy import PolicyUnavailable, TaskPlanner, Turn
from dadu.planner.step import Decision
from dadu.skills.outcome import Code, SkillResult


class WithOwnGoal:
    """For taking over from another policy, which hears nothing of that goal: `follow` the task from its start, then
    `choose` at any turn."""

    def __init__(self, planner: TaskPlanner) -> None:
        """`planner`: with an interpreter."""
        self._planner = planner
        self._goal: GoalTracker | None = None
        self._learned = 0

    @property
    def name(self) -> str:
        return self._planner.policy.name

    @property
    def progress(self) -> Progress | None:
        """How far the goal is reached; None where there is none yet."""
        return self._goal.progress if self._goal is not None else None

    def follow(self, turn: Turn) -> GoalTracker:
        """Takes in what was done and is believed now; the goal as it stands."""
        if self._goal is None:
            self._goal = GoalTracker(turn.instruction, self._planner.interpreter, turn.vocabulary)
        for step in turn.history[self._learned:]:
            if step.result is not None:
                self._goal.learn(step.call, step.result)
        self._learned = len(turn.history)
        self._goal.follow(turn.graph, turn.situation)
        return self._goal

    def choose(self, turn: Turn) -> Decision:
        """Errors: PolicyUnavailable where there is no goal."""
        goal = self.follow(turn)
        if goal.no_goal is not None:
            raise PolicyUnavailable(f"the {self.name} planner does not understand this instruction: "
                                    f"{goal.no_goal.message}")
        decision = self._planner.policy.choose(replace(
            turn, progress=goal.progress, look_first=goal.look_first))
        verdict = _verdict(goal, turn) if decision.call.skill == "done" else None
        return replace(decision, substitutions=goal.substitutions, verdict=verdict)


def _verdict(goal: GoalTracker, turn: Turn) -> SkillResult:
    """How the task has ended by this goal."""
    so_far = goal.so_far(turn.graph)
    if goal.achieved(turn.graph):
        return SkillResult(Code.SUCCEEDED, so_far)
    return SkillResult(Code.EXECUTION_FAILED, so_far, "gave_up")
