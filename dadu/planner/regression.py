"""From a goal back to the one skill that is possible now and brings it nearer: goal regression over the world graph.

Run anew after every outcome, in well under a millisecond. `_move`, `_obtain` and `_open` are the whole method; the rest
chooses among things that would do.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from dadu.memory.graph import Entity, Kind, Relation, WorldGraph
from dadu.planner.effects import ROBOT, position_of
from dadu.planner.goal import Description, Proposition
from dadu.planner.predicates import satisfying
from dadu.planner.progress import Progress
from dadu.planner.search import Spot, next_spot
from dadu.planner.situation import TRIES, Situation
from dadu.planner.vocabulary import Vocabulary, default_vocabulary
from dadu.skills.call import SkillCall


class Stuck(Exception):
    """No way to make a proposition true is left; the text says why."""


@dataclass(frozen=True)
class Choice:
    """The next skill, why, and for a go_to what will be done there."""

    call: SkillCall
    reason: str
    purpose: str = ""
    looks_for: Description | None = None
    """what an explore or a look is meant to find"""
    finds: str = ""
    """its id, where it is known"""


@dataclass
class Regression:
    """One planning problem: a goal's progress, the graph as it is now, and what was tried."""

    progress: Progress
    graph: WorldGraph
    situation: Situation
    vocabulary: Vocabulary = field(default_factory=default_vocabulary)

    def next(self) -> Choice | None:
        """The next step towards the first proposition that can still be reached; None when none is left. Those that
        cannot be reached are given up in `progress`, with the reason."""
        while True:
            due = self._due()
            if not due:
                return None
            try:
                choice = self._achieve(due[0], self.progress.proposition(due[0]))
                if choice is not None:
                    return choice
            except Stuck as reason:
                self.progress.given_up[due[0]] = str(reason)

    def _due(self) -> list[int]:
        """Unmet propositions whose turn it is: what is in the hand first, closing last."""
        unmet = [i for i in self.progress.unmet(self.graph)
                 if self.progress.goal.before(i) <= self.progress.reached | self.progress.given_up.keys()]
        held = self.graph.held(ROBOT)

        def key(i: int) -> tuple[bool, bool, int]:
            p = self.progress.proposition(i)
            return not (held is not None and held.id in p.subject.ids), p.predicate == "is_closed", i
        return sorted(unmet, key=key)

    def _achieve(self, index: int, p: Proposition) -> Choice | None:
        """The next step towards one proposition; None when looking around has shown that it holds already."""
        if p.subject.key == ROBOT:
            return self._visit(p)
        if p.predicate in ("is_open", "is_closed"):
            return self._articulate(self._one(p.subject.ids, "open" if p.predicate == "is_open" else "close"), p)
        subject = self._subject(index, p)
        if subject is None or isinstance(subject, Choice):
            return subject
        if p.predicate == "is_held":
            return self._obtain(subject, p)
        if p.predicate == "is_next_to":
            return self._beside(index, p, subject)
        if p.predicate == "is_in_room":
            return self._move(subject, Relation.ON, self._piece_in(p, subject), p)
        if p.predicate in ("is_on_top", "is_inside"):
            relation = Relation.ON if p.predicate == "is_on_top" else Relation.IN
            return self._move(subject, relation, self._target(p, relation), p, self._companion(p))
        raise Stuck(f"this robot has no skill that makes {p} true")

    # The method: what must hold before a skill, and what makes that true.

    def _move(self, object: str, relation: Relation, target: str, p: Proposition, beside: str = "") -> Choice:
        """`object` to `target`: a closed target is opened first, with the hand empty; then it is fetched and placed."""
        if relation is Relation.IN and not self._reachable_inside(target):
            return self._open(target, f"{object} has to go into {target}, which is closed")
        if not self._in_hand(object):
            return self._obtain(object, p)
        if self.situation.at != (target, "place"):
            reason = f"{object} is in the hand and belongs {relation.value} {target}"
            return Choice(SkillCall("go_to", (target,)), reason, "place")
        arguments = (relation.value, target, *(("next_to", beside) if beside else ()))
        return Choice(SkillCall("place", arguments), f"{target} is in reach: {p}")

    def _obtain(self, object: str, p: Proposition) -> Choice:
        """`object` into the hand: found, uncovered, approached, picked."""
        if not self._place_known(object):
            return self._search(p.subject.description, self._categories(object), object)
        edge = self.graph.support(object)
        if edge is not None and edge.relation is Relation.IN and self._shut(edge.object, edge.part):
            return self._open(edge.object, f"{object} is in {edge.object}, which is closed")
        if self.graph.held(ROBOT) is not None:
            return self._put_down(f"the hand must be empty to pick {object}")
        if self.situation.at != (object, "pick"):
            place = f"{edge.relation.value} {edge.object}" if edge is not None else "in sight"
            return Choice(SkillCall("go_to", (object,)), f"{object} is {place}; {p}", "pick")
        return Choice(SkillCall("pick", (object,)), f"{object} is in reach and the hand is empty")

    def _open(self, container: str, reason: str) -> Choice:
        """`container` opened, which takes an empty hand."""
        self._check(SkillCall("open", (container,)))
        if self.graph.held(ROBOT) is not None:
            return self._put_down(f"the hand must be empty to open {container}")
        if self.situation.at != (container, "open"):
            return Choice(SkillCall("go_to", (container,)), reason, "open")
        return Choice(SkillCall("open", (container,)), reason)

    def _articulate(self, container: str, p: Proposition) -> Choice:
        if p.predicate == "is_open":
            return self._open(container, f"{container} has to be open")
        if self.graph.held(ROBOT) is not None:
            return self._put_down(f"the hand must be empty to close {container}")
        if self.situation.at != (container, "close"):
            return Choice(SkillCall("go_to", (container,)), f"{container} has to be closed", "close")
        return Choice(SkillCall("close", (container,)), f"{container} has to be closed")

    def _put_down(self, reason: str) -> Choice:
        """What is held goes to the nearest free place that will do."""
        held = self.graph.held(ROBOT)
        spots = [e for e in self.graph.of(Kind.FURNITURE)
                 if any(not s.inside for s in e.surfaces) and self._possible(SkillCall("place", ("on", e.id)))]
        if not spots:
            raise Stuck(f"there is nowhere to put {held.id} down; {reason}")
        near = min(spots, key=lambda e: (self._awkward(e), self._far(e.id), e.id)).id
        if self.situation.at != (near, "place"):
            return Choice(SkillCall("go_to", (near,)), f"{reason}: {held.id} goes on {near} for now", "place")
        return Choice(SkillCall("place", ("on", near)), f"{reason}: {held.id} goes on {near} for now")

    def _search(self, description: Description | None, categories: tuple[str, ...], id: str) -> Choice:
        """The next place to look for a thing."""
        name = id or (description.words if description else "it")
        since = self.situation.lost[id].step if id in self.situation.lost else 0
        # What fell down lies near by; what was never seen is where such things usually are.
        spot = next_spot(description, () if since else categories, self.graph, self.situation, self.vocabulary, since)
        if spot is None:
            raise Stuck(f"{name} was not found; looked at: {', '.join(self.situation.looked) or 'nothing'}")
        return self._look(spot, f"the place of {name} is not known; looking in {spot.id}", description, id)

    def _look(self, spot: Spot, reason: str, description: Description | None, id: str = "") -> Choice:
        if spot.kind in (Kind.ROOM, Kind.HOUSE):
            return Choice(SkillCall("explore", (spot.id,)), reason, "", description, id)
        if self.graph[spot.id].closed and self._possible(SkillCall("open", (spot.id,))):
            return self._open(spot.id, reason)
        return Choice(SkillCall("go_to", (spot.id,)), reason, "look", description, id)

    def _visit(self, p: Proposition) -> Choice:
        target = p.object
        if not target.ids:
            return self._search(target.description, self._wanted(target.description), "")
        id = self._one(target.ids, "go_to")
        if self.graph[id].kind is Kind.OBJECT and not self._place_known(id):
            return self._search(target.description, self._categories(id), id)
        return Choice(SkillCall("go_to", (id,)), f"{p}", "look")

    def _beside(self, index: int, p: Proposition, subject: str) -> Choice:
        """Next to an object: on what that one stands on, unless another proposition says where."""
        references = [id for id in p.object.ids if id in self.graph and self.graph.support(id) is not None]
        if not references:
            return self._search(p.object.description, self._wanted(p.object.description), "")
        places = {id for other in self.progress.goal.propositions if other.subject.key == p.subject.key
                  and other.predicate in ("is_on_top", "is_inside") for id in other.object.ids}
        for reference in sorted(references, key=self._far):
            edge = self.graph.support(reference)
            if edge.relation is not Relation.HELD_BY and reference != subject and (not places or edge.object in places):
                return self._move(subject, edge.relation, edge.object, p, reference)
        raise Stuck(f"{p.object.name} is not anywhere that something can be put beside it")

    # Choosing among things that would do.

    def _subject(self, index: int, p: Proposition) -> str | Choice | None:
        """The object to move next: the one in hand, else the nearest that fits and that nothing else needs. Where none
        is known, the search for one; None when "all of them" turned out to be those already there."""
        if not p.subject.ids and self._looked_where_named(p.subject.description):
            self.progress.relax(p.subject.key, self.graph)
            p = self.progress.proposition(index)
        if not p.subject.ids:
            return self._found_first(p)
        done = set(satisfying(p, self.graph))
        left = [id for id in p.subject.ids if id in self.graph and id not in done and self._movable(id)]
        free = [id for id in left if id not in self._spoken_for(index, p)] or left
        if not free and p.subject.key in self.progress.incomplete:
            return self._look_for_more(p)
        if not free:
            if p.number > len(p.subject.ids):
                return self._found_first(p)
            raise Stuck(self._why(p.subject.ids, ("pick", "go_to")) or f"nothing else fits {p.subject.name}")
        return min(free, key=lambda id: (not self._in_hand(id), not self._place_known(id), self._far(id), id))

    def _found_first(self, p: Proposition) -> Choice:
        return self._search(p.subject.description, self._wanted(p.subject.description), "")

    def _look_for_more(self, p: Proposition) -> Choice | None:
        """All of a kind are wanted, and not every room has been seen: the next one, if any."""
        spot = next_spot(p.subject.description, self._wanted(p.subject.description), self.graph, self.situation,
                         self.vocabulary, open_only=True)
        if spot is None:
            self.progress.incomplete.discard(p.subject.key)
            return None
        return self._look(spot, f"there may be more of {p.subject.name} in {spot.id}", None)

    def _looked_where_named(self, description: Description | None) -> bool:
        return description is not None and bool(description.where) and all(
            id in self.situation.looked for where in description.where for id in where.ids)

    def _spoken_for(self, index: int, p: Proposition) -> set[str]:
        """Objects that already satisfy another proposition, or that only they can."""
        taken: set[str] = set()
        for i, other in enumerate(self.progress.goal.propositions):
            if i != index and other.subject.key != p.subject.key and other.object is not None:
                taken |= set(satisfying(other, self.graph)) if i in self.progress.reached else set()
                taken |= set(other.subject.ids) if len(other.subject.ids) == 1 else set()
        return taken

    def _target(self, p: Proposition, relation: Relation) -> str:
        ids = p.object.ids
        if p.same_target:
            used = [e.object for id in satisfying(p, self.graph) if (e := self.graph.support(id)) is not None]
            ids = tuple(used[:1]) or ids
        usable = [id for id in ids if id in self.graph and self._possible(SkillCall("place", (relation.value, id)))]
        return self._one(usable, "go_to") if usable else self._none(ids, ("place",))

    def _piece_in(self, p: Proposition, subject: str) -> str:
        """Furniture to put something on in a room: a table's height first, then the nearest."""
        pieces = [e for e in self.graph.of(Kind.FURNITURE)
                  if any(not s.inside for s in e.surfaces) and self._room(e.id) in p.object.ids
                  and self._possible(SkillCall("place", ("on", e.id))) and self._possible(SkillCall("go_to", (e.id,)))]
        if not pieces:
            raise Stuck(f"there is nothing in {p.object.name} to put {subject} on")
        return min(pieces, key=lambda e: (self._awkward(e), self._far(e.id), e.id)).id

    def _awkward(self, piece: Entity) -> bool:
        """A seat, or without a surface at a table's height and free above."""
        level = any(0.35 <= s.height <= 1.0 and not s.inside and s.clearance > 0.4 for s in piece.surfaces)
        return not level or self.vocabulary.is_a(piece.category, "seat")

    def _companion(self, p: Proposition) -> str:
        """What the same object has also to stand next to, if that is where it goes."""
        for other in self.progress.goal.propositions:
            if other.predicate == "is_next_to" and other.subject.key == p.subject.key:
                for id in other.object.ids:
                    edge = self.graph.support(id)
                    if edge is not None and edge.object in p.object.ids:
                        return id
        return ""

    def _one(self, ids: Iterable[str], skill: str) -> str:
        """The nearest for which `skill` has not failed too often."""
        usable = [id for id in ids if id in self.graph and self._possible(SkillCall(skill, (id,)))
                  and self._possible(SkillCall("go_to", (id,)))]
        return min(usable, key=lambda id: (self._far(id), id)) if usable else self._none(ids, (skill, "go_to"))

    def _none(self, ids: Iterable[str], skills: tuple[str, ...]) -> str:
        raise Stuck(self._why(ids, skills) or f"none of {', '.join(ids)} is known")

    # What is known.

    def _place_known(self, id: str) -> bool:
        """Whether memory says where an object is: on, in or held by something, or seen; and since it was last lost."""
        if id not in self.graph:
            return False
        lost, entity = self.situation.lost.get(id), self.graph[id]
        return (lost is None or entity.stamp > lost.stamp) and (
            self.graph.support(id) is not None or entity.provenance == "detection")

    def _shut(self, container: str, surface_name: str) -> bool:
        """Whether the part that covers a surface is shut (any part, where the surface is not known)."""
        piece = self.graph[container]
        surface = next((s for s in piece.surfaces if s.name == surface_name), None)
        part = piece.part_of(surface) if surface is not None else None
        return not part.open if part is not None else piece.closed

    def _reachable_inside(self, container: str) -> bool:
        piece = self.graph[container]
        inside = [s for s in piece.surfaces if s.inside]
        return any((part := piece.part_of(s)) is None or part.open for s in inside) if inside else not piece.closed

    def _in_hand(self, id: str) -> bool:
        held = self.graph.held(ROBOT)
        return held is not None and held.id == id

    def _movable(self, id: str) -> bool:
        return self._in_hand(id) or (self._possible(SkillCall("pick", (id,)))
                                     and self._possible(SkillCall("go_to", (id,))))

    def _possible(self, call: SkillCall) -> bool:
        return self.situation.failures[call] < TRIES

    def _check(self, call: SkillCall) -> None:
        if not self._possible(call):
            raise Stuck(f"{call} failed {TRIES} times: {self.situation.last_failure[call].message}")

    def _why(self, ids: Iterable[str], skills: tuple[str, ...]) -> str:
        """The last failures that ruled these things out."""
        failed = self.situation.last_failure.items()
        return "; ".join(f"{call}: {result.message}" for call, result in failed
                         if call.skill in skills and set(call.arguments) & set(ids))

    def _room(self, id: str) -> str:
        room = self.graph.room_of(id)
        return room.id if room is not None else ""

    def _far(self, id: str) -> float:
        if ROBOT not in self.graph:
            return 0.0
        return math.dist(position_of(self.graph, id)[:2], self.graph[ROBOT].position[:2])

    def _categories(self, id: str) -> tuple[str, ...]:
        return (self.graph[id].category,) if id in self.graph else ()

    def _wanted(self, description: Description | None) -> tuple[str, ...]:
        return description.categories if description is not None else ()
