"""The symbolic policy: goal regression, anew at every turn."""

from __future__ import annotations

from collections.abc import Sequence

from dadu.planner.policies.policy import PolicyUnavailable, Turn
from dadu.planner.regression.lookahead import look_step, next_step
from dadu.planner.search_target import SearchKinds
from dadu.planner.step import Decision
from dadu.skills.call import SkillCall
from dadu.skills.table import BASE_CAPABILITIES


class SymbolicPolicy:
    """Needs no model, but a goal; takes over where a model is gone."""

    name = "symbolic"

    def __init__(self, capabilities: Sequence[str] = BASE_CAPABILITIES, plans: bool = True) -> None:
        """`capabilities`: the skills that this robot has; `plans`: tells all that is to follow with every step, which
        costs many times what the step does."""
        self.capabilities = capabilities
        self._plans = plans

    def choose(self, turn: Turn) -> Decision:
        """Errors: PolicyUnavailable where there is neither a goal nor anything to see before there can be one."""
        if turn.progress is None:
            return self._look_around(turn)
        chosen = next_step(turn.progress, turn.graph, turn.situation, turn.vocabulary, self.name, self.capabilities,
                           self._plans)
        if chosen is not None:
            return chosen
        hopeless = bool(turn.progress.given_up)
        reason = turn.progress.report(turn.graph) if hopeless else "everything asked for holds"
        return Decision(SkillCall("done"), reason, self.name, plan=(SkillCall("done"),), hopeless=hopeless)

    def _look_around(self, turn: Turn) -> Decision:
        """The next step to see what the words depend on."""
        if turn.look_first is None:
            raise PolicyUnavailable("the symbolic planner has no goal to plan for")
        look = turn.look_first
        choice = look_step(look, turn.graph, turn.situation, turn.vocabulary)
        return Decision(choice.call, choice.reason, self.name, choice.purpose,
                        seeks=SearchKinds(look.sorts) if look.sorts else None)
