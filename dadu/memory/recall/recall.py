"""Short-term memory as DaDu-E has it: units of id, object, position and description, recalled by similarity."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dadu.knowledge.embedding import Embedder
from dadu.memory.recall.index import VectorIndex

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
    """At most one unit an id, the newest. Each distinct text is embedded once, when it is first needed."""

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self._units: dict[str, Unit] = {}
        self._texts: dict[str, tuple[str, ...]] = {}
        self._users: dict[str, dict[str, None]] = {}
        self._row_of: dict[str, int] = {}
        self._text_of: dict[int, str] = {}
        self._new: dict[str, None] = {}
        self._index = VectorIndex()

    def __len__(self) -> int:
        return len(self._units)

    def put(self, unit: Unit, names: Sequence[str] = ()) -> None:
        """Adds a unit in place of the older one of the same id. `names`: what else the thing is called."""
        texts = tuple(dict.fromkeys((unit.description, *names)))
        if self._texts.get(unit.id) != texts:
            self.drop(unit.id)
            self._texts[unit.id] = texts
            for text in texts:
                self._users.setdefault(text, {})[unit.id] = None
                if text not in self._row_of:
                    self._new[text] = None
        self._units[unit.id] = unit

    def drop(self, id: str) -> None:
        """Forgets a unit; unknown ids are ignored."""
        self._units.pop(id, None)
        for text in self._texts.pop(id, ()):
            users = self._users[text]
            users.pop(id, None)
            if not users:
                del self._users[text]
                self._new.pop(text, None)
                row = self._row_of.pop(text, None)
                if row is not None:
                    del self._text_of[row]
                    self._index.free(row)

    def recall(self, query: str, limit: int = 5) -> list[Unit]:
        """The `limit` units nearest in meaning to `query`, best first (DaDu-E, equation 3). A unit is as near as its
        description or its best name: "couch" finds a sofa, whatever is said of where it stands."""
        if not self._units or limit <= 0:
            return []
        self.embed({})
        similarity = self._nearest(self.embedder.embed([query])[0], min(limit, len(self._units)))
        best = sorted(similarity, key=lambda id: (-similarity[id], id))[:limit]
        return [replace(self._units[id], similarity=similarity[id]) for id in best]

    @property
    def texts(self) -> Collection[str]:
        """All that is said of the units."""
        return self._users.keys()

    def embed(self, known: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Gives every text its unit vector (D,), from `known` where it is there; returns those that were computed."""
        if there := [text for text in self._new if text in known]:
            self._add(there, np.stack([known[text] for text in there]))
        computed: dict[str, np.ndarray] = {}
        while self._new:
            chunk = sorted(self._new)[:_CHUNK]
            vectors = self.embedder.embed(chunk)
            computed.update(zip(chunk, vectors, strict=True))
            self._add(chunk, vectors)
        return computed

    def _nearest(self, query: np.ndarray, limit: int) -> dict[str, float]:
        """Cosines by id of at least `limit` units, the nearest among them."""
        wanted = 4 * limit
        while True:
            similarity: dict[str, float] = {}
            rows, cosines = self._index.nearest(query, wanted)
            for row, cosine in zip(rows, cosines, strict=True):
                for id in self._users[self._text_of[int(row)]]:
                    similarity.setdefault(id, float(cosine))
                if len(similarity) >= limit:
                    return similarity
            if len(rows) == len(self._index):
                return similarity
            wanted *= 4

    def _add(self, texts: Sequence[str], vectors: np.ndarray) -> None:
        for text, row in zip(texts, map(int, self._index.add(vectors)), strict=True):
            self._row_of[text], self._text_of[row] = row, text
            del self._new[text]
