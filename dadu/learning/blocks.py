"""What the networks are built of: dense 3x3 convolutions, which train several times faster on processors than depthwise
ones."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Residual(nn.Module):
    """Two convolutions beside the identity (He et al. 2016)."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = convolution(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width))
        nn.init.zeros_(self.second[1].weight)  # begins as the identity

    def forward(self, x: Tensor) -> Tensor:
        """(B, width, H, W), the same size."""
        return torch.relu(x + self.second(self.first(x)))


def convolution(inputs: int, outputs: int, stride: int = 1) -> nn.Sequential:
    """With normalisation and ReLU."""
    return nn.Sequential(nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs),
                         nn.ReLU(inplace=True))


def cosines(embedding: Tensor, phrases: Tensor) -> Tensor:
    """(N, categories) of embeddings (N, D) and phrases (categories, D), those of length 1; in full precision, since a
    factor makes much of small differences."""
    with torch.autocast(embedding.device.type, enabled=False):
        return nn.functional.normalize(embedding.float(), dim=1) @ phrases.T
