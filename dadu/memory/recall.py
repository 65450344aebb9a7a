"""Short-term memory as DaDu-E has it: units of id, object, position and description, recalled by similarity."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dadu.memory.describe import describe_thing
from dadu.memory.embedding import Embedder
from dadu.memory.graph import Kind, WorldGraph


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
    """Views the graph's objects and furniture as units; each description is embedded once."""

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self._vectors: dict[str, np.ndarray] = {}

    def recall(self, graph: WorldGraph, query: str, limit: int = 5) -> list[Unit]:
        """The `limit` units nearest in meaning to `query`, best first (DaDu-E, equation 3). A unit is as near as its
        description or its best name: "couch" finds a sofa, whatever is said of where it stands."""
        texts = {e.id: _texts(graph, e.id) for e in graph if e.kind in (Kind.OBJECT, Kind.FURNITURE)}
        if not texts or limit <= 0:
            return []
        self._embed({t for names in texts.values() for t in names} | {query})
        target = self._vectors[query]
        similarity = {id: max(float(self._vectors[t] @ target) for t in names) for id, names in texts.items()}
        best = sorted(similarity, key=lambda id: (-similarity[id], id))[:limit]
        return [Unit(id, graph[id].category, graph[id].position, texts[id][0], similarity[id]) for id in best]

    def _embed(self, texts: set[str]) -> None:
        """Embeds what is new and forgets what is no longer asked for."""
        new = sorted(texts - self._vectors.keys())
        self._vectors = {t: v for t, v in self._vectors.items() if t in texts}
        if new:
            self._vectors.update(zip(new, self.embedder.embed(new), strict=True))


def _texts(graph: WorldGraph, id: str) -> list[str]:
    entity = graph[id]
    color = entity.attributes.get("color", "")
    names = [entity.category.replace("_", " "), *entity.aliases]
    return [describe_thing(graph, entity), *names, f"{color} {names[0]}".strip()]
