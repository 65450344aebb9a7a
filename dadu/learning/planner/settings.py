"""What may be set when a planner is trained; the resolved copy lies beside the result."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, NonNegativeInt, PositiveFloat, PositiveInt

from dadu.core.config import Settings
from dadu.learning.recipe.settings import KeptRunSettings, StepSettings

Protocol = Literal["two_phase", "react", "goal"]


class MethodSettings(StepSettings):
    """Imitation of right answers."""

    batch: PositiveInt
    """conversations a step of the optimizer"""
    batch_at_once: PositiveInt
    """of these, at a time in memory"""
    warm_up: NonNegativeInt = 50


class LoraSettings(Settings):
    """The adapter."""

    rank: PositiveInt = 16
    alpha: PositiveFloat = 32.0
    dropout: float = Field(0.0, ge=0, lt=1)
    modules: tuple[str, ...] = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
    """linear layers that get one; vLLM serves adapters of these"""


class PlannerTrainSettings(KeptRunSettings):
    """A training run."""

    context: PositiveInt = 1024
    """tokens; of a longer conversation only the first turns are learned, and what does not fit at all is left out"""
    sft: MethodSettings = MethodSettings(rate=1e-3, batch=16, batch_at_once=8)
    lora: LoraSettings = LoraSettings()
    recompute: bool = False
    """activations in the backward pass, for memory (gradient checkpointing)"""
    bases: tuple[str, ...] = ()
    """names on the hub of models that are trained so where no settings are named"""
