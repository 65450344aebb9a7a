"""How a task ended: outcome, counts, costs, and what was achieved, what not, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dadu.planner.cost import Cost, ModelCall, total
from dadu.planner.step import Step
from dadu.skills.outcome import SkillResult


@dataclass(frozen=True)
class TaskReport:
    """The result of one instruction."""

    success: bool
    """the goal holds in memory: the planner's own, or that of the check that was asked for"""
    outcome: SkillResult
    steps: tuple[Step, ...] = ()
    planning_seconds: float = 0.0
    """wall time"""
    elapsed: float = 0.0
    """[s] on the clock in use"""
    calls: tuple[ModelCall, ...] = ()
    """all that was asked of a model, in order"""
    checked_by: str = ""
    """the interpreter by whose reading of the words a planner that tells no goal was confirmed; empty: by none"""

    @property
    def summary(self) -> str:
        return self.outcome.message

    @property
    def replans(self) -> int:
        return replans(self.steps)

    @property
    def cost(self) -> Cost:
        """Of the model, over the whole task."""
        return total(self.calls)

    @property
    def tokens_in(self) -> int:
        return self.cost.tokens_in

    @property
    def tokens_out(self) -> int:
        return self.cost.tokens_out


def replans(steps: Sequence[Step]) -> int:
    """How often the plan changed from what the step before expected."""
    pairs = zip(steps, steps[1:])
    return sum(a.decision.plan[1:] != b.decision.plan for a, b in pairs if a.decision.plan and b.decision.plan)
