"""How far what the network says is from what it should say."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F

from dadu.learning.blocks import cosines
from dadu.learning.detector.network import DetectorNetwork
from dadu.learning.detector.settings import LossSettings
from dadu.learning.detector.targets import OBJECT


def losses(network: DetectorNetwork, batch: dict[str, Tensor], phrases: Tensor, settings: LossSettings
           ) -> dict[str, Tensor]:
    """The parts of the loss, weighted; their sum is minimised. ``right`` is no part: the share of pixels named right.

    `batch`: tensors by the names of `Batch`'s fields. `phrases`: (categories, D).
    """
    geometry, fine, coarse = network.features(batch["pictures"].permute(0, 3, 1, 2))  # channels_last as it lies there
    kind, centre, offset = geometry[:, :3].float(), geometry[:, 3].float(), geometry[:, 4:].float()
    weight = torch.tensor([1.0, 1.0, settings.object_weight], dtype=kind.dtype, device=kind.device)
    is_object = (batch["kind"] == OBJECT).float()
    names = cosines(network.embedding_at(fine, coarse, batch["places"]), phrases)
    return {
        "kind": settings.kind * F.cross_entropy(kind, batch["kind"], weight),
        "overlap": settings.overlap * _no_overlap(kind.softmax(1)[:, OBJECT], is_object),
        "centre": settings.centre * _focal(centre, batch["centre"]),
        "offset": settings.offset * _on(F.smooth_l1_loss(offset, batch["offset"], reduction="none").sum(1), is_object),
        "name": settings.name * F.cross_entropy(settings.sharpness * names, batch["names"]),
        "phrase": settings.phrase * (1 - names.gather(1, batch["names"][:, None])).mean(),
        "right": (names.argmax(1) == batch["names"]).float().mean().detach(),
    }


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


def _on(values: Tensor, mask: Tensor) -> Tensor:
    """Mean of `values` where `mask` is 1."""
    return (values * mask).sum() / mask.sum().clamp(min=1)
