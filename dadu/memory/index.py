"""The nearest of many unit vectors, exactly, in a few milliseconds for 100,000 of them on one core.

Comparing a query with every vector in full is bound by memory bandwidth (150 MB for 100,000 x 384). So vectors are
turned into their principal axes; the leading coordinates and the length of the rest bound each cosine from above
(Cauchy-Schwarz), and only vectors whose bound reaches the best found so far are compared in full.
"""

from __future__ import annotations

import numpy as np

HEAD = 64
"""leading coordinates that every vector is compared by"""
SAMPLE = 4000
"""vectors that the axes are computed from"""
_SMALL = 2000
"""up to so many vectors all are compared in full"""
_BATCH = 256
"""vectors first compared in full"""


class VectorIndex:
    """Rows of unit length, float32; rows are added at the end and reused when freed."""

    def __init__(self) -> None:
        self._rows = np.zeros((0, 0), np.float32)
        self._head = np.zeros((HEAD, 0), np.float32)
        self._tail = np.zeros(0, np.float32)
        self._axes: np.ndarray | None = None
        self._turned = 0
        self._count = 0
        self._free: list[int] = []

    def __len__(self) -> int:
        return self._count - len(self._free)

    def add(self, vectors: np.ndarray) -> np.ndarray:
        """Row numbers (N,) given to unit vectors (N, D)."""
        vectors = np.asarray(vectors, np.float32)
        if not len(vectors):
            return np.zeros(0, int)
        reused = [self._free.pop() for _ in range(min(len(self._free), len(vectors)))]
        fresh = np.arange(self._count, self._count + len(vectors) - len(reused))
        self._count += len(fresh)
        rows = np.concatenate([np.array(reused, int), fresh])
        self._reserve(self._count, vectors.shape[1])
        self._rows[rows] = vectors
        if self._axes is not None:
            self._turn(rows)
        return rows

    def free(self, row: int) -> None:
        """The row is not found any more, and may be given away again."""
        self._rows[row] = 0
        self._free.append(row)

    def vector(self, row: int) -> np.ndarray:
        return self._rows[row]

    def nearest(self, query: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Rows and cosines of the `count` nearest to a unit vector (D,), best first; fewer where there are fewer."""
        count = min(count, len(self))
        if count <= 0:
            return np.zeros(0, int), np.zeros(0, np.float32)
        query = np.asarray(query, np.float32)
        rows = self._candidates(query, count) if self._count > _SMALL else np.arange(self._count)
        few = len(rows) < self._count / 8  # gathering rows costs more than reading them in order
        cosines = self._rows[rows] @ query if few else (self._rows[:self._count] @ query)[rows]
        if self._free:
            used = ~np.isin(rows, self._free)
            rows, cosines = rows[used], cosines[used]
        best = np.lexsort((rows, -cosines))[:count]
        return rows[best], cosines[best]

    def _candidates(self, query: np.ndarray, count: int) -> np.ndarray:
        """Rows among which the nearest are for certain."""
        if self._axes is None or self._count > 2 * self._turned:
            self._find_axes()
        turned = self._axes @ query
        bound = turned[:HEAD] @ self._head[:, :self._count]
        bound += np.linalg.norm(turned[HEAD:]) * self._tail[:self._count]
        bound[self._free] = -np.inf
        tried = min(len(self), max(_BATCH, 4 * count))
        first = np.argpartition(bound, -tried)[-tried:]
        known = np.sort(self._rows[first] @ query)[-count]
        return np.flatnonzero(bound >= known - 1e-4)

    def _find_axes(self) -> None:
        sample = self._rows[:self._count][:: max(1, self._count // SAMPLE)]
        _, axes = np.linalg.eigh(sample.T @ sample)
        self._axes = np.ascontiguousarray(axes.T[::-1], np.float32)
        self._turned = self._count
        self._turn(np.arange(self._count))

    def _turn(self, rows: np.ndarray) -> None:
        head = self._rows[rows] @ self._axes[:HEAD].T
        self._head[:, rows] = head.T
        lengths = np.einsum("ij,ij->i", self._rows[rows], self._rows[rows])
        self._tail[rows] = np.sqrt(np.maximum(0.0, lengths - np.einsum("ij,ij->i", head, head)))

    def _reserve(self, count: int, width: int) -> None:
        """Room for `count` rows; grows by half so that adding one by one stays cheap."""
        if count <= len(self._rows):
            return
        size = max(count, len(self._rows) * 3 // 2, 64)
        rows, head, tail = np.zeros((size, width), np.float32), np.zeros((HEAD, size), np.float32), np.zeros(size)
        old = len(self._rows)
        if old:
            rows[:old], head[:, :old], tail[:old] = self._rows, self._head, self._tail
        self._rows, self._head, self._tail = rows, head, tail.astype(np.float32)
