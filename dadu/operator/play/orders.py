"""What a person who plays an agent may ask for: the bodies of their requests, checked in full."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints, field_validator

from dadu.core.config import Settings
from dadu.core.errors import DaduError
from dadu.skills.call import SkillCall, UnknownSkill
from dadu.team.messages import Act

_WORD = Annotated[str, StringConstraints(max_length=100, pattern=r"^[^\x00-\x1f\x7f]*$")]
_Job = Annotated[str, StringConstraints(min_length=1, max_length=2000, pattern=r"^[^\x00-\x1f\x7f]*$")]
SAYS: dict[str, Act] = {"take": Act.TAKE, "done": Act.DONE, "cannot": Act.CANNOT, "ask": Act.ASK}
"""what can be said of a part of the task"""


class NotNow(DaduError):
    """What is asked for cannot be had, or not now; names the valid choices."""


class Join(Settings):
    """A body of POST /join."""

    agent: _WORD


class SkillOrder(Settings):
    """A body of POST /order: what the agent is to do, in place of what it does."""

    call: list[_WORD] = Field(min_length=1, max_length=8)
    """``[skill, argument, ...]``"""

    @field_validator("call")
    @classmethod
    def _of_the_table(cls, call: list[str]) -> list[str]:
        try:
            SkillCall.from_list(call)
        except UnknownSkill as error:
            raise ValueError(str(error)) from None
        if call[0] == "done":
            raise ValueError("that it is done is said by POST /end")
        return call

    @property
    def skill_call(self) -> SkillCall:
        return SkillCall.from_list(self.call)


class Say(Settings):
    """A body of POST /say."""

    act: Literal["take", "done", "cannot", "ask"]
    job: _Job
    to: _WORD = ""
    """name of an agent; empty: all"""


class EndRequest(Settings):
    """A body of POST /end."""

    done: bool = Field(strict=True)
    """false: given up"""
