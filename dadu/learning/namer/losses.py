"""How far what the namer says is from what it should say."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F

from dadu.learning.blocks import cosines
from dadu.learning.namer.network import NamerNetwork
from dadu.learning.namer.settings import NamerSettings


def losses(network: NamerNetwork, batch: dict[str, Tensor], phrases: Tensor, settings: NamerSettings
           ) -> dict[str, Tensor]:
    """See `Losses`. `batch`: tensors by the names of `CropBatch`'s fields. `phrases`: (categories, D)."""
    pictures = batch["pictures"].contiguous(memory_format=torch.channels_last)
    features = network.features(pictures, batch["sizes"])
    names = cosines(network.embedding(features), phrases)
    right = batch["names"]
    return {
        "name": F.cross_entropy(settings.sharpness * names, right, label_smoothing=settings.smoothing),
        "own": settings.own * F.cross_entropy(network.own(features).float(), right, label_smoothing=settings.smoothing),
        "right": (names.argmax(1) == right).float().mean().detach(),
    }
