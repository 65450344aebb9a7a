"""What an operator's edit changed, small enough to be kept on disk: undo outlives the process."""

from __future__ import annotations

from dataclasses import field

from pydantic import TypeAdapter
from pydantic.dataclasses import dataclass

from dadu.world.graph import Edge, Entity, WorldGraph


@dataclass(frozen=True)
class StoredChange:
    """The state before one edit of what it touched."""

    text: str
    """the edit"""
    stamp: float
    """[s] on the clock in use"""
    before: dict[str, Entity | None]
    """entities that it changed or removed, as they were; None: it added this one"""
    edges: tuple[Edge, ...] = ()
    """as they were, of the entities touched"""
    said: dict[str, str] = field(default_factory=dict)
    """what somebody had said that things are, of those of which something else was said; empty: nothing"""


CHANGES = TypeAdapter(list[StoredChange])


def changed(text: str, stamp: float, before: WorldGraph, after: WorldGraph) -> StoredChange:
    """The record that takes `after` back to `before`."""
    touched = {id for id in {*before.entities, *after.entities}
               if before.entities.get(id) is not after.entities.get(id)}
    touched |= {e.subject for e in before.edges ^ after.edges}
    edges = sorted((e for e in before.edges if touched & {e.subject, e.object}),
                   key=lambda e: (e.subject, e.relation.value, e.object))
    return StoredChange(text, stamp, {id: before.entities.get(id) for id in sorted(touched)}, tuple(edges))


def take_back(graph: WorldGraph, change: StoredChange) -> None:
    """Puts what the edit touched back as it was, with its edges; what was seen of others since then stays."""
    touched = change.before.keys()
    graph.edges = {e for e in graph.edges if not touched & {e.subject, e.object}}
    for id, entity in change.before.items():
        if entity is None:
            graph.entities.pop(id, None)
        else:
            graph.put(entity)
    graph.edges |= {e for e in change.edges if e.subject in graph and e.object in graph}
