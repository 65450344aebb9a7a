"""Which policy a configuration asks for."""

from __future__ import annotations

from collections.abc import Sequence

from dadu.core.errors import ConfigError
from dadu.planner.model.policy import ModelPolicy
from dadu.planner.model.prompt import load_prompts
from dadu.planner.policies.fallback import WithFallback
from dadu.planner.policies.policy import Policy
from dadu.planner.policies.symbolic import SymbolicPolicy
from dadu.planner.settings import PlannerSettings
from dadu.skills.table import BASE_CAPABILITIES


def make_policy(settings: PlannerSettings, capabilities: Sequence[str] = BASE_CAPABILITIES) -> Policy:
    """A new policy for one task: the symbolic one, or a model's with the symbolic one behind it. `capabilities`: the
    skills that this robot has. Errors: ConfigError for prompts or examples that cannot be read or used."""
    if settings.policy == "symbolic":
        return SymbolicPolicy(capabilities=capabilities)
    protocol = settings.llm.protocol
    if not settings.loop.replan and not load_prompts(protocol).plan_first:
        raise ConfigError(f"without replanning the first reply's plan is followed, and protocol {protocol!r} asks for "
                          "none; valid: two_phase, or prompts of your own with plan_first")
    model = ModelPolicy(settings.model_settings, capabilities)
    return WithFallback(model, SymbolicPolicy(capabilities=capabilities)) if settings.fallback else model
