"""Confidence in what moves and is not seen again fades."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from dadu.memory.association.labels import NEWS
from dadu.memory.settings import ForgettingSettings
from dadu.world.graph import Kind, WorldGraph

_TOLD = ("prior", "operator")


@dataclass
class Forgetting:
    settings: ForgettingSettings
    _since: dict[str, tuple[float, float, float]] = field(default_factory=dict)
    """by id: stamp and confidence when last confirmed, and the confidence written last"""

    def decay(self, graph: WorldGraph, now: float) -> None:
        """Lowers the confidence in objects by their time unseen; what the hand holds is certain."""
        held = graph.held()
        for entity in graph.of(Kind.OBJECT):
            if held is not None and entity.id == held.id:
                continue
            stamp, confidence, written = self._since.get(entity.id, (-1.0, 0.0, 0.0))
            if stamp != entity.stamp or written != entity.confidence:
                self._since[entity.id] = (entity.stamp, entity.confidence, entity.confidence)
                continue
            faded = confidence * 0.5 ** (max(0.0, now - stamp) / self.settings.half_life)
            if written - faded >= NEWS:
                graph.put(replace(entity, confidence=faded))
                self._since[entity.id] = (stamp, confidence, faded)


def forget_unattended(graph: WorldGraph, prior: WorldGraph, now: float, attention: float) -> None:
    """Drops objects that were not perceived or handled within `attention` [s], and puts what was known beforehand back
    as it was told. Furniture that was found stays: the map is what driving needs."""
    held = graph.held()
    for entity in [*graph.of(Kind.OBJECT), *graph.of(Kind.FURNITURE)]:
        fresh = now - entity.stamp <= attention
        if fresh or entity.provenance in _TOLD or (held is not None and entity.id == held.id):
            continue
        if entity.id in prior:
            edges = {e for e in prior.edges if e.subject == entity.id}
            graph.edges = {e for e in graph.edges if e.subject != entity.id} | edges
            graph.put(prior[entity.id])
        elif entity.kind is Kind.OBJECT:
            graph.remove(entity.id)
