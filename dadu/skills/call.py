"""One instruction: a skill of the table with its arguments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from dadu.core.errors import DaduError, choices
from dadu.skills.table import SKILLS


class UnknownSkill(DaduError):
    """A skill name or argument count outside the instruction set (outcome code 30)."""

PLACED_NEXT_TO = 0.35
"""[m]: `place` with ``next_to`` leaves no wider gap, so that things are next to each other (0.5 m, see `dadu.goals`) in
spite of small errors of sight and hand"""


@dataclass(frozen=True)
class SkillCall:
    """One instruction, such as ``SkillCall("place", ("on", "table_0"))``. Arguments are ids of the world graph
    (or words such as ``on|in``, ``next_to``, ``unknown``)."""

    skill: str
    arguments: tuple[str, ...] = field(default_factory=tuple)

    def __str__(self) -> str:
        return f"{self.skill}({', '.join(self.arguments)})"

    def as_list(self) -> list[str]:
        """``[skill, argument, ...]`` as in plans, suites and results."""
        return [self.skill, *self.arguments]

    @classmethod
    def from_list(cls, items: Sequence[str]) -> SkillCall:
        """The inverse of `as_list`, checked. Errors: UnknownSkill naming the valid skills."""
        if not items or items[0] not in SKILLS:
            raise UnknownSkill(f"unknown skill {items[0] if items else ''!r}; valid: {choices(SKILLS)}")
        spec, arguments = SKILLS[items[0]], tuple(items[1:])
        if not spec.required <= len(arguments) <= len(spec.arguments):
            raise UnknownSkill(f"{items[0]} takes {spec.required} to {len(spec.arguments)} arguments "
                               f"({', '.join(a.name for a in spec.arguments)}), got {len(arguments)}")
        return cls(items[0], arguments)
