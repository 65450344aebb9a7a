"""What regression asks of the graph and of the steps taken so far."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from dadu.knowledge.set_down_places import is_handy
from dadu.knowledge.vocabulary import Vocabulary
from dadu.planner.situation import ANYWHERE, LOOKS_AGAIN, TRIES, Situation
from dadu.skills.call import SkillCall
from dadu.skills.effects import position_of
from dadu.skills.outcome import Detail
from dadu.world.graph import ROBOT, Entity, Kind, WorldGraph


@dataclass
class Knowledge:
    """Questions about things, places and what is still worth a try."""

    graph: WorldGraph
    situation: Situation
    vocabulary: Vocabulary

    def place_known(self, id: str) -> bool:
        """True if memory says where an object is: on, in or held by something, or seen; and since it was last lost."""
        if id not in self.graph:
            return False
        lost, entity = self.situation.lost.get(id), self.graph[id]
        return (lost is None or entity.stamp > lost.stamp) and (
            self.graph.support(id) is not None or entity.provenance == "detection")

    def in_hand(self, id: str) -> bool:
        held = self.graph.held(ROBOT)
        return held is not None and held.id == id

    def shut(self, container: str, surface_name: str) -> bool:
        """True if the part that covers a surface is shut (any part, where the surface is not known)."""
        piece = self.graph[container]
        surface = next((s for s in piece.surfaces if s.name == surface_name), None)
        part = piece.part_of(surface) if surface is not None else None
        return not part.open if part is not None else piece.closed

    def can_reach_inside(self, container: str) -> bool:
        """True if something can be put in it as it is now."""
        piece = self.graph[container]
        inside = [s for s in piece.surfaces if s.inside]
        return any((part := piece.part_of(s)) is None or part.open for s in inside) if inside else not piece.closed

    def possible(self, skill: str, *arguments: str) -> bool:
        """True if a call has not failed too often; a place, with what is in the hand."""
        if skill == "place":
            return self.fits(self.situation.picked, *arguments)
        return self.situation.failures[SkillCall(skill, arguments)] < TRIES

    def fits(self, object: str, *arguments: str) -> bool:
        """True if placing `object` so is worth a try: neither it nor anything as small has failed too often, here, or
        at two places for no fault of theirs."""
        call = SkillCall("place", arguments)
        names = (object, "") if self.in_hand(object) else (object,)  # nameless: in the hand since before the task
        return not any((tried[call] >= TRIES or tried[ANYWHERE] >= 2 * TRIES)
                       and (thing in names or self._no_smaller(object, thing))
                       for thing, tried in self.situation.misfits.items())

    def _no_smaller(self, object: str, other: str) -> bool:
        if object not in self.graph or other not in self.graph:
            return False
        (*base, height), (*others, other_height) = self.graph[object].size, self.graph[other].size
        return height >= other_height and all(a >= b for a, b in zip(sorted(base), sorted(others)))

    def movable(self, id: str) -> bool:
        return self.in_hand(id) or (self.possible("pick", id) and self.possible("go_to", id))

    def worth_another_look(self, id: str) -> bool:
        """True if it slipped from the fingers as often as is tried in a row, which luck decides as much as the way it
        was seen; so looking at it anew and trying again is worth it, a few times."""
        call = SkillCall("pick", (id,))
        slipped = call in self.situation.last_failure and \
            self.situation.last_failure[call].detail == Detail.GRASP_SLIPPED
        return id in self.graph and slipped and not self.possible("pick", id) and self.possible("go_to", id) and \
            self.situation.looks_again[id] < LOOKS_AGAIN

    def why_not(self, ids: Iterable[str], skills: Iterable[str]) -> str:
        """The last failures of these skills with these things."""
        ids, skills = set(ids), set(skills)
        return "; ".join(f"{call}: {result.message}" for call, result in self.situation.last_failure.items()
                         if call.skill in skills and set(call.arguments) & ids)

    def rests_on(self, id: str, other: str) -> bool:
        """True if `id` is `other`, or stands on it or in it, directly or not."""
        while id != other:
            edge = self.graph.support(id)
            if edge is None:
                return False
            id = edge.object
        return True

    def distance(self, id: str) -> float:
        """From the robot [m]."""
        if ROBOT not in self.graph:
            return 0.0
        return math.dist(position_of(self.graph, id)[:2], self.graph[ROBOT].position[:2])

    def nearest(self, ids: Iterable[str]) -> str:
        return min(ids, key=lambda id: (self.distance(id), id))

    def tables(self, object: str) -> list[Entity]:
        """Furniture that `object` can be put on, where that is still worth a try: the handy first, then the nearest."""
        pieces = [e for e in self.graph.of(Kind.FURNITURE) if any(not s.inside for s in e.surfaces)
                  and self.fits(object, "on", e.id) and self.possible("go_to", e.id)]

        return sorted(pieces, key=lambda e: (not is_handy(e, self.vocabulary), self.distance(e.id), e.id))
