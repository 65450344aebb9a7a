"""Confidence in what moves and is not seen again fades."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from dadu.memory.settings import ForgettingSettings
from dadu.world.graph import Kind, WorldGraph

STEP = 0.05
"""confidence is lowered in steps of this size, so that it does not change with every picture"""


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
            if written - faded >= STEP:
                graph.put(replace(entity, confidence=faded))
                self._since[entity.id] = (stamp, confidence, faded)
