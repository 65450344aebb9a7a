"""The planners by name: PARTNR's beside our own, each a preset over the settings of a language model, behind one flag.

Source: PARTNR, section 4.1: zero-shot ReAct, ReAct with retrieval, fine-tuned, and the heuristic expert.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from dadu.core.errors import ConfigError
from dadu.core.paths import shared

RobotPlannerName = Literal["symbolic", "small", "vllm", "react", "rag", "finetuned"]
"""those that can plan for a robot that knows what it was told and sensed"""
PlannerName = Literal[RobotPlannerName, "expert"]
EXPERT = "expert"
"""knows the true state and the judge's goal: for evaluations alone"""
NO_STORE = "none"
"""in place of a file of examples: there is none"""
OWN_STORE = "own"
"""in place of a file of examples: the user's own"""
_ANY_PROTOCOL = "vllm, which takes any protocol"


@dataclass(frozen=True)
class Preset:
    """What the name of a planner that asks a model says of how it is asked."""

    protocol: str = ""
    """unless another is asked for; empty: as the settings have it"""
    fixed: bool = False
    """no other protocol goes by this name"""
    examples: bool | None = None
    """whether tasks of the past are shown to the model; None: as the settings have it"""
    named: bool = False
    """the model has to be called by name: a server of adapters offers the base model first"""
    in_process: bool = False
    """no server: the small model runs in this process"""
    prompt: tuple[str, ...] = ()
    """the file of the protocol's words that it was trained with; empty: as the settings have it"""


PRESETS: Mapping[str, Preset] = {
    "vllm": Preset(),
    "react": Preset("react", fixed=True, examples=False),
    "rag": Preset("react", fixed=True, examples=True),
    "finetuned": Preset("react", examples=False, named=True),
    "small": Preset("goal", fixed=True, examples=False, in_process=True,
                    prompt=("config", "prompts", "goal", "brief.yaml")),
}
"""The planners that ask a model. finetuned's protocol is the one that the model was trained in: PARTNR's, if none is
told"""


def apply_preset(planner: str, llm: Mapping[str, Any]) -> dict[str, Any]:
    """The model's settings `llm`, as far as they are given, completed by what the name `planner` stands for.

    Errors: ConfigError where what is given contradicts the name.
    """
    preset, found = PRESETS.get(planner), dict(llm)
    if preset is None:
        return found
    if preset.named and not found.get("model"):
        raise ConfigError(f"planner {planner} needs the name under which the model that was trained is served: give "
                          "its model; valid without: react, rag, vllm")
    if preset.in_process:
        found["in_process"] = True
    if preset.prompt and not found.get("prompt"):
        found["prompt"] = str(shared(*preset.prompt))
    if preset.protocol:
        asked = found.get("protocol") or preset.protocol
        if preset.fixed and asked != preset.protocol:
            raise ConfigError(f"planner {planner} is protocol {preset.protocol}, and {asked} was asked for: leave that "
                              f"out, or choose {_ANY_PROTOCOL}")
        found["protocol"] = asked
    if preset.examples is not None:
        found["examples"] = _examples(planner, preset.examples, found.get("examples") or {})
    return found


def _examples(planner: str, shown: bool, given: Mapping[str, Any]) -> dict[str, Any]:
    """How many are shown, and of which store."""
    path, limit = given.get("path", ""), given.get("limit", int(shown))
    if shown and (path == NO_STORE or limit < 1):
        raise ConfigError(f"planner {planner} shows examples, and none was asked for: leave that out; valid without "
                          "examples: react, finetuned, vllm")
    of_no_use = path not in ("", NO_STORE) and given.get("keep") == NO_STORE
    if not shown and (limit > 0 or of_no_use):
        raise ConfigError(f"planner {planner} is shown no examples, and they were asked for: leave that out; valid "
                          "with examples: rag, vllm")
    return {**given, "limit": limit, "path": path or (OWN_STORE if shown else "")}
