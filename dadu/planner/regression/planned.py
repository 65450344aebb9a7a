"""The next skill as regression has planned it, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass

from dadu.goals.goal import Description
from dadu.skills.call import SkillCall


class NoPlan(Exception):
    """No way to make a proposition true is left; the text says why."""


@dataclass(frozen=True)
class Left:
    """What others see to, and this robot leaves alone; what waits for it waits until it holds."""

    propositions: frozenset[int] = frozenset()
    """indices"""
    things: frozenset[str] = frozenset()
    """ids, of several that would do"""


NOTHING_LEFT = Left()


@dataclass(frozen=True)
class PlannedSkill:
    """The next skill, why, and for a go_to what will be done there."""

    call: SkillCall
    reason: str
    purpose: str = ""
    looks_for: Description | None = None
    """what an explore or a look is meant to find"""
    finds: str = ""
    """its id, where it is known"""
    number: int = 1
    """how many such things have to be seen; a look for `ALL` goes on to its end"""
