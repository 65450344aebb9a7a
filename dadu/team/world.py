"""What one agent of a team knows of the others' sights, which come at any time and in any order, and tells of its own.

Everybody tells all that he has seen last of each thing, again and again: so nothing is lost for ever, and who comes
late knows all. Members give their own finds different numbers (`MemorySettings.first_number`); where two have found the
same thing before either told of it, the id of who comes first in the team stays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dadu.core.errors import NotUsable, choices
from dadu.memory.memory import Memory
from dadu.team.knowledge import SharedWorld, TeamObservation
from dadu.world.graph import ROBOT, Entity, Kind, Relation, WorldGraph
from dadu.world.names import called, meant

NUMBERS = 100
"""ids that an agent gives before it comes to the next one's: far more than there are things of a kind in a home"""
AHEAD = 5.0
"""[s] that another's clock may be ahead: what is said to be seen later would hold for ever"""
_RESTS_ON = ("prior", "detection", "skill", "operator")
_SAME_PLACE = 0.25
"""[m] from each other at most are two sights of one thing"""


@dataclass(frozen=True)
class SharedSights:
    """What one agent says that it has seen last."""

    by: str
    seen: WorldGraph
    """things in its words, and itself as `ROBOT`"""
    gone: Mapping[str, float]
    """when it found what is not where it was any more, by id [s]"""


class TeamWorld:
    """For one thread."""

    def __init__(self, me: str, team: Sequence[str]) -> None:
        self._me, self._team = me, tuple(team)
        self._shared, self._heard = SharedWorld(), dict[str, SharedSights]()
        self._ids: dict[str, set[str]] = {}
        """of things, by who knows them under these"""
        self._now = 0.0
        self._had = ""
        """what was in the hand"""

    def exchange(self, memory: Memory, now: float) -> SharedSights:
        """Takes in what was heard since, and says all that this agent has seen later than the others, as far as it
        knows; `now` [s]."""
        if now < self._now - 1.0:
            self._shared = SharedWorld()  # time began anew: what was seen before is no newer for that
            memory.hear(lambda graph: None, {}, now)
        self._now = now
        self._publish(memory.graph)
        heard, self._heard = self._heard, {}
        if heard:
            for told in heard.values():
                self._ids[told.by] = {e.id for e in told.seen}
            doubles = {mine: theirs for told in heard.values() if self._yields(told.by)
                       for mine, theirs in self._pairs(memory.graph, told)}
            memory.hear(lambda graph: self._take_in(graph, heard), doubles, now)
            self._publish(memory.graph)
        mine = [seen for seen in self._shared.newest.values() if seen.by == self._me]
        seen = WorldGraph([e.entity for e in mine if e.entity is not None],
                          [replace(e.edge, object=called(e.edge.object, self._me)) for e in mine if e.edge is not None])
        if ROBOT in memory.graph:
            seen.put(replace(memory.graph[ROBOT], stamp=now))
        return SharedSights(self._me, seen, {e.id: e.stamp for e in mine if e.entity is None})

    def _publish(self, graph: WorldGraph) -> None:
        """Who has a thing, or has just let go of it, knows best where it is."""
        self._shared.publish(self._me, graph, self._now)
        held = graph.held()
        had, self._had = self._had, held.id if held is not None else ""
        for id in {had, self._had} & graph.entities.keys():
            edge = graph.support(id)
            self._shared.newest[id] = TeamObservation(
                self._me, self._now, id, replace(graph[id], stamp=self._now),
                None if edge is None else replace(edge, object=meant(edge.object, self._me)))

    def hear(self, told: SharedSights, now: float) -> None:
        """Keeps what another says until it is taken in. Errors: NotUsable for who is no other of this team, and for
        what is said to have been seen in time to come."""
        if told.by == self._me:
            return
        if told.by not in self._team:
            raise NotUsable(f"{told.by[:40]!r} is none of this team: {choices(self._team)}")
        odd = [e.id for e in told.seen if e.provenance not in _RESTS_ON or not 0 <= e.confidence <= 1 or not e.category
               or (e.id == ROBOT) != (e.kind is Kind.AGENT)]
        if odd:
            raise NotUsable(f"{told.by} tells what cannot be of {choices(odd, 3)}")
        if max([*told.gone.values(), *(e.stamp for e in told.seen)], default=0.0) > now + AHEAD:
            raise NotUsable(f"{told.by} tells of what is yet to come; do both machines have the same time?")
        self._heard[told.by] = told

    def _take_in(self, graph: WorldGraph, heard: Mapping[str, SharedSights]) -> None:
        held = graph.held()
        for told in heard.values():
            own = set() if self._yields(told.by) else {theirs for _, theirs in self._pairs(graph, told)}
            for entity in told.seen:
                if entity.id == ROBOT:
                    graph.put(replace(entity, id=called(told.by, self._me)))
                elif entity.id not in own and _fits(entity, graph):
                    edge = told.seen.support(entity.id) or next(
                        (e for e in told.seen.edges if e.subject == entity.id and e.relation is Relation.IN_ROOM), None)
                    self._shared.hear(TeamObservation(
                        told.by, entity.stamp, entity.id, entity,
                        None if edge is None else replace(edge, object=meant(edge.object, told.by))))
            for id, stamp in told.gone.items():
                self._shared.hear(TeamObservation(told.by, stamp, id, None))
        if held is not None:
            self._shared.newest.pop(held.id, None)  # nobody tells a hand what it holds
        self._shared.take_in(self._me, graph)

    def _yields(self, other: str) -> bool:
        return self._team.index(other) < self._team.index(self._me)

    def _pairs(self, graph: WorldGraph, told: SharedSights) -> list[tuple[str, str]]:
        """Of own things that the other does not know by their ids those that are in the place of things that this agent
        does not know by theirs."""
        strange = [e for e in told.seen.of(Kind.OBJECT) if e.id not in graph]
        pairs = []
        for own in graph.of(Kind.OBJECT) if strange else ():
            near = [e for e in strange if _alike(own, e) and _apart(own, e) < _SAME_PLACE]
            if near and own.provenance != "prior" and own.id not in self._ids[told.by]:
                pairs.append((own.id, min(near, key=lambda e: _apart(own, e)).id))
        return pairs


def _fits(entity: Entity, graph: WorldGraph) -> bool:
    """True for things, and for furniture that both were told of: what else there is each finds for itself."""
    known = graph.entities.get(entity.id)
    return entity.kind is Kind.OBJECT if known is None else (
        known.kind is entity.kind and entity.kind in (Kind.OBJECT, Kind.FURNITURE))


def _alike(a: Entity, b: Entity) -> bool:
    return a.category == b.category or a.category in b.may_be or b.category in a.may_be


def _apart(a: Entity, b: Entity) -> float:
    return float(np.linalg.norm(np.subtract(a.position, b.position)))
