"""The nearest of many unit vectors, exactly, in a few milliseconds for 100,000 of them on one core.

Comparing a query with every vector in full is bound by memory bandwidth (150 MB for 100,000 x 384). So vectors are
turned into their principal axes; the leading coordinates and the length of the rest bound each cosine from above
(Cauchy-Schwarz), and only vectors whose bound reaches the best found so far are compared in full. Where these are still
many, as for a query that is like nothing in particular, more coordinates make the bound closer first.
"""

from __future__ import annotations

import numpy as np

BLOCK = 64
"""leading coordinates that every vector is compared by at a time"""
BLOCKS = 3
"""of these at most"""
SAMPLE = 4000
"""vectors that the axes are computed from"""
_SMALL = 2000
"""up to so many vectors all are compared in full"""
_BATCH = 256
"""vectors first compared in full"""
_FEW = 1 / 32
"""share of the vectors from which on the bound is made closer, which is cheaper than comparing them in full"""


class VectorIndex:
    """Rows of unit length, float32; rows are added at the end and reused when freed."""

    def __init__(self) -> None:
        self._rows = np.zeros((0, 0), np.float32)
        self._head = np.zeros((BLOCK * BLOCKS, 0), np.float32)
        self._tail = np.zeros((BLOCKS, 0), np.float32)
        """length of what follows each block"""
        self._axes: np.ndarray | None = None
        self._turned = 0
        self._count = 0
        self._free: list[int] = []

    def __len__(self) -> int:
        return self._count - len(self._free)

    def add(self, vectors: np.ndarray) -> np.ndarray:
        """int (N,): the rows given to unit vectors (N, D)."""
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
            self._turn(rows, self._axes)
        return rows

    def free(self, row: int) -> None:
        """The row is not found any more, and may be given away again."""
        self._rows[row] = 0
        self._free.append(row)

    def vector(self, row: int) -> np.ndarray:
        """float32 (D,), of unit length."""
        return self._rows[row]

    def nearest(self, query: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Rows, int (N,), and cosines (N,) of the `count` nearest to a unit vector (D,), or of all; best first."""
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
        axes = self._axes
        if axes is None or self._count > 2 * self._turned:
            axes = self._find_axes()
        turned = axes @ query
        near, known = np.zeros(self._count, np.float32), -np.inf
        near[self._free] = -np.inf
        for block in range(BLOCKS):
            start, end = block * BLOCK, (block + 1) * BLOCK
            part = turned[start:end]
            near += part @ self._head[start:start + len(part), :self._count]
            bound = near + np.linalg.norm(turned[end:]) * self._tail[block, :self._count]
            if block == 0:
                known = self._reached(query, bound, count)
            found = np.flatnonzero(bound >= known - 1e-4)
            if len(found) <= _FEW * self._count:
                break
        return found

    def _reached(self, query: np.ndarray, bound: np.ndarray, count: int) -> float:
        """What the best `count` have at least: the cosine of the last of them among the most promising."""
        tried = min(len(self), max(_BATCH, 4 * count))
        first = np.argpartition(bound, -tried)[-tried:]
        return float(np.sort(self._rows[first] @ query)[-count])

    def _find_axes(self) -> np.ndarray:
        """Principal axes (D, D) of the rows as they are now, the most telling first; all rows are turned to them."""
        sample = self._rows[:self._count][:: max(1, self._count // SAMPLE)]
        _, vectors = np.linalg.eigh(sample.T @ sample)
        self._axes = axes = np.ascontiguousarray(vectors.T[::-1], np.float32)
        self._turned = self._count
        self._turn(np.arange(self._count), axes)
        return axes

    def _turn(self, rows: np.ndarray, axes: np.ndarray) -> None:
        head = self._rows[rows] @ axes[:BLOCK * BLOCKS].T
        self._head[:head.shape[1], rows] = head.T
        rest = np.einsum("ij,ij->i", self._rows[rows], self._rows[rows])
        for block in range(BLOCKS):
            part = head[:, block * BLOCK:(block + 1) * BLOCK]
            rest -= np.einsum("ij,ij->i", part, part)
            self._tail[block, rows] = np.sqrt(np.maximum(0.0, rest))

    def _reserve(self, count: int, width: int) -> None:
        """Room for `count` rows; grows by half so that adding one by one stays cheap."""
        if count <= len(self._rows):
            return
        size = max(count, len(self._rows) * 3 // 2, 64)
        old, rows = len(self._rows), np.zeros((size, width), np.float32)
        head, tail = np.zeros((BLOCK * BLOCKS, size), np.float32), np.zeros((BLOCKS, size), np.float32)
        if old:
            rows[:old], head[:, :old], tail[:, :old] = self._rows, self._head, self._tail
        self._rows, self._head, self._tail = rows, head, tail
