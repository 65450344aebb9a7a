"""What cannot be understood or done is said, naming the words and what would be possible.

Raised within the language package; `dadu.planner.grammar` makes results of it (`dadu.goals.interpreter`).
"""

from __future__ import annotations

from collections.abc import Sequence

from dadu.core.errors import DaduError
from dadu.goals.goal import Description
from dadu.skills.outcome import Code


class NotUnderstood(DaduError):
    """No goal: `words` are those at fault, `code` is UNKNOWN_ACTION, UNKNOWN_TARGET or NOT_INTERACTIVE."""

    def __init__(self, message: str, words: Sequence[str] = (), code: Code = Code.UNKNOWN_TARGET) -> None:
        super().__init__(message)
        self.words = tuple(words)
        self.code = code


class Refusal(NotUnderstood):
    """An instruction that is not carried out."""


class NotSeen(NotUnderstood):
    """What is meant depends on things that were not seen yet: it can be said once they are looked for."""

    def __init__(self, message: str, words: Sequence[str], wanted: Description | None, every: bool = True) -> None:
        """`wanted`: what to look for; every such thing, or the first."""
        super().__init__(message, words)
        self.wanted, self.every = wanted, every
