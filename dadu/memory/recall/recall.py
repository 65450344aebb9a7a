"""Short-term memory as DaDu-E has it: units of id, object, position and description, recalled by similarity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

import numpy as np

from dadu.knowledge.embedding import Embedder

_CHUNK = 1024
"""texts embedded at a time"""


@dataclass(frozen=True)
class Unit:
    """One thing that short-term memory holds."""

    id: str
    object: str
    """category"""
    position: tuple[float, float, float]
    """map [m]"""
    description: str
    similarity: float = 0.0
    """cosine to the query"""


class ShortTermMemory:
    """At most one unit an id, the newest. Each distinct text is embedded once, when it is first needed. A query is
    compared with every one of them: a home has hundreds, and thousands take a millisecond."""

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self._units: dict[str, Unit] = {}
        self._texts: dict[str, tuple[str, ...]] = {}
        self._vectors: dict[str, np.ndarray] = {}
        self._table: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None
        """vectors (N, D) of the distinct texts; the rows of all units' texts, one unit after the other in the order of
        their ids; where in these each unit's begin"""

    def __len__(self) -> int:
        return len(self._units)

    def put(self, unit: Unit, names: Sequence[str] = ()) -> None:
        """Adds a unit in place of the older one of the same id. `names`: what else the thing is called."""
        texts = tuple(dict.fromkeys((unit.description, *names)))
        if self._texts.get(unit.id) != texts:
            self._texts[unit.id], self._table = texts, None
        self._units[unit.id] = unit

    def drop(self, id: str) -> None:
        """Forgets a unit; unknown ids are ignored."""
        if self._units.pop(id, None) is not None:
            del self._texts[id]
            self._table = None

    def recall(self, query: str, limit: int = 5) -> list[Unit]:
        """The `limit` units nearest in meaning to `query`, best first (DaDu-E, equation 3). A unit is as near as its
        description or its best name: "couch" finds a sofa, whatever is said of where it stands."""
        if not self._units or limit <= 0:
            return []
        vectors, rows, starts = self._table = self._table or self._tabulated()
        cosines = vectors @ self.embedder.embed([query])[0]
        similarity = np.maximum.reduceat(cosines[rows], starts)
        ids = sorted(self._units)
        best = np.argsort(-similarity, kind="stable")[:limit]
        return [replace(self._units[ids[i]], similarity=float(similarity[i])) for i in best]

    @property
    def texts(self) -> Set[str]:
        """All that is said of the units."""
        return {text for texts in self._texts.values() for text in texts}

    def embed(self, known: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Gives every text its unit vector (D,), from `known` where it is there; returns those that were computed."""
        self._vectors |= {text: known[text] for text in self.texts - self._vectors.keys() if text in known}
        missing = sorted(self.texts - self._vectors.keys())
        chunks = [missing[i:i + _CHUNK] for i in range(0, len(missing), _CHUNK)]
        computed = {text: vector for chunk in chunks for text, vector in zip(chunk, self.embedder.embed(chunk))}
        self._vectors |= computed
        return computed

    def _tabulated(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        self.embed({})
        self._vectors = {text: self._vectors[text] for text in sorted(self.texts)}
        row = {text: i for i, text in enumerate(self._vectors)}
        rows = [[row[text] for text in self._texts[id]] for id in sorted(self._units)]
        starts = np.cumsum([0, *map(len, rows[:-1])])
        return np.stack(list(self._vectors.values())), np.concatenate(rows), starts
