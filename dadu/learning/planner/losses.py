"""What a planner's answers cost: to imitate the right one, or to prefer it to a wrong one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor
from torch.func import functional_call
from torch.nn import functional as F

from dadu.learning.planner.encode import NOT_LEARNED
from dadu.learning.planner.settings import PreferenceSettings

Parts = tuple[dict[str, Tensor], dict[str, Tensor]]
"""see `dadu.learning.recipe.lesson.Losses`"""


def imitation(network: Any, batch: dict[str, Tensor]) -> Parts:
    """Cross-entropy of the learned tokens; ``right``: the share of these that are the likeliest."""
    learned = batch["labels"].flatten(0, 1) != NOT_LEARNED
    kept = int(learned.any(0).flip(0).nonzero()[-1]) + 2  # from before the first learned token on: the rest of a wide
    logits = network(**_asked(batch), logits_to_keep=kept).logits[:, :-1]  # vocabulary's logits is work for nothing
    late = {**batch, "labels": batch["labels"][..., -kept:]}
    likely, wanted = _likely(logits, late), late["labels"].flatten(0, 1)[:, 1:]
    right = (logits.detach().argmax(-1) == wanted).sum(1)
    return {"imitation": -(likely.sum((1, 2)) * batch["token"]).sum()}, {"right": (right * batch["token"]).sum()}


class Preference:
    """DPO (Rafailov et al. 2023), with some of the likelihood of the right answer beside the preference. The reference
    is the network itself with what it began with in the place of what it has learned since: no second one is held."""

    def __init__(self, network: Any, settings: PreferenceSettings) -> None:
        """`network`: as it begins, on whatever device."""
        self._network, self._settings = network, settings
        self._first = {name: p.detach().clone() for name, p in network.named_parameters() if p.requires_grad}

    def __call__(self, batch: dict[str, Tensor]) -> Parts:
        """``right``: the share of pairs that are preferred rightly; ``margin``: by how much, in the mean."""
        likely = _likely(self._network(**_asked(batch)).logits[:, :-1], batch)
        with torch.no_grad():
            before = _likely(self._reference(batch), batch)
        gained = (likely.sum(-1) - before.sum(-1)) * self._settings.beta
        margin, each = gained[:, 0] - gained[:, 1], batch["example"]
        losses = {"preference": -(F.logsigmoid(margin) * each).sum()}
        if self._settings.imitate:
            losses["imitation"] = -self._settings.imitate * (likely[:, 0].sum(-1) * batch["token"]).sum()
        return losses, {"right": ((margin > 0) * each).sum(), "margin": (margin * each).sum()}

    def _reference(self, batch: dict[str, Tensor]) -> Tensor:
        """Logits (N, T - 1, vocabulary)."""
        device = batch["ids"].device
        self._first = {name: value.to(device) for name, value in self._first.items()}
        self._network.eval()
        logits: Tensor = functional_call(self._network, self._first, kwargs=_asked(batch)).logits[:, :-1]
        self._network.train()
        return logits


def _asked(batch: Mapping[str, Tensor]) -> dict[str, Any]:
    return {"input_ids": batch["ids"].flatten(0, 1), "attention_mask": batch["mask"].flatten(0, 1), "use_cache": False}


def _likely(logits: Tensor, batch: Mapping[str, Tensor]) -> Tensor:
    """(B, A, T - 1): logarithm of the likelihood of each learned token, 0 elsewhere, of logits (B A, T - 1, ...)."""
    wanted = batch["labels"].flatten(0, 1)[:, 1:]
    cost = F.cross_entropy(logits.float().flatten(0, 1), wanted.flatten(), ignore_index=NOT_LEARNED, reduction="none")
    return -cost.view(*batch["labels"].shape[:2], -1)
