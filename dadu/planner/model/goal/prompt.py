"""What is said to the model, from ``config/prompts/goal/`` or a file of one's own."""

from __future__ import annotations

from functools import cache

from pydantic import ValidationInfo, field_validator

from dadu.core.config import Settings, load
from dadu.core.paths import shared
from dadu.planner.model.prompt import checked_placeholders

_PLACEHOLDERS: dict[str, set[str]] = {
    "system": set(),
    "first": {"instruction", "world", "names", "examples"},
    "again": {"instruction", "world", "names", "reason"},
    "repair": {"problem"},
}
"""what is filled in, by field of `GoalPrompts`; `names` is the world without ids, places and states"""


class GoalPrompts(Settings):
    """The fields of the file. Each may hold its `_PLACEHOLDERS`."""

    version: int
    """1: the placeholders above are those that are filled in"""
    system: str
    """the same for every task"""
    first: str
    again: str
    """the instruction once more, where what was asked for could not be reached"""
    repair: str
    """what follows a reply that cannot be used"""

    @field_validator(*_PLACEHOLDERS)
    @classmethod
    def _can_be_filled_in(cls, text: str, info: ValidationInfo) -> str:
        return checked_placeholders(text, _PLACEHOLDERS[str(info.field_name)])


@cache
def load_goal_prompts(path: str = "") -> GoalPrompts:
    """`path`: a YAML file; empty: our own. Errors: ConfigError naming file and field."""
    return load(GoalPrompts, path or shared("config", "prompts", "goal") / "goal.yaml")
