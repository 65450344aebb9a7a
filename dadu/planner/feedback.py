"""Outcomes as sentences for the next turn."""

from __future__ import annotations

from dadu.planner.step import Step
from dadu.skills.outcome import Code, SkillResult


def line(step: Step) -> str:
    """``3. pick(milk_0) -> EXECUTION_FAILED (no_grasp): ...``; a skill that worked needs no more than its name."""
    result = step.result
    if result is None:
        return f"{step.index}. {step.call}"
    if result.code is Code.SUCCEEDED:
        return f"{step.index}. {step.call} -> SUCCEEDED"
    detail = f" ({result.detail})" if result.detail else ""
    return f"{step.index}. {step.call} -> {result.code.name}{detail}: {result.message}"


def dropped(held: str, call: str) -> SkillResult:
    """What was in the hand is gone."""
    return SkillResult(Code.OBJECT_LOST, f"{held} is no longer in the hand, lost during {call}; find it and pick it up",
                       target=held)


def not_done(missing: str) -> str:
    """The model said done too early."""
    return f"Not done yet, as far as memory knows. {missing}"
