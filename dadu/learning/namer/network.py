"""The network: from a crop to a point in the phrases' space. Dense convolutions in residual blocks (He et al. 2016)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from dadu.learning.blocks import Residual, convolution
from dadu.learning.export import Signature
from dadu.learning.namer.settings import NamerNetworkSettings
from dadu.perception.learned.crops import CHANNELS, SIDE, SIZES


class NamerNetwork(nn.Module):
    """Crops float32 (N, 6, S, S) and sizes float32 (N, 4), see `network_input`, to embeddings."""

    def __init__(self, settings: NamerNetworkSettings, categories: int) -> None:
        super().__init__()
        stages: list[nn.Module] = []
        for before, width, blocks in zip((CHANNELS, *settings.widths), settings.widths, settings.blocks):
            stages += [convolution(before, width, stride=2), *(Residual(width) for _ in range(blocks))]
        self.body = nn.Sequential(*stages)
        self.hidden = nn.Sequential(nn.Linear(2 * settings.widths[-1] + SIZES, settings.hidden), nn.ReLU())
        self.embedding = nn.Linear(settings.hidden, settings.embedding)
        self.own = nn.Linear(settings.hidden, categories)

    def forward(self, pictures: Tensor, sizes: Tensor) -> Tensor:
        """What is exported: (N, D), not of unit length."""
        embedding: Tensor = self.embedding(self.features(pictures, sizes))
        return embedding

    def features(self, pictures: Tensor, sizes: Tensor) -> Tensor:
        """(N, hidden)."""
        maps = self.body(pictures)
        hidden: Tensor = self.hidden(torch.cat([maps.mean((2, 3)), maps.amax((2, 3)), sizes], 1))
        return hidden


def signature() -> Signature:
    """How the exported network is called: with any number of crops."""
    free = {0: "crops"}
    return Signature({"pictures": torch.zeros(2, CHANNELS, SIDE, SIDE), "sizes": torch.zeros(2, SIZES)}, ["embedding"],
                     {"pictures": free, "sizes": free, "embedding": free})
