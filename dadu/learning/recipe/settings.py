"""What every training run may be told."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, NonNegativeInt, PositiveFloat, PositiveInt

from dadu.core.config import Settings


class KeptRunSettings(Settings):
    """Of any training run: chance, and what it leaves on the disk."""

    seed: NonNegativeInt = 0
    report: PositiveInt = 20
    """steps between lines of progress"""
    checkpoint_minutes: PositiveFloat = 3.0
    precision: Literal["float32", "bfloat16"] = "bfloat16"
    """of products of matrices and of convolutions; the weights themselves stay in float32. Half of the time on
    processors that have it, such as AMD's Zen 4"""


class StepSettings(Settings):
    """Of the optimizer, AdamW."""

    rate: PositiveFloat
    """greatest learning rate; it falls as a cosine over the budget"""
    weight_decay: float = Field(0.0, ge=0)
    warm_up: NonNegativeInt = 0
    """steps"""
    clip: PositiveFloat = 1.0
    """greatest norm of a gradient"""


class RunSettings(StepSettings, KeptRunSettings):
    """Of a training run of a network that sees."""

    rate: PositiveFloat = 2e-3
    weight_decay: float = Field(0.02, ge=0)
    warm_up: NonNegativeInt = 100
    clip: PositiveFloat = 5.0
    average: Annotated[float, Field(ge=0, lt=1)] = 0.998
    """decay of the average of weights that is evaluated and exported"""
