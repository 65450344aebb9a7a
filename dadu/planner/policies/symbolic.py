"""The symbolic policy: goal regression, anew at every turn."""

from __future__ import annotations

from collections.abc import Sequence

from dadu.goals.goal import Goal
from dadu.goals.refusal import Refusal
from dadu.planner.policies.policy import PolicyUnavailable, Turn
from dadu.planner.regression.lookahead import plan
from dadu.planner.regression.regression import Regression
from dadu.planner.step import Decision
from dadu.planner.survey import read
from dadu.skills.call import SkillCall
from dadu.skills.table import BASE_CAPABILITIES


class SymbolicPolicy:
    """Needs no model; takes over where one is gone."""

    name = "symbolic"

    def __init__(self, capabilities: Sequence[str] = BASE_CAPABILITIES) -> None:
        """`capabilities`: the skills that this robot has."""
        self.capabilities = capabilities

    def choose(self, turn: Turn) -> Decision:
        """Errors: PolicyUnavailable where the instruction was not understood as a goal."""
        if turn.progress is None:
            return self._look_around(turn)
        choice = Regression(turn.progress, turn.graph, turn.situation, turn.vocabulary, self.capabilities).next()
        if choice is None:
            hopeless = bool(turn.progress.given_up)
            reason = turn.progress.report(turn.graph) if hopeless else "everything asked for holds"
            return Decision(SkillCall("done"), reason, self.name, plan=(SkillCall("done"),), hopeless=hopeless)
        ahead = plan(turn.progress, turn.graph, turn.situation, turn.vocabulary, capabilities=self.capabilities)
        return Decision(choice.call, choice.reason, self.name, choice.purpose, tuple(c.call for c in ahead))

    def _look_around(self, turn: Turn) -> Decision:
        """Where what the instruction names may be seen yet. Errors: PolicyUnavailable."""
        try:
            found = read(turn.instruction, turn.graph, turn.situation, turn.vocabulary)
        except Refusal as refusal:
            raise PolicyUnavailable(f"the symbolic planner does not understand this instruction: {refusal}") from None
        if isinstance(found, Goal):
            raise PolicyUnavailable("the instruction can be understood, but was not yet")
        return Decision(found.call, found.reason, self.name, found.purpose)
