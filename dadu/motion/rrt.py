"""RRT-Connect in joint space, and shortcuts through what it finds.

Source: Kuffner and LaValle, RRT-Connect (2000); shortcutting after Geraerts and Overmars (2007).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

_STEP = 4.0
"""longest step by which a tree grows [cells: the resolution at which a way is checked is 1]"""
_SHORTCUTS = 30

Free = Callable[[np.ndarray], bool]


def connect(free: Free, start: np.ndarray, goal: np.ndarray, low: np.ndarray, high: np.ndarray, *, seed: int = 0,
            iterations: int = 200) -> list[np.ndarray] | None:
    """Corners (n,) of a free way from `start` to `goal`, both free, within `low` and `high`; all (n,), unitless: at
    each whole step the way is checked. None where `iterations` found none: the same for the same `seed`."""
    if _clear(free, start, goal):
        return [start, goal]
    rng = np.random.default_rng(seed)
    trees = [_Tree(start), _Tree(goal)]
    for _ in range(iterations):
        near, far = trees
        reached = near.grow(free, rng.uniform(low, high))
        if reached is not None:
            while (met := far.grow(free, near.points[reached])) is not None:
                if np.array_equal(far.points[met], near.points[reached]):
                    a, b = near.way(reached), far.way(met)
                    way = [*reversed(a), *b[1:]]
                    return _shortened(free, way if way[0] is start else way[::-1], rng)
        trees.reverse()
    return None


class _Tree:
    def __init__(self, root: np.ndarray) -> None:
        self.points, self._parents = [root], [-1]

    def grow(self, free: Free, towards: np.ndarray) -> int | None:
        """Index of a new point a step `towards` a place from the nearest; None where the way is blocked."""
        nearest = int(np.argmin(np.linalg.norm(np.array(self.points) - towards, axis=1)))
        here, away = self.points[nearest], towards - self.points[nearest]
        length = float(np.linalg.norm(away))
        new = towards if length <= _STEP else here + away * (_STEP / length)
        if length == 0.0 or not _clear(free, here, new):
            return None
        self.points.append(new)
        self._parents.append(nearest)
        return len(self.points) - 1

    def way(self, index: int) -> list[np.ndarray]:
        """From a point back to the root."""
        found = []
        while index >= 0:
            found.append(self.points[index])
            index = self._parents[index]
        return found


def _clear(free: Free, a: np.ndarray, b: np.ndarray) -> bool:
    """True if the straight way is free, `a` being so."""
    count = max(1, int(np.ceil(np.abs(b - a).max())))
    return all(free(a + (b - a) * share) for share in np.linspace(0.0, 1.0, count + 1)[1:])


def _shortened(free: Free, way: list[np.ndarray], rng: np.random.Generator) -> list[np.ndarray]:
    for _ in range(_SHORTCUTS):
        if len(way) < 3:
            break
        i, j = sorted(rng.choice(len(way), 2, replace=False))
        if j - i > 1 and _clear(free, way[i], way[j]):
            way = [*way[:i + 1], *way[j:]]
    return way
