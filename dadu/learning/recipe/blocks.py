"""What the networks are built of: dense 3x3 convolutions, which train several times faster on processors than depthwise
ones."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from dadu.learning.recipe.export import Signature
from dadu.perception.learned.channels import CHANNELS
from dadu.perception.learned.crops import SIDE, SIZES


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


def crop_body(widths: Sequence[int], blocks: Sequence[int]) -> nn.Sequential:
    """From crops (N, 6, S, S) to maps: at each stage half the size, `widths` of maps, so many residual `blocks`."""
    stages: list[nn.Module] = []
    for before, width, count in zip((CHANNELS, *widths), widths, blocks):
        stages += [convolution(before, width, stride=2), *(Residual(width) for _ in range(count))]
    return nn.Sequential(*stages)


def described(maps: Tensor, sizes: Tensor) -> Tensor:
    """(N, 2 C + 4) of a crop's maps (N, C, h, w) and sizes (N, 4)."""
    return torch.cat([maps.mean((2, 3)), maps.amax((2, 3)), sizes], 1)


def crop_signature(output: str) -> Signature:
    """How an exported network of crops is called: with any number of them."""
    free = {0: "crops"}
    return Signature({"pictures": torch.zeros(2, CHANNELS, SIDE, SIDE), "sizes": torch.zeros(2, SIZES)}, [output],
                     {"pictures": free, "sizes": free, output: free})
