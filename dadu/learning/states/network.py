"""The network: from a crop to a logit for each state. Dense convolutions in residual blocks (He et al. 2016)."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from dadu.learning.blocks import Residual, convolution
from dadu.learning.export import Signature
from dadu.learning.states.settings import StateNetworkSettings
from dadu.perception.learned.crops import CHANNELS, SIDE, SIZES
from dadu.perception.states import STATES


class StateNetwork(nn.Module):
    """Crops float32 (N, 6, S, S) and sizes float32 (N, 4), see `network_input`, to logits (N, states)."""

    def __init__(self, settings: StateNetworkSettings) -> None:
        super().__init__()
        stages: list[nn.Module] = []
        for before, width, blocks in zip((CHANNELS, *settings.widths), settings.widths, settings.blocks):
            stages += [convolution(before, width, stride=2), *(Residual(width) for _ in range(blocks))]
        self.body = nn.Sequential(*stages)
        self.head = nn.Sequential(nn.Linear(2 * settings.widths[-1] + SIZES, settings.hidden), nn.ReLU(),
                                  nn.Dropout(settings.dropout), nn.Linear(settings.hidden, len(STATES)))

    def forward(self, pictures: Tensor, sizes: Tensor) -> Tensor:
        """(N, states)."""
        maps = self.body(pictures)
        logits: Tensor = self.head(torch.cat([maps.mean((2, 3)), maps.amax((2, 3)), sizes], 1))
        return logits


def losses(network: StateNetwork, batch: dict[str, Tensor]) -> dict[str, Tensor]:
    """See `Losses`. `batch`: tensors by the names of `StateBatch`'s fields. Of states that do not show nothing is
    asked."""
    pictures = batch["pictures"].contiguous(memory_format=torch.channels_last)
    logits, states = network(pictures, batch["sizes"]).float(), batch["states"]
    shows = (states >= 0).float()
    loss = F.binary_cross_entropy_with_logits(logits, states.clamp(min=0), weight=shows, reduction="sum") / shows.sum()
    right = (((logits > 0) == (states > 0.5)).float() * shows).sum() / shows.sum()
    return {"state": loss, "right": right.detach()}


def signature() -> Signature:
    """How the exported network is called: with any number of crops."""
    free = {0: "crops"}
    return Signature({"pictures": torch.zeros(2, CHANNELS, SIDE, SIDE), "sizes": torch.zeros(2, SIZES)}, ["logits"],
                     {"pictures": free, "sizes": free, "logits": free})
