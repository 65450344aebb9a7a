"""How a thing is built says what it may be: how large it is seen to be, and of what else that has such a shape and size
it reminds the network. By the catalogue, which tells both also of kinds that training never showed."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from dadu.house.catalogue import object_categories
from dadu.perception.learned.crops import View
from dadu.perception.standing import LEAST_PIXELS

SIZE_WEIGHT, LOOK_WEIGHT = 0.5, 1.0
"""of the two logarithms below, which are no independent evidence beside what the network makes of the same pixels.
These, and what follows, were chosen on homes of split validation"""
NEVER_SHOWN = 2.0
"""log-odds in favour of kinds that training never showed: it drew all that it saw to the names of those that it did"""
SURENESS = 0.7
"""factor of all log-odds together then: the same pixels are asked twice, and what is called sure is as often right as
it was without"""
_SPREAD, _FLOOR = 0.25, 0.02
"""standard deviation of a seen extent's logarithm, and the least likelihood: masks may be wrong, things lie or are
hidden in part"""
_ALIKE, _OTHER_SHAPE = 0.35, 0.2
"""standard deviation of the logarithms of sizes of things that look alike, and how much less so another shape does"""
_NOTHING_ALIKE = 0.01
_TAIL = (2.0, 98.0)
"""percentiles between which a thing's pixels are taken to be its own"""
_DEEP = 0.6
"""pixels farther from a thing's median depth belong to something else [m]"""


def extents(view: View, labels: np.ndarray) -> np.ndarray:
    """float64 (N, 2) [m]: height in map, and width across the view, of things given as int (h, w): 1, 2... N, 0
    elsewhere; NaN where the picture's border cuts them off, or too little depth is known."""
    count = int(labels.max(initial=0))
    found = np.full((count, 2), np.nan)
    rows, columns = np.nonzero(labels)
    down, across = ((2 * places + 1) * size // (2 * coarse)
                    for places, size, coarse in zip((rows, columns), view.depth.shape, labels.shape))
    owner, z, above = labels[rows, columns], view.depth[down, across], view.above[down, across]
    border = np.concatenate([labels[[0, -1]].ravel(), labels[:, [0, -1]].ravel()])
    for i in set(range(1, count + 1)) - set(border.tolist()):
        mine = (owner == i) & (z > 0)
        if mine.any():
            mine &= np.abs(z - np.median(z[mine])) < _DEEP
        if mine.sum() < LEAST_PIXELS:
            continue
        sideways = (across[mine] - view.depth.shape[1] / 2) * z[mine] / view.focal
        found[i - 1] = [np.subtract(*np.percentile(values, _TAIL[::-1])) for values in (above[mine], sideways)]
    return found


SHOWN = ""
"""in the place of a category: what somebody showed, which is built as it was seen"""


class Builds:
    """Of categories of objects, in their order, `SHOWN` among them."""

    def __init__(self, categories: Sequence[str], trained: Collection[str]) -> None:
        """`trained`: categories that the network was taught."""
        entries = [object_categories().get(category) for category in categories]
        sizes = np.array([entry.size if entry else (np.nan,) * 3 for entry in entries]).reshape(-1, 3)
        shapes = np.array([entry.shape if entry else "" for entry in entries])
        self._told = ~np.isnan(sizes[:, 0])
        self._shown = np.array([category == SHOWN for category in categories])
        self._trained = np.array([category in trained for category in categories]) | self._shown
        self._height = np.log(sizes[:, 2])
        self._width = np.log(sizes[:, :2].min(axis=1)), np.log(np.hypot(sizes[:, 0], sizes[:, 1]))
        sides = np.log(np.column_stack([sizes[:, :2].min(axis=1), sizes[:, :2].max(axis=1), sizes[:, 2]]))
        apart = np.square(sides[:, None] - sides[None]).sum(axis=2)
        alike = np.exp(-apart / (2 * _ALIKE**2)) * np.where(shapes[:, None] == shapes[None], 1.0, _OTHER_SHAPE)
        self._alike = np.where(np.isnan(alike), 0.0, alike)

    def log_odds(self, logits: np.ndarray, seen: np.ndarray) -> np.ndarray:
        """(N, M), unitless: what to add to logits (N, M) of the M categories for N things of these `extents` (N, 2). A
        category of which nobody tells how it is built may be built as any of the catalogue; what was shown fits as well
        as the one that fits best."""
        both = SIZE_WEIGHT * self.sizes(seen) + LOOK_WEIGHT * self._looks(logits)
        if not self._told.any():
            return NEVER_SHOWN * np.broadcast_to(~self._trained, both.shape)
        told = both[:, self._told]
        anyhow = np.logaddexp.reduce(told, axis=1, keepdims=True) - np.log(told.shape[1])
        others = np.where(self._shown, told.max(axis=1, keepdims=True), anyhow)
        return np.where(self._told, both, others) + NEVER_SHOWN * ~self._trained

    def sizes(self, seen: np.ndarray) -> np.ndarray:
        """(N, M), unitless: logarithm of how likely they are seen so large; a width anywhere between a category's
        narrower side and its diagonal is as likely."""
        height, width = np.log(np.maximum(seen, 1e-3)).T[:, :, None]
        narrow, wide = self._width
        off = np.maximum(np.maximum(narrow - width, width - wide), 0.0)
        likely = (np.log(np.exp(-np.square(one / _SPREAD) / 2) + _FLOOR) for one in (height - self._height, off))
        return np.nan_to_num(sum(likely))

    def _looks(self, logits: np.ndarray) -> np.ndarray:
        """(N, M): logarithm of the chance that the network takes them for something that it was taught and that looks
        alike."""
        if not (self._told & self._trained).any():
            return np.zeros_like(logits)
        taught = np.where(self._trained, logits, -np.inf)
        chances = np.exp(taught - taught.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        return np.log(chances @ self._alike + _NOTHING_ALIKE)
