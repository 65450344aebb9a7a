"""A question as a step of the closed loop, between the loop and whoever brings it to a person."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dadu.planner.step import Decision
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult

ASK = "ask"
"""what stands in place of a skill in such a step; its argument is the question"""
CHOOSER = "asking"
"""who has chosen it, in place of a policy's name"""
ASKED_BACK = "asked_back"
"""detail of a task's outcome whose message is a question that nobody was there to answer"""
NOBODY = "nobody_answered"
"""detail of the outcome of a question that was not answered"""
TOPIC = "/task_answer"
"""on which the running graph hears answers (std_msgs/String)"""
LONGEST = 500
"""characters of an answer"""

Answer = Callable[[str], "str | None"]
"""brings a question to a person; the answer, or None where none came"""


def asking(question: str) -> Decision:
    """The step that asks it."""
    return Decision(SkillCall(ASK, (question,)), "only who gave the instruction knows", CHOOSER)


def is_question(call: SkillCall) -> bool:
    """True if a step is put to a person instead of being carried out."""
    return call.skill == ASK


def scripted(answers: Sequence[str]) -> Answer | None:
    """Somebody who gives these answers in turn and then none; None: nobody is there."""
    left = iter(answers)
    return (lambda question: next(left, None)) if answers else None


def outcome(answer: str | None) -> SkillResult:
    """The answer is the message; TIMED_OUT where there was none."""
    said = " ".join((answer or "").split())[:LONGEST]
    return SkillResult(Code.SUCCEEDED, said) if said else SkillResult(Code.TIMED_OUT, "nobody answered", NOBODY)
