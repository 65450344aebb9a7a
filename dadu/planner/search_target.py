"""What a step is to find: as soon as memory holds it, the robot need look no further."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dadu.goals.candidates import candidates
from dadu.goals.goal import Description
from dadu.world.graph import Kind, WorldGraph


@dataclass(frozen=True)
class SearchKinds:
    """Furniture and rooms that words speak of, whichever they are: one of each of these sorts of categories."""

    sorts: tuple[frozenset[str], ...]

    def found(self, graph: WorldGraph) -> tuple[str, ...]:
        """Ids of one of each; none while one is lacking."""
        there = {e.category: e.id for kind in (Kind.FURNITURE, Kind.ROOM) for e in graph.of(kind)}
        ids = [next((there[c] for c in sorted(sort) if c in there), "") for sort in self.sorts]
        return tuple(ids) if all(ids) else ()

    def again(self, other: SearchTarget | SearchKinds) -> bool:
        """True if `other` is after the same."""
        return other == self


@dataclass(frozen=True)
class SearchTarget:
    """A thing of this id, where it is given, seen after `since`; or `more` of what fits the description than `known`.
    """

    description: Description | None
    id: str = ""
    since: float = 0.0
    """[s]"""
    known: frozenset[str] = frozenset()
    more: int = 1

    @classmethod
    def from_description(cls, description: Description | None, id: str, graph: WorldGraph, number: int, since: float
                         ) -> SearchTarget:
        """What is to be found beyond what `graph` holds: of a description `number` in all, and at least one more."""
        known = frozenset(_placed(description, graph))
        seen = graph[id].stamp if id in graph else since
        return cls(description, id, max(since, seen), known, max(1, number - len(known)))

    def again(self, other: SearchTarget | SearchKinds) -> bool:
        """True if `other` is after the same, whatever was known of it by then."""
        if not isinstance(other, SearchTarget):
            return False
        return replace(other, since=self.since, known=self.known, more=self.more) == self

    def found(self, graph: WorldGraph) -> tuple[str, ...]:
        """Ids of what has been seen of it; none while that is not enough."""
        if self.id in graph and graph[self.id].stamp > self.since and graph[self.id].provenance == "detection":
            return (self.id,)
        new = tuple(id for id in _placed(self.description, graph) if id not in self.known)
        return new if len(new) >= self.more else ()


def _placed(description: Description | None, graph: WorldGraph) -> list[str]:
    """What fits and was seen somewhere, rather than only heard of."""
    fitting = candidates(description, graph) if description is not None else []
    return [e.id for e in fitting if e.provenance == "detection" or graph.support(e.id) is not None]
