"""A robot without memory (ablation): it knows what it was told beforehand, what it has in view, and what it holds."""

from __future__ import annotations

from dadu.world.graph import Kind, WorldGraph

_TOLD = ("prior", "operator")


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
