"""wait: let time pass."""

from __future__ import annotations

from dadu.core.robot import Command
from dadu.skills.generator import Skill
from dadu.skills.outcome import Code, SkillResult

WAIT = 2.0
"""[s]"""


def wait(seconds: float = WAIT) -> Skill:
    """Does nothing for `seconds` of the robot's clock."""
    observation = yield Command()
    end = observation.stamp + seconds
    while observation.stamp < end:
        observation = yield Command()
    return SkillResult(Code.SUCCEEDED, "waited")
