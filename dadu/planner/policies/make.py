"""Which planner a configuration asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dadu.core.errors import ConfigError, choices
from dadu.planner.interpreters import NONE, make_interpreter
from dadu.planner.model.prompt import load_prompts
from dadu.planner.policies.detected import DetectedView
from dadu.planner.policies.fallback import WithFallback
from dadu.planner.policies.own_goal import WithOwnGoal
from dadu.planner.policies.policy import Policy, TaskPlanner
from dadu.planner.policies.seeing import SeeingPolicy
from dadu.planner.policies.symbolic import SymbolicPolicy
from dadu.planner.presets import EXPERT, PRESETS
from dadu.planner.settings import GOAL, PlannerSettings
from dadu.skills.table import BASE_CAPABILITIES


def make_planner(settings: PlannerSettings | None = None, capabilities: Sequence[str] = BASE_CAPABILITIES
                 ) -> TaskPlanner:
    """A new planner for one task: the symbolic one, whose goal an interpreter reads; or a model, which understands for
    itself and tells no goal, with the symbolic one behind it where `settings` say so. `capabilities`: the skills that
    this robot has. Errors: ConfigError for prompts, examples or interpreters that cannot be read or used."""
    settings = settings or PlannerSettings()
    if settings.policy == EXPERT:
        raise ConfigError(f"planner {EXPERT} knows what only a judge does, and so is there for dadu eval alone; valid "
                          f"here: symbolic, {choices(PRESETS)}")
    check = make_interpreter(settings.verify) if settings.verify != NONE else None
    symbolic = TaskPlanner(SymbolicPolicy(capabilities), make_interpreter(settings.interpreter))
    if settings.policy == "symbolic":
        return replace(symbolic, policy=_seeing(symbolic.policy, settings))
    if settings.chooser == GOAL:
        return _written_goal_planner(settings, capabilities)
    protocol = settings.llm.protocol
    if not settings.loop.replan and not load_prompts(settings.llm.prompt or protocol).plan_first:
        raise ConfigError(f"without replanning the first reply's plan is followed, and protocol {protocol!r} asks for "
                          "none; valid: two_phase, or prompts of your own with plan_first")
    from dadu.planner.model.policy import ModelPolicy  # its client takes half a second, and most tasks need none

    model = ModelPolicy(settings.model_settings, capabilities, name=settings.policy)
    chooser = WithFallback(model, WithOwnGoal(symbolic)) if settings.fallback else model
    return TaskPlanner(_seeing(chooser, settings), check=check)


def _seeing(policy: Policy, settings: PlannerSettings) -> Policy:
    """With eyes: a model's where one that sees is served, else by what was detected. Errors: ConfigError."""
    if not settings.llm.vision:
        return SeeingPolicy(policy, DetectedView())
    from dadu.planner.model.vision import VisionModel  # as above

    llm = settings.model_settings
    protocol = "two_phase" if llm.protocol == GOAL else llm.protocol
    prompts = load_prompts(llm.prompt or protocol)
    return SeeingPolicy(policy, VisionModel(llm, prompts.picture, prompts.picture_done), DetectedView())


def _written_goal_planner(settings: PlannerSettings, capabilities: Sequence[str]) -> TaskPlanner:
    """Errors: ConfigError."""
    if settings.verify != NONE:
        raise ConfigError("protocol goal tells its goal: leave out verify")
    from dadu.planner.model.goal.interpreter import ModelInterpreter  # its client takes half a second
    from dadu.planner.model.goal.two_readers import TwoReaders
    from dadu.planner.policies.written_goal import WrittenGoalPolicy

    llm = settings.model_settings
    own = make_interpreter(settings.interpreter) if settings.fallback or llm.grammar_first else None
    model = ModelInterpreter(llm, own if settings.fallback else None)
    reader = TwoReaders(own, model) if own is not None and llm.grammar_first else model
    return TaskPlanner(_seeing(WrittenGoalPolicy(reader, capabilities), settings), reader)
