"""How a skill of the oracle gives up."""

from __future__ import annotations

from dadu.core.errors import DaduError
from dadu.skills.outcome import Code, SkillResult


class Failed(DaduError):
    """Carries the result that the skill returns."""

    def __init__(self, code: Code, message: str, detail: str = "", target: str = "") -> None:
        super().__init__(message)
        self.result = SkillResult(code, message, detail, target)
