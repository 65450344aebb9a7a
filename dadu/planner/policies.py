"""Which policy a configuration asks for."""

from __future__ import annotations

from dadu.planner.fallback import WithFallback
from dadu.planner.model.policy import ModelPolicy
from dadu.planner.policy import Policy
from dadu.planner.settings import PlannerSettings
from dadu.planner.symbolic import SymbolicPolicy


def make_policy(settings: PlannerSettings) -> Policy:
    """A new policy for one task: the symbolic one, or a model's with the symbolic one behind it."""
    if settings.policy == "symbolic":
        return SymbolicPolicy()
    return WithFallback(ModelPolicy(settings.model_settings), SymbolicPolicy())
