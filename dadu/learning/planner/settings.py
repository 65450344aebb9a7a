"""What may be set when a planner is trained; the resolved copy lies beside the result."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, NonNegativeFloat, NonNegativeInt, PositiveFloat, PositiveInt

from dadu.core.config import Settings
from dadu.learning.recipe.settings import KeptRunSettings, StepSettings

Method = Literal["sft", "dpo"]
Protocol = Literal["two_phase", "react", "goal"]


class MethodSettings(StepSettings):
    """One of the two ways of training."""

    batch: PositiveInt
    """examples, or pairs, a step of the optimizer"""
    batch_at_once: PositiveInt
    """of these, at a time in memory"""
    warm_up: NonNegativeInt = 50


class PreferenceSettings(MethodSettings):
    """Of DPO."""

    beta: PositiveFloat = 0.1
    """how dear it is to leave the model that it began with"""
    imitate: NonNegativeFloat = 0.1
    """weight of the likelihood of the right answer beside the preference, which alone is content if the wrong one
    becomes even less likely"""


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
    dpo: PreferenceSettings = PreferenceSettings(rate=5e-5, batch=16, batch_at_once=4)
    lora: LoraSettings = LoraSettings()
    recompute: bool = False
    """activations in the backward pass, for memory (gradient checkpointing)"""
    bases: tuple[str, ...] = ()
    """names on the hub of models that are trained so where no settings are named"""
