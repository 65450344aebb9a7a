"""The order in which examples are learned."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

_POOL = 50
"""batches that are sorted together"""


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
