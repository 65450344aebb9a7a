"""How far what the interpreter writes is from what it should write."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F

from dadu.learning.interpreter.batches import IGNORED
from dadu.learning.interpreter.network import InterpreterNetwork


def losses(network: InterpreterNetwork, table: Tensor, batch: dict[str, Tensor]) -> dict[str, Tensor]:
    """See `Losses`; `batch`: by the names of `SentenceBatch`'s fields, `table` as for `forward`. ``right`` is of
    symbols."""
    after = batch["after"].flatten()
    logits = forward(network, table, batch).flatten(0, 1).float()
    asked = after != IGNORED
    return {"symbols": F.cross_entropy(logits, after, ignore_index=IGNORED),
            "right": (logits.argmax(-1) == after)[asked].float().mean().detach()}


def forward(network: InterpreterNetwork, table: Tensor, batch: dict[str, Tensor]) -> Tensor:
    """Logits (B, T, symbols + words) of a batch; `table`: vectors (rows, D) of words."""
    words = batch["words"]
    mask = torch.zeros(words.shape, device=words.device).masked_fill(words == 0, float("-inf"))[:, None, None]
    logits: Tensor = network(table[words], batch["marks"], mask, batch["before"])
    return logits
