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
    """So many examples, of each A texts: a conversation, or a question with the right answer and with a wrong one."""

    ids: np.ndarray
    """int64 (B, A, T)"""
    labels: np.ndarray
    """int64 (B, A, T): the same where it is learned, `NOT_LEARNED` elsewhere"""
    mask: np.ndarray
    """int64 (B, A, T): 1, and 0 where it is filled up at its end"""
    example: np.ndarray
    """float32 (B,): share that each is of the batch"""
    token: np.ndarray
    """float32 (B,): share that a learned token of its first text is of all of those"""


class TokenBatches(NumberedBatches[TokenBatch]):
    """All examples again and again, in one order."""

    def __init__(self, examples: Sequence[Example], batch: int, seed: int, pad: int) -> None:
        """`pad`: the token that fills up."""
        self._examples, self._pad = examples, pad
        lengths = [max(len(ids) for ids, _ in _texts(one)) for one in examples]
        order = arranged(lengths, batch, seed)
        self._groups = [order[i:i + batch] for i in range(0, len(order), batch)]

    def make(self, number: int) -> TokenBatch:
        """Batch `number`."""
        chosen = [_texts(self._examples[i]) for i in self._groups[number % len(self._groups)]]
        longest = -(-max(len(ids) for texts in chosen for ids, _ in texts) // PADDED) * PADDED
        shape = (len(chosen), len(chosen[0]), longest)
        ids, labels, mask = np.full(shape, self._pad), np.full(shape, NOT_LEARNED), np.zeros(shape, np.int64)
        for i, texts in enumerate(chosen):
            for k, (told, learned) in enumerate(texts):
                ids[i, k, :len(told)], labels[i, k, :len(told)], mask[i, k, :len(told)] = told, learned, 1
        ones = np.ones(len(chosen), np.float32)
        learned_tokens = max(int((labels[:, 0, 1:] != NOT_LEARNED).sum()), 1)
        return TokenBatch(ids, labels, mask, ones / len(chosen), ones / learned_tokens)


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


def _texts(example: Example) -> list[tuple[np.ndarray, np.ndarray]]:
    """Tokens of each text, and what is learned at each, (T,) both."""
    if "labels" in example:
        return [(example["input_ids"], example["labels"])]
    question = example["prompt_ids"]
    unlearned = np.full(len(question), NOT_LEARNED)
    return [(np.concatenate([question, answer]), np.concatenate([unlearned, answer]))
            for answer in (example["chosen_ids"], example["rejected_ids"])]
