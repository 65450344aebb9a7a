"""What may be set when the detector is trained; the resolved copy lies beside its checkpoint."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, NonNegativeInt, PositiveFloat, PositiveInt

from dadu.core.config import Settings
from dadu.learning.recipe.settings import RunSettings

Span = tuple[PositiveFloat, PositiveFloat]
"""least and greatest"""


class NetworkSettings(Settings):
    """Size of the network."""

    widths: tuple[PositiveInt, PositiveInt, PositiveInt, PositiveInt] = (24, 48, 96, 160)
    """feature maps at a half, a quarter, an eighth and a sixteenth of the picture's size"""
    blocks: tuple[NonNegativeInt, NonNegativeInt, NonNegativeInt, NonNegativeInt] = (0, 1, 2, 2)
    """residual blocks at each"""
    embedding: PositiveInt = 48
    """numbers that say what a pixel shows"""


class AugmentationSettings(Settings):
    """How pictures are varied, beyond what their makers did."""

    flip: Annotated[float, Field(ge=0, le=1)] = 0.5
    scale: Span = (0.8, 1.5)
    """enlargement"""
    crop: float = Field(0.6, gt=0, le=1)
    """share of each side that is kept: of 320x240 pixels 192x144, which train three times as fast"""
    focus: Annotated[float, Field(ge=0, le=1)] = 0.8
    """crops that hold an object, where there is one"""
    contrast: Span = (0.7, 1.3)
    brightness: float = Field(0.25, ge=0)
    """greatest shift, of the range of colours"""
    saturation: tuple[float, float] = (0.3, 1.4)
    no_depth: float = Field(0.05, ge=0, le=1)
    """pictures without any depth"""


class LossSettings(Settings):
    """Weights of the parts of the loss."""

    kind: float = 1.0
    object_weight: PositiveFloat = 2.0
    """of an object's pixel against one of the background"""
    overlap: float = 0.5
    """of 1 - Dice of the objects"""
    centre: float = 0.5
    offset: float = 0.05
    """a pixel of half size"""
    name: float = 0.7
    """cross-entropy over the categories of furniture"""
    phrase: float = 0.3
    """1 - cosine to the category's phrase"""
    sharpness: PositiveFloat = 16.0
    """factor of the cosines in the cross-entropy"""
    samples: PositiveInt = 16
    """pixels of each piece of furniture that are named"""
    least_pixels: PositiveInt = 6
    """of half size; smaller things are neither named nor given a centre"""


class TrainSettings(RunSettings):
    """A training run of the detector."""

    network: NetworkSettings = NetworkSettings()
    augmentation: AugmentationSettings = AugmentationSettings()
    loss: LossSettings = LossSettings()
    batch: PositiveInt = 16
