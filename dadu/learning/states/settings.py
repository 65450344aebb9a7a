"""What may be set when the reader of states is trained; the resolved copy lies beside its checkpoint."""

from __future__ import annotations

from pydantic import Field, PositiveInt

from dadu.core.config import Settings
from dadu.learning.namer.settings import CropAugmentationSettings
from dadu.learning.recipe.settings import RunSettings


class StateNetworkSettings(Settings):
    """Size of the network."""

    widths: tuple[PositiveInt, PositiveInt, PositiveInt] = (16, 32, 64)
    """feature maps at a half, a quarter and an eighth of the crop's size"""
    blocks: tuple[int, int, int] = (0, 1, 1)
    """residual blocks at each"""
    hidden: PositiveInt = 64
    dropout: float = Field(0.3, ge=0, lt=1)
    """share of those left out at each step"""


class StateTrainSettings(RunSettings):
    """A training run of the reader of states."""

    network: StateNetworkSettings = StateNetworkSettings()
    augmentation: CropAugmentationSettings = CropAugmentationSettings(brightness=0.15, no_mask=0.02)
    least_pixels: PositiveInt = 40
    """of a thing in view, at the focal length of training"""
    batch: PositiveInt = 128
    weight_decay: float = Field(0.05, ge=0)
