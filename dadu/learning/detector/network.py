"""The network, a small U-Net from six channels to kind, centre, offset and embedding; and its loss.

Sources: U-Net (Ronneberger et al. 2015); centres and offsets of Panoptic-DeepLab (Cheng et al. 2020).
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from dadu.learning.detector.settings import LossSettings, NetworkSettings
from dadu.learning.detector.targets import FURNITURE, OBJECT
from dadu.learning.recipe.blocks import Residual, convolution, cosines
from dadu.learning.recipe.export import Signature
from dadu.perception.learned.channels import CHANNELS
from dadu.perception.learned.weights import FURNITURE_SEEN

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
        here, x and y to that middle [pixels of half size]; ``embedding`` (N, D), not of unit length, of furniture's
        pixels, row by row."""
        geometry, fine, coarse = self.features(x)
        kind = geometry[:, :3].softmax(1)
        embedding = self.embedding_at(fine, coarse, (kind[:, FURNITURE] > FURNITURE_SEEN).nonzero())
        return torch.cat([kind, geometry[:, 3:4].sigmoid(), geometry[:, 4:]], 1), embedding

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
            x = refine(F.interpolate(narrow(x), scale_factor=2.0, mode="nearest") + skipped.pop())
        return self.geometry(x), x, coarse

    def embedding_at(self, fine: Tensor, coarse: Tensor, places: Tensor) -> Tensor:
        """(N, D) at places (N, 3): picture, row and column at half size. The rest is not computed: it would cost more
        than all convolutions."""
        picture, row, column = places.unbind(1)
        there = fine.permute(0, 2, 3, 1)[picture, row, column]
        around = coarse.permute(0, 2, 3, 1)[picture, row // 2, column // 2]
        return self.meaning(torch.cat([there, around], 1))


def losses(network: DetectorNetwork, batch: dict[str, Tensor], phrases: Tensor, settings: LossSettings
           ) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """See `Losses`. `batch`: tensors by the names of `Batch`'s fields. `phrases`: (categories, D)."""
    geometry, fine, coarse = network.features(batch["pictures"].permute(0, 3, 1, 2))  # channels_last as it lies there
    kind, centre, offset = geometry[:, :3].float(), geometry[:, 3].float(), geometry[:, 4:].float()
    weight = torch.tensor([1.0, 1.0, settings.object_weight], dtype=kind.dtype, device=kind.device)
    is_object = (batch["kind"] == OBJECT).float()
    astray = F.smooth_l1_loss(offset, batch["offset"], reduction="none").sum(1)
    names = cosines(network.embedding_at(fine, coarse, batch["places"]), phrases)
    return {
        "kind": settings.kind * F.cross_entropy(kind, batch["kind"], weight),
        "overlap": settings.overlap * _no_overlap(kind.softmax(1)[:, OBJECT], is_object),
        "centre": settings.centre * _focal(centre, batch["centre"]),
        "offset": settings.offset * (astray * is_object).sum() / is_object.sum().clamp(min=1),
        "name": settings.name * F.cross_entropy(settings.sharpness * names, batch["names"]),
        "phrase": settings.phrase * (1 - names.gather(1, batch["names"][:, None])).mean(),
    }, {"right": (names.argmax(1) == batch["names"]).float().mean()}


def _no_overlap(probability: Tensor, is_object: Tensor) -> Tensor:
    """1 - Dice's coefficient, over the whole batch: few pixels are objects', and cross-entropy alone leaves them
    out."""
    both = (probability * is_object).sum()
    return 1 - (2 * both + 1) / (probability.sum() + is_object.sum() + 1)


def _focal(logit: Tensor, wanted: Tensor) -> Tensor:
    """Of CornerNet (Law and Deng 2018): around a middle, misses of it count less."""
    probability = logit.sigmoid().clamp(1e-4, 1 - 1e-4)
    middle = wanted > 0.99
    found = ((1 - probability) ** 2 * probability.log())[middle].sum()
    false = ((1 - wanted) ** 4 * probability ** 2 * (1 - probability).log())[~middle].sum()
    return -(found + false) / middle.sum().clamp(min=1)


def signature() -> Signature:
    """How the exported network is called: with a picture of any size that is a multiple of 16."""
    free = {2: "height", 3: "width"}
    return Signature({"picture": torch.zeros(1, CHANNELS, 240, 320)}, ["geometry", "embedding"],
                     {"picture": free, "geometry": free, "embedding": {0: "pixels"}})
