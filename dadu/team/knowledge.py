"""What agents of a team see, each told to the others with who saw it and when; the newest sight of a thing holds.

PARTNR's partial and full observability lie at the two ends: everybody's own sights alone, or the truth.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from dadu.world.graph import Edge, Entity, Kind, Relation, WorldGraph
from dadu.world.names import called, meant

_TOLD = (Kind.OBJECT, Kind.FURNITURE)

_SAME = 1e-6
"""clocks that differ by less show the same time [s]"""


@dataclass(frozen=True)
class TeamObservation:
    """That something was seen somewhere, or was not where it had been."""

    by: str
    """name of the agent who saw it"""
    stamp: float
    """[s]"""
    id: str
    entity: Entity | None
    """as it was seen; None: it is gone from where it was taken to be"""
    edge: Edge | None = None
    """where it is, agents by their names in the world"""


class SharedWorld:
    """Everything that was seen by anybody. `publish` what an agent knows, then others `take_in` what is new to them:
    by thing the sight with the greatest stamp wins, of equal ones that of the agent whose name comes first, so that
    the order in which they come does not matter."""

    def __init__(self) -> None:
        self.newest: dict[str, TeamObservation] = {}
        """by id of the thing"""
        self._known: dict[str, dict[str, _Sight]] = {}

    def publish(self, name: str, graph: WorldGraph, now: float) -> None:
        """Takes in what the agent `name` has seen, or missed, since it did so last; `now` [s]."""
        before, sights = self._known.get(name, {}), _sights(graph, name)
        for id, sight in sights.items():
            if _seen(sight) != _seen(before.get(id)) and sight[0].provenance != "prior":
                self.hear(TeamObservation(name, sight[0].stamp, id, *sight))
        for id in sorted(before.keys() - sights.keys()):
            self.hear(TeamObservation(name, now, id, None))
        self._known[name] = sights

    def take_in(self, name: str, graph: WorldGraph) -> bool:
        """Tells the agent `name` what others know better; true if anything was new to it."""
        changed = False
        for seen in self.newest.values():
            known = graph.entities.get(seen.id)
            if seen.by == name or (known is not None and known.stamp > seen.stamp + _SAME):
                continue
            if seen.entity is None:
                changed |= known is not None
                graph.remove(seen.id)
            else:
                changed |= self._tell(name, graph, seen.entity, seen.edge)
        self._known[name] = _sights(graph, name)
        return changed

    def _tell(self, name: str, graph: WorldGraph, entity: Entity, edge: Edge | None) -> bool:
        known = graph.entities.get(entity.id)
        here = replace(edge, object=called(edge.object, name)) if edge is not None else None
        news = known is None or known.states != entity.states or known.parts != entity.parts or (
            here is not None and here not in graph.edges)
        graph.put(entity if known is None else replace(entity, seen_here=known.seen_here))
        if entity.kind is Kind.OBJECT and (here is None or _stands(graph, here)):
            graph.edges = {e for e in graph.edges if e.subject != entity.id} | ({here} if here is not None else set())
        return news

    def hear(self, seen: TeamObservation) -> None:
        """One sight, in whatever order they come."""
        known = self.newest.get(seen.id)
        if known is None or known.by == seen.by or (seen.stamp, known.by) > (known.stamp, seen.by):
            self.newest[seen.id] = seen


def _stands(graph: WorldGraph, edge: Edge) -> bool:
    """True if it can be so by all that is known: on something that is there, and not in the end on itself."""
    passed, below = {edge.subject}, edge.object
    while below not in passed:
        passed.add(below)
        under = graph.support(below)
        if under is None:
            return edge.object in graph
        below = under.object
    return False


_Sight = tuple[Entity, "Edge | None"]
"""a thing, and where it is by names that all understand"""


def _seen(sight: _Sight | None) -> _Sight | None:
    """What of it was seen: that confidence wanes, and what else was met there, is no news to others."""
    return None if sight is None else (replace(sight[0], confidence=1.0, seen_here={}), sight[1])


def _sights(graph: WorldGraph, by: str) -> dict[str, _Sight]:
    """By id."""
    where = {e.subject: e for e in graph.edges if e.relation is Relation.IN_ROOM}
    where |= {e.subject: e for e in graph.edges if e.relation in (Relation.ON, Relation.IN, Relation.HELD_BY)}
    return {e.id: (e, replace(where[e.id], object=meant(where[e.id].object, by)) if e.id in where else None)
            for kind in _TOLD for e in graph.of(kind)}
