"""The ways in which a skill can be carried out, by name, and which of several is taken: the next, where one failed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from pydantic import AfterValidator

from dadu.core.config import Settings
from dadu.core.errors import ConfigError
from dadu.core.plugins import is_path
from dadu.manipulation.policy.client import address
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult

PLANNED = "planned"
"""DaDu's own: planned motions"""
POLICY = "policy:"
"""begins the name of a policy's server"""
_ANOTHER_MAY_DO = (Code.EXECUTION_FAILED, Code.OBJECT_LOST, Code.TIMED_OUT, Code.UNREACHABLE_BACKEND, Code.TOO_FAR,
                   Code.TOO_CLOSE)
"""what the world itself forbids, such as a full hand, it forbids to all"""


def _checked(text: str) -> str:
    for way in ways(text):
        if way.startswith(POLICY):
            try:
                address(way.removeprefix(POLICY))
            except ConfigError as error:
                raise ValueError(str(error)) from None
        elif way != PLANNED and not is_path(way):
            raise ValueError(f"unknown way {way!r}; valid: {PLANNED}, {POLICY}ws://HOST:PORT, package.module:FUNCTION "
                             "or FILE.py:FUNCTION, several with commas")
    return text


def ways(text: str) -> tuple[str, ...]:
    """``planned,policy:ws://localhost:8000``, one by one."""
    return tuple(part.strip() for part in text.split(","))


WayNames = Annotated[str, AfterValidator(_checked)]
"""one way, or several with commas: the first is taken until it fails at something"""
WayNamesIfAny = Annotated[str, AfterValidator(lambda text: text and _checked(text))]
"""as `WayNames`, or empty"""


class SkillWays(Settings):
    """How skills are carried out that can be carried out in more than one way."""

    pick: WayNames = PLANNED
    """planned, ``policy:ws://HOST:PORT``, ``FILE.py:FUNCTION``; several with commas"""
    place: WayNames = PLANNED
    """likewise"""

    def of(self, skill: str) -> tuple[str, ...]:
        return ways(getattr(self, skill)) if skill in SkillWays.model_fields else (PLANNED,)


@dataclass
class WayChoice:
    """Remembers at what each way has failed."""

    settings: SkillWays = SkillWays()
    _failures: dict[tuple[str, tuple[str, ...]], int] = field(default_factory=dict)

    def choose(self, call: SkillCall) -> str:
        """The first way, or the one after that which failed last at this very call."""
        known = self.settings.of(call.skill)
        return known[self._failures.get((call.skill, call.arguments), 0) % len(known)]

    def ended(self, call: SkillCall, result: SkillResult) -> None:
        """Learns from how a call ended."""
        key = call.skill, call.arguments
        if result.ok:
            self._failures.pop(key, None)
        elif result.code in _ANOTHER_MAY_DO:
            self._failures[key] = self._failures.get(key, 0) + 1
