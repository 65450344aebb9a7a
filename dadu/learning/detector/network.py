"""The network: a small U-Net of dense convolutions, from six channels to kind, centre, offset and embedding.

Sources: U-Net (Ronneberger et al. 2015); centres and offsets of Panoptic-DeepLab (Cheng et al. 2020).
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from dadu.learning.blocks import Residual, convolution
from dadu.learning.detector.settings import NetworkSettings
from dadu.learning.export import Signature
from dadu.perception.learned.channels import CHANNELS

KINDS = ("background", "furniture", "object")


class DetectorNetwork(nn.Module):
    """Pictures (B, 6, H, W), H and W multiples of 16, to what is where at half the size, h = H / 2 and w = W / 2."""

    def __init__(self, settings: NetworkSettings) -> None:
        super().__init__()
        widths = settings.widths
        self.stem = convolution(CHANNELS, widths[0], stride=2)
        self.down = nn.ModuleList()
        for i, (width, blocks) in enumerate(zip(widths, settings.blocks)):
            enter = [] if i == 0 else [convolution(widths[i - 1], width, stride=2)]
            self.down.append(nn.Sequential(*enter, *(Residual(width) for _ in range(blocks))))
        self.around = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(widths[-1], widths[-1], 1), nn.ReLU())
        self.up = nn.ModuleList(nn.ModuleList([nn.Conv2d(deep, shallow, 1, bias=False), Residual(shallow)])
                                for deep, shallow in zip(widths[:0:-1], widths[-2::-1]))
        self.geometry = nn.Sequential(convolution(widths[0], widths[0]), nn.Conv2d(widths[0], 6, 1))
        self.meaning = nn.Sequential(nn.Linear(widths[0] + widths[1], 96), nn.ReLU(), nn.Linear(96, settings.embedding))
        nn.init.constant_(self.geometry[-1].bias, 0.0)
        nn.init.constant_(self.geometry[-1].bias[3:4], -3.0)  # centres are rare

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """What is exported: ``geometry`` (B, 6, h, w): probabilities of `KINDS`, probability that an object's middle is
        here, x and y to that middle [pixels of half size]; ``embedding`` (B, h, w, D), not of unit length."""
        geometry, fine, coarse = self.features(x)
        wide = nn.functional.interpolate(coarse, scale_factor=2.0, mode="nearest")
        embedding = self.meaning(torch.cat([fine, wide], 1).permute(0, 2, 3, 1))
        return torch.cat([geometry[:, :3].softmax(1), geometry[:, 3:4].sigmoid(), geometry[:, 4:]], 1), embedding

    def features(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Geometry (B, 6, h, w) with logits for probabilities, and feature maps at a half and at a quarter of the
        size."""
        x = self.stem(x)
        skipped = []
        for stage in self.down:
            x = stage(x)
            skipped.append(x)
        x = skipped.pop() + self.around(x)
        coarse = x
        for narrow, refine in self.up:
            coarse = x
            x = refine(nn.functional.interpolate(narrow(x), scale_factor=2.0, mode="nearest") + skipped.pop())
        return self.geometry(x), x, coarse

    def embedding_at(self, fine: Tensor, coarse: Tensor, places: Tensor) -> Tensor:
        """(N, D) at places (N, 3): picture, row and column at half size. The rest is not computed: it would cost more
        than all convolutions."""
        picture, row, column = places.unbind(1)
        there = fine.permute(0, 2, 3, 1)[picture, row, column]
        around = coarse.permute(0, 2, 3, 1)[picture, row // 2, column // 2]
        return self.meaning(torch.cat([there, around], 1))


def signature() -> Signature:
    """How the exported network is called: with a picture of any size that is a multiple of 16."""
    free = {2: "height", 3: "width"}
    return Signature({"picture": torch.zeros(1, CHANNELS, 240, 320)}, ["geometry", "embedding"],
                     {"picture": free, "geometry": free, "embedding": {1: "height", 2: "width"}})
