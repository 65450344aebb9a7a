"""Grammar and network together: where both read the same it is done, where they differ who said it is asked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from dadu.goals.goal import Goal
from dadu.goals.interpreter import AskBack, Choice, Context, Interpretation, LookFirst, Refused
from dadu.planner.grammar import Grammar
from dadu.planner.learned import Learned

SURE = 0.9
"""of all that it reads: from here on the network is heard"""


class Both:
    """The grammar's reading, unless a network that is sure reads something else."""

    name = "both"

    def __init__(self, weights: Path | None = None, sure: float = SURE) -> None:
        """Errors: those of `Learned`."""
        self._grammar, self._learned, self._sure = Grammar(), Learned(weights), sure

    def read(self, instruction: str, context: Context) -> Interpretation:
        """Agreement acts; what only the network understands is done with a note; readings that differ are asked
        about."""
        by_grammar = self._grammar.read(instruction, context)
        found = self._learned.frames(instruction, context)
        if found is None or found.sure_of_all < self._sure or isinstance(by_grammar, LookFirst):
            return by_grammar
        if self._learned.lost(instruction, found, context):
            return by_grammar
        learned = self._learned.grounded(found, context)
        if isinstance(by_grammar, Refused) and isinstance(learned, (Goal, LookFirst)):
            return _noted(learned, f"read by the network (sure to {found.sure_of_all:.0%}); the grammar said: "
                                   f"{by_grammar.message}")
        if isinstance(by_grammar, Goal) and isinstance(learned, Goal) and not same(by_grammar, learned):
            readings = (Choice(told(by_grammar), by_grammar), Choice(told(learned), learned))
            return AskBack(f"I can read this in two ways: {told(by_grammar)}; or {told(learned)}. Which one is meant, "
                           "the first or the second?", readings)
        return by_grammar


def same(one: Goal, other: Goal) -> bool:
    """Whether they ask for the same, however it is worded."""
    return one.to_suite() == other.to_suite() and len(one.branches) == len(other.branches)


def told(goal: Goal) -> str:
    """What it asks for, for a question."""
    return ", ".join(map(str, goal.propositions)) or "nothing to do"


def _noted(found: Goal | LookFirst, note: str) -> Goal | LookFirst:
    return replace(found, notes=(*found.notes, note)) if isinstance(found, Goal) else found
