"""What was cut out of a picture: by the network, and where it saw nothing by what stands on something level."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dadu.perception.learned.weights import Curve

STANDS = Curve((0.62, 0.02, 0.57, 0.51, -0.15, 0.45), -0.13)
"""the chance that what stands there by depth is a thing. Fitted on 88 of four homes of split validation, 8 of them
things: in renders the network sees what there is, and what it leaves are mostly legs and edges of furniture"""
LEAST_CHANCE = 0.1
"""of which it is told of: a third of those were things there"""
_SEEN = 0.3
"""share of what stands there that the network's own things cover, from which on it saw it"""
_FLOOR = 0.15
"""furniture stands no higher [m]: what is seen as furniture and stands on a table is a thing"""
_FURNITURE = 0.5
"""share of what stands on the floor that is seen as furniture, from which on it is some"""
_WITHIN = 0.7
"""share of a network's thing that lies in what stands there, from which on it is a part of that"""


@dataclass(frozen=True)
class CutThings:
    """The things in it, sure or not."""

    labels: np.ndarray
    """int16 (h, w): 1, 2... for things, 0 where there is none"""
    objects: int
    """so many are objects; those that follow are furniture"""
    evidence: np.ndarray
    """float64 (number of things, len(KNOWN)), see `Calibration`"""
    unseen: int = 0
    """so many of the objects, the last ones, the network did not see: they stand there by depth alone"""

    def kept(self, which: np.ndarray) -> CutThings:
        """Those of the indices int (N,), rising, numbered anew."""
        number = np.zeros(len(self.evidence) + 1, np.int16)
        number[which + 1] = np.arange(len(which)) + 1
        objects, unseen = which < self.objects, which >= self.objects - self.unseen
        return CutThings(number[self.labels], int(objects.sum()), self.evidence[which], int((objects & unseen).sum()))


def joined(things: CutThings, standing: np.ndarray, levels: np.ndarray,
           known: Callable[[np.ndarray], np.ndarray]) -> CutThings:
    """`things` with what is `standing`, int (h, w): 1, 2... M, 0 elsewhere, at `levels` (M,) [m] above the floor, where
    they lack it; `known` tells the `evidence` of masks.

    What the network saw in part, and nothing else in it, becomes whole. Where it saw several things, these touch and
    only look like one by depth. What stands on the floor may be furniture.
    """
    count, first = len(things.evidence), things.objects
    shared = np.bincount(standing.ravel() * (count + 1) + things.labels.ravel(),
                         minlength=(int(standing.max(initial=0)) + 1) * (count + 1)).reshape(-1, count + 1)
    whole, size = shared.sum(axis=1), np.maximum(shared.sum(axis=0), 1)
    labels, found = things.labels.copy(), np.zeros(things.labels.shape, np.int32)
    new = 0
    for thing in range(1, len(shared)):
        objects, furniture = shared[thing, 1:first + 1], shared[thing, first + 1:]
        within = np.flatnonzero(objects > _WITHIN * size[1:first + 1])
        if levels[thing - 1] < _FLOOR and furniture.sum() > _FURNITURE * whole[thing]:
            continue
        if objects.sum() < _SEEN * whole[thing] and not len(within):
            new += 1
            found[(standing == thing) & ((labels == 0) | (labels > first))] = new
        elif len(within) == 1 and objects.sum() - objects[within[0]] < 0.1 * whole[thing]:
            labels[(standing == thing) & ((labels == 0) | (labels > first))] = within[0] + 1
    more = known(found)
    sure = np.flatnonzero(STANDS.score(more) >= LEAST_CHANCE)
    number = np.zeros(new + 1, np.int32)
    number[sure + 1] = 1 + np.arange(len(sure))
    found, more, new = number[found], more[sure], len(sure)
    labels = np.where(found > 0, found + first, np.where(labels > first, labels + new, labels)).astype(np.int16)
    evidence = np.concatenate([things.evidence[:first], more, things.evidence[first:]])
    left = np.bincount(labels.ravel(), minlength=len(evidence) + 1)[1:]  # of furniture there may be nothing left
    return CutThings(labels, first + new, evidence, new).kept(np.flatnonzero(left))
