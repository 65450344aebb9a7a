"""The instruction set as the planner sees it: names, arguments, and what an agent lists as its capabilities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from dadu.core.errors import DaduError, choices


@dataclass(frozen=True)
class SkillSignature:
    """One skill: its argument names, how many are required, and a line for prompts and help."""

    name: str
    arguments: tuple[str, ...]
    required: int
    about: str


def _signatures(*rows: SkillSignature) -> Mapping[str, SkillSignature]:
    return MappingProxyType({row.name: row for row in rows})


SKILLS: Mapping[str, SkillSignature] = _signatures(
    SkillSignature("go_to", ("target",), 1, "drive to a place, object or room"),
    SkillSignature("pick", ("object",), 1, "take an object that is in reach"),
    SkillSignature("place", ("relation", "receptacle", "next_to", "reference"), 2, "put the held object on|in it"),
    SkillSignature("open", ("receptacle",), 1, "open a door or drawer"),
    SkillSignature("close", ("receptacle",), 1, "close a door or drawer"),
    SkillSignature("explore", ("room",), 1, "look for things in a room, or in what is unknown"),
    SkillSignature("wait", (), 0, "do nothing for a moment"),
    SkillSignature("done", (), 0, "the instruction is carried out"),
    SkillSignature("clean", ("object",), 1, "clean an object"),
    SkillSignature("fill", ("object",), 1, "fill a container"),
    SkillSignature("pour", ("object", "receptacle"), 2, "pour the held container into another"),
    SkillSignature("power_on", ("object",), 1, "switch on"),
    SkillSignature("power_off", ("object",), 1, "switch off"),
    SkillSignature("slice", ("object",), 1, "slice an object"),
)

BASE_CAPABILITIES = ("go_to", "pick", "place", "open", "close", "explore", "wait", "done")
"""What every robot of this project can do; an agent may list more of `SKILLS`."""


class UnknownSkill(DaduError):
    """A skill name or argument count outside the instruction set (outcome code 30)."""


@dataclass(frozen=True)
class SkillCall:
    """One instruction, such as ``SkillCall("place", ("on", "table_0"))``. Arguments are ids of the world graph
    (or the words ``on|in``, ``next_to``, ``unknown``)."""

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
        signature, arguments = SKILLS[items[0]], tuple(items[1:])
        if not signature.required <= len(arguments) <= len(signature.arguments):
            raise UnknownSkill(
                f"{items[0]} takes {signature.required} to {len(signature.arguments)} arguments "
                f"({', '.join(signature.arguments)}), got {len(arguments)}"
            )
        return cls(items[0], arguments)
