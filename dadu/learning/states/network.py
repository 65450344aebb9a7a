"""The network and its loss: from a crop to a logit for each state."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from dadu.learning.recipe.blocks import crop_body, described
from dadu.learning.states.settings import StateNetworkSettings
from dadu.perception.learned.crops import SIZES
from dadu.perception.states import STATES


class StateNetwork(nn.Module):
    """Crops float32 (N, 6, S, S) and sizes float32 (N, 4), see `network_input`, to logits (N, states)."""

    def __init__(self, settings: StateNetworkSettings) -> None:
        super().__init__()
        self.body = crop_body(settings.widths, settings.blocks)
        self.head = nn.Sequential(nn.Linear(2 * settings.widths[-1] + SIZES, settings.hidden), nn.ReLU(),
                                  nn.Dropout(settings.dropout), nn.Linear(settings.hidden, len(STATES)))

    def forward(self, pictures: Tensor, sizes: Tensor) -> Tensor:
        """(N, states)."""
        logits: Tensor = self.head(described(self.body(pictures), sizes))
        return logits


def losses(network: StateNetwork, batch: dict[str, Tensor]) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """See `Losses`. `batch`: tensors by the names of `StateBatch`'s fields. Of states that do not show nothing is
    asked."""
    pictures = batch["pictures"].contiguous(memory_format=torch.channels_last)
    logits, states = network(pictures, batch["sizes"]).float(), batch["states"]
    shows = (states >= 0).float()
    loss = F.binary_cross_entropy_with_logits(logits, states.clamp(min=0), weight=shows, reduction="sum") / shows.sum()
    right = (((logits > 0) == (states > 0.5)).float() * shows).sum() / shows.sum()
    return {"state": loss}, {"right": right}
