"""What a planner's answers cost: to imitate the right ones."""

from __future__ import annotations

from typing import Any

from torch import Tensor
from torch.nn import functional as F

from dadu.learning.planner.encode import NOT_LEARNED


def imitation(network: Any, batch: dict[str, Tensor]) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """Cross-entropy of the learned tokens; ``right``: the share of these that are the likeliest. See
    `dadu.learning.recipe.lesson.Losses`."""
    learned = batch["labels"] != NOT_LEARNED
    kept = int(learned.any(0).flip(0).nonzero()[-1]) + 2  # from before the first learned token on: the rest of a wide
    logits = network(input_ids=batch["ids"], attention_mask=batch["mask"], use_cache=False,  # vocabulary's logits is
                     logits_to_keep=kept).logits[:, :-1]  # work for nothing
    wanted = batch["labels"][:, -kept:][:, 1:]
    cost = F.cross_entropy(logits.float().flatten(0, 1), wanted.flatten(), ignore_index=NOT_LEARNED, reduction="none")
    right = (logits.detach().argmax(-1) == wanted).sum(1)
    return ({"imitation": (cost.view_as(wanted).sum(1) * batch["token"]).sum()},
            {"right": (right * batch["token"]).sum()})
