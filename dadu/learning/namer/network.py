"""The network and its loss: from a crop to a point in the phrases' space."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from dadu.learning.namer.settings import NamerNetworkSettings, NamerSettings
from dadu.learning.recipe.blocks import cosines, crop_body, described
from dadu.perception.learned.crops import SIZES


class NamerNetwork(nn.Module):
    """Crops float32 (N, 6, S, S) and sizes float32 (N, 4), see `network_input`, to embeddings."""

    def __init__(self, settings: NamerNetworkSettings, categories: int) -> None:
        super().__init__()
        self.body = crop_body(settings.widths, settings.blocks)
        self.hidden = nn.Sequential(nn.Linear(2 * settings.widths[-1] + SIZES, settings.hidden), nn.ReLU())
        self.embedding = nn.Linear(settings.hidden, settings.embedding)
        self.own = nn.Linear(settings.hidden, categories)

    def forward(self, pictures: Tensor, sizes: Tensor) -> Tensor:
        """What is exported: (N, D), not of unit length."""
        embedding: Tensor = self.embedding(self.features(pictures, sizes))
        return embedding

    def features(self, pictures: Tensor, sizes: Tensor) -> Tensor:
        """(N, hidden)."""
        hidden: Tensor = self.hidden(described(self.body(pictures), sizes))
        return hidden


def losses(network: NamerNetwork, batch: dict[str, Tensor], phrases: Tensor, settings: NamerSettings
           ) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """See `Losses`. `batch`: tensors by the names of `CropBatch`'s fields. `phrases`: (categories, D)."""
    pictures = batch["pictures"].contiguous(memory_format=torch.channels_last)
    features = network.features(pictures, batch["sizes"])
    names = cosines(network.embedding(features), phrases)
    right = batch["names"]
    return {
        "name": F.cross_entropy(settings.sharpness * names, right, label_smoothing=settings.smoothing),
        "own": settings.own * F.cross_entropy(network.own(features).float(), right, label_smoothing=settings.smoothing),
    }, {"right": (names.argmax(1) == right).float().mean()}
