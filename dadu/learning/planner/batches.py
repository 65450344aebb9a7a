"""What a planner learns, as batches of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dadu.learning.planner.encode import NOT_LEARNED
from dadu.learning.planner.tokens import Example
from dadu.learning.recipe.batches import NumberedBatches

PADDED = 32
"""a batch is as many tokens long, or a multiple: on a CPU, PyTorch keeps buffers for every length that it has met"""
_POOL = 50
"""batches that are sorted together"""


@dataclass(frozen=True)
class TokenBatch:
    """So many conversations."""

    ids: np.ndarray
    """int64 (B, T)"""
    labels: np.ndarray
    """int64 (B, T): the same where it is learned, `NOT_LEARNED` elsewhere"""
    mask: np.ndarray
    """int64 (B, T): 1, and 0 where it is filled up at its end"""
    token: np.ndarray
    """float32 (B,): share that a learned token of it is of all of those"""


class TokenBatches(NumberedBatches[TokenBatch]):
    """All examples again and again, in one order."""

    def __init__(self, examples: Sequence[Example], batch: int, seed: int, pad: int) -> None:
        """`pad`: the token that fills up."""
        self._examples, self._pad = examples, pad
        order = arranged([len(one["input_ids"]) for one in examples], batch, seed)
        self._groups = [order[i:i + batch] for i in range(0, len(order), batch)]

    def make(self, number: int) -> TokenBatch:
        """Batch `number`."""
        chosen = [self._examples[i] for i in self._groups[number % len(self._groups)]]
        shape = len(chosen), -(-max(len(one["input_ids"]) for one in chosen) // PADDED) * PADDED
        ids, labels, mask = np.full(shape, self._pad), np.full(shape, NOT_LEARNED), np.zeros(shape, np.int64)
        for i, one in enumerate(chosen):
            told = np.s_[i, :len(one["input_ids"])]
            ids[told], labels[told], mask[told] = one["input_ids"], one["labels"], 1
        learned_tokens = max(int((labels[:, 1:] != NOT_LEARNED).sum()), 1)
        return TokenBatch(ids, labels, mask, np.ones(len(chosen), np.float32) / learned_tokens)


def arranged(lengths: Sequence[int], batch: int, seed: int) -> list[int]:
    """Examples by number, in an order of chance in which those of a batch are of like length, so that little is
    padding. Depends on the seed alone, so that a run that was killed goes on where it was."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(lengths))
    pools = [order[i:i + _POOL * batch] for i in range(0, len(order), _POOL * batch)]
    alike = [sorted(pool.tolist(), key=lambda i: (lengths[i], i)) for pool in pools]
    batches = [pool[i:i + batch] for pool in alike for i in range(0, len(pool), batch)]
    whole = [b for b in batches if len(b) == batch]
    rest = [b for b in batches if len(b) < batch]
    return [i for k in rng.permutation(len(whole)) for i in whole[k]] + [i for b in rest for i in b]
