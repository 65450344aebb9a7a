"""What may be set when the namer is trained; the resolved copy lies beside its checkpoint."""

from __future__ import annotations

from pydantic import Field, PositiveFloat, PositiveInt

from dadu.core.config import Settings, Share
from dadu.learning.recipe.settings import RunSettings
from dadu.perception.learned.naming import SHARPNESS


class NamerNetworkSettings(Settings):
    """Size of the network."""

    widths: tuple[PositiveInt, PositiveInt, PositiveInt] = (32, 96, 192)
    """feature maps at a half, a quarter and an eighth of the crop's size"""
    blocks: tuple[int, int, int] = (1, 2, 3)
    """residual blocks at each"""
    hidden: PositiveInt = 256
    embedding: PositiveInt = 128
    """numbers that say what a thing is"""


class CropSettings(Settings):
    """Which things are cut out for training."""

    least_object: PositiveInt = 40
    least_furniture: PositiveInt = 200
    """pixels in view"""
    furniture: Share = 0.5
    """of its appearances that are taken: it is in view far more often than objects"""


class CropAugmentationSettings(Settings):
    """How crops are varied."""

    turn: float = Field(0.25, ge=0)
    """[rad]"""
    enlarged: float = Field(0.18, ge=0)
    """logarithm of the factor"""
    moved: float = Field(0.06, ge=0)
    """share of the side"""
    flip: Share = 0.5
    contrast: tuple[PositiveFloat, PositiveFloat] = (0.75, 1.25)
    brightness: float = Field(0.2, ge=0)
    tint: float = Field(0.07, ge=0)
    """of the range of colours, -1 to 1"""
    frayed: Share = 0.5
    """masks that are a pixel larger or smaller"""
    turned: Share = 0.25
    """that are turned by any angle: things lie about, and cameras look down on them"""
    printed: Share = 0.4
    """things with a pattern or a print over what they look like"""
    elsewhere: Share = 0.3
    """that have another background"""
    photographed: Share = 0.6
    """with what `dadu.learning.namer.photograph` does to a picture, and a sensor to depth"""
    no_mask: Share = 0.05
    no_depth: Share = 0.08
    mismeasured: float = Field(0.05, ge=0)
    """of the logarithm of the size"""


class NamerSettings(RunSettings):
    """A training run of the namer."""

    network: NamerNetworkSettings = NamerNetworkSettings()
    crops: CropSettings = CropSettings()
    augmentation: CropAugmentationSettings = CropAugmentationSettings()
    batch: PositiveInt = 96
    sharpness: PositiveFloat = SHARPNESS
    """factor of the cosines in the cross-entropy"""
    smoothing: Share = 0.05
    """of the labels"""
    own: float = Field(0.5, ge=0)
    """weight of a second answer with a place for every category: it teaches what things look like while the phrases'
    space, where kin lie close, still says little; not part of what is exported"""
    warm_up: PositiveInt = 200
