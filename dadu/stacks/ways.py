"""The ways in which a skill can be carried out, by name. Which of several is taken the planner says at every step."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated

from pydantic import AfterValidator

from dadu.core.config import Settings
from dadu.core.errors import ConfigError, choices
from dadu.core.plugins import is_path
from dadu.manipulation.policy.client import address

PLANNED = "planned"
"""DaDu's own: planned motions"""
PERSON = "person"
"""a person at the controls, who is asked"""
POLICY = "policy:"
"""begins the name of a policy's server"""
_NAMED = re.compile(r"([a-z]\w*)=(.*)", re.ASCII)


def _checked(text: str) -> str:
    for way in ways(text).values():
        if way.startswith(POLICY):
            try:
                address(way.removeprefix(POLICY))
            except ConfigError as error:
                raise ValueError(str(error)) from None
        elif way not in (PLANNED, PERSON) and not is_path(way):
            raise ValueError(f"unknown way {way!r}; valid: {PLANNED}, {PERSON}, {POLICY}ws://HOST:PORT, "
                             "package.module:FUNCTION or FILE.py:FUNCTION, several with commas")
    return text


def ways(text: str) -> dict[str, str]:
    """``planned,policy:ws://localhost:8000,octo=policy:ws://localhost:8001`` by name: ``planned``, ``policy``,
    ``octo``. A function's name is its own. Errors: ValueError for a name given twice."""
    found: dict[str, str] = {}
    for part in map(str.strip, text.split(",")):
        named = _NAMED.fullmatch(part)
        name, way = named.groups() if named else (_name(part), part)
        if name in found:
            raise ValueError(f"two ways are called {name!r}; valid: NAME=WAY with a name of its own")
        found[name] = way
    return found


def _name(way: str) -> str:
    return POLICY.removesuffix(":") if way.startswith(POLICY) else way.rpartition(":")[2]


WayNames = Annotated[str, AfterValidator(_checked)]
"""one way, or several with commas: see `ways`"""
WayNamesIfAny = Annotated[str, AfterValidator(lambda text: text and _checked(text))]
"""as `WayNames`, or empty"""


class SkillWays(Settings):
    """How skills are carried out that can be carried out in more than one way."""

    pick: WayNames = PLANNED
    """planned, ``policy:ws://HOST:PORT``, ``FILE.py:FUNCTION``, person; several with commas, the one preferred first"""
    place: WayNames = PLANNED
    """likewise"""

    def of(self, skill: str) -> dict[str, str]:
        """By name."""
        return ways(getattr(self, skill)) if skill in SkillWays.model_fields else {PLANNED: PLANNED}

    @property
    def choices(self) -> Mapping[str, tuple[str, ...]]:
        """Names, by skill, of those with several."""
        return {skill: names for skill in SkillWays.model_fields if len(names := tuple(self.of(skill))) > 1}

    def named(self, skill: str, name: str) -> tuple[str, str]:
        """Name and way; the first where no name is given. Errors: ConfigError naming the valid ones."""
        known = self.of(skill)
        name = name or next(iter(known))
        if name not in known:
            raise ConfigError(f"no way to {skill} is called {name[:40]!r}; valid: {choices(known)}")
        return name, known[name]
