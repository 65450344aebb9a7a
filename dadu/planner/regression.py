"""From a goal back to the one skill that is possible now and brings it nearer: goal regression over the world graph.

Run anew after every outcome, in well under a millisecond. `_move`, `_obtain` and `_open` are the whole method; the rest
chooses among things that would do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from dadu.memory.graph import Kind, Relation, WorldGraph
from dadu.planner.effects import ROBOT
from dadu.planner.goal import Description, Proposition
from dadu.planner.knowledge import Knowledge
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

    def __post_init__(self) -> None:
        self.know = Knowledge(self.graph, self.situation, self.vocabulary)

    def next(self) -> Choice | None:
        """The next step towards the first proposition that can still be reached; None when none is left. Those that
        cannot be reached are given up in `progress`, with the reason."""
        while due := self._due():
            try:
                choice = self._achieve(due[0], self.progress.proposition(due[0]))
                if choice is not None:
                    return choice
            except Stuck as reason:
                self.progress.given_up[due[0]] = str(reason)
        return None

    def _due(self) -> list[int]:
        """Unmet propositions whose turn it is: what is in the hand first, closing last."""
        settled = self.progress.reached | self.progress.given_up.keys()
        unmet = [i for i in self.progress.unmet(self.graph) if self.progress.goal.before(i) <= settled]
        held = self.graph.held(ROBOT)

        def key(i: int) -> tuple[bool, bool, int]:
            p = self.progress.proposition(i)
            return not (held is not None and held.id in p.subject.ids), p.predicate == "is_closed", i
        return sorted(unmet, key=key)

    def _achieve(self, index: int, p: Proposition) -> Choice | None:
        """The next step towards one proposition; None when looking around has shown that it holds already."""
        if p.subject.key == ROBOT:
            return self._visit(p)
        if p.predicate == "is_open":
            return self._open(self._one(p.subject.ids, "open"), f"{p.subject.name} has to be open")
        if p.predicate == "is_closed":
            return self._close(self._one(p.subject.ids, "close"))
        subject = self._subject(index, p)
        if subject is None or isinstance(subject, Choice):
            return subject
        if p.predicate == "is_held":
            return self._obtain(subject, p)
        if p.predicate == "is_next_to":
            return self._beside(p, subject)
        if p.predicate == "is_in_room":
            return self._move(subject, Relation.ON, self._table_in(p, subject), p)
        if p.predicate in ("is_on_top", "is_inside"):
            relation = Relation.ON if p.predicate == "is_on_top" else Relation.IN
            return self._move(subject, relation, self._target(p, relation), p, self._companion(p))
        raise Stuck(f"this robot has no skill that makes {p} true")

    # The method: what must hold before a skill, and what makes that true.

    def _move(self, object: str, relation: Relation, target: str, p: Proposition, beside: str = "") -> Choice:
        """`object` to `target`: a closed target is opened first, with the hand empty; then it is fetched and placed."""
        if relation is Relation.IN and not self.know.can_reach_inside(target):
            return self._open(target, f"{object} has to go into {target}, which is closed")
        if not self.know.in_hand(object):
            return self._obtain(object, p)
        if self.situation.at != (target, "place"):
            return self._go(target, "place", f"{object} is in the hand and belongs {relation.value} {target}")
        arguments = (relation.value, target, *(("next_to", beside) if beside else ()))
        return self._do(f"{target} is in reach: {p}", "place", *arguments)

    def _obtain(self, object: str, p: Proposition) -> Choice:
        """`object` into the hand: found, uncovered, approached, picked."""
        if not self.know.place_known(object):
            return self._search(p.subject.description, object)
        edge = self.graph.support(object)
        if edge is not None and edge.relation is Relation.IN and self.know.shut(edge.object, edge.part):
            return self._open(edge.object, f"{object} is in {edge.object}, which is closed")
        if self.graph.held(ROBOT) is not None:
            return self._put_down(f"the hand must be empty to pick {object}")
        if self.situation.at != (object, "pick"):
            place = f"{edge.relation.value} {edge.object}" if edge is not None else "in sight"
            return self._go(object, "pick", f"{object} is {place}; {p}")
        return self._do(f"{object} is in reach and the hand is empty", "pick", object)

    def _open(self, container: str, reason: str) -> Choice:
        """`container` opened, which takes an empty hand."""
        if self.graph.held(ROBOT) is not None:
            return self._put_down(f"the hand must be empty to open {container}")
        if self.situation.at != (container, "open"):
            return self._go(container, "open", reason)
        return self._do(reason, "open", container)

    def _close(self, container: str) -> Choice:
        if self.graph.held(ROBOT) is not None:
            return self._put_down(f"the hand must be empty to close {container}")
        if self.situation.at != (container, "close"):
            return self._go(container, "close", f"{container} has to be closed")
        return self._do(f"{container} has to be closed", "close", container)

    def _put_down(self, reason: str) -> Choice:
        """What is held goes to the nearest free place that will do."""
        held, tables = self.graph.held(ROBOT), self.know.tables()
        if not tables:
            raise Stuck(f"there is nowhere to put {held.id} down; {reason}")
        reason = f"{reason}: {held.id} goes on {tables[0].id} for now"
        if self.situation.at != (tables[0].id, "place"):
            return self._go(tables[0].id, "place", reason)
        return self._do(reason, "place", "on", tables[0].id)

    def _visit(self, p: Proposition) -> Choice:
        target = p.object
        if not target.ids:
            return self._search(target.description)
        id = self._one(target.ids, "go_to")
        if self.graph[id].kind is Kind.OBJECT and not self.know.place_known(id):
            return self._search(target.description, id)
        return self._go(id, "look", str(p))

    def _beside(self, p: Proposition, subject: str) -> Choice:
        """Next to an object: on what that one stands on, unless another proposition says where."""
        references = [id for id in p.object.ids if id in self.graph and self.graph.support(id) is not None]
        if not references:
            return self._search(p.object.description)
        places = {id for other in self.progress.goal.propositions if other.subject.key == p.subject.key
                  and other.predicate in ("is_on_top", "is_inside") for id in other.object.ids}
        for reference in sorted(references, key=self.know.distance):
            edge = self.graph.support(reference)
            if edge.relation is not Relation.HELD_BY and reference != subject and (not places or edge.object in places):
                return self._move(subject, edge.relation, edge.object, p, reference)
        raise Stuck(f"{p.object.name} is not anywhere that something can be put beside it")

    # Finding.

    def _search(self, description: Description | None, id: str = "") -> Choice:
        """The next place to look for a thing."""
        name = id or (description.words if description else "it")
        fallen = id in self.graph and id in self.situation.lost
        since = self.situation.lost[id].step if fallen else 0
        if fallen and self.situation.looked.get(id, 0) <= since and self.know.possible("go_to", id):
            return Choice(SkillCall("go_to", (id,)), f"{id} was lost about here; looking for it", "look", None, id)
        # What fell down lies near by; what was never seen is where such things usually are.
        categories = () if fallen or description is None else description.categories
        spot = next_spot(description, categories, self.graph, self.situation, self.vocabulary, since,
                         id if fallen else ROBOT)
        if spot is None:
            raise Stuck(f"{name} was not found; looked at: {', '.join(self.situation.looked) or 'nothing'}")
        return self._look(spot, f"the place of {name} is not known; looking in {spot.id}", description, id)

    def _look(self, spot: Spot, reason: str, description: Description | None, id: str = "") -> Choice:
        if spot.kind in (Kind.ROOM, Kind.HOUSE):
            return Choice(SkillCall("explore", (spot.id,)), reason, "", description, id)
        parts = self.graph[spot.id].parts
        shut = not all(part.open for part in parts) and self.situation.opened[spot.id] < len(parts)
        if shut and self.know.possible("open", spot.id) and self.know.possible("go_to", spot.id):
            return self._open(spot.id, reason)
        return Choice(SkillCall("go_to", (spot.id,)), reason, "look", description, id)

    def _look_for_more(self, p: Proposition) -> Choice | None:
        """All of a kind are wanted, and not every room has been seen: the next one, if any."""
        description = p.subject.description
        spot = next_spot(description, description.categories, self.graph, self.situation, self.vocabulary,
                         open_only=True)
        if spot is None:
            self.progress.incomplete.discard(p.subject.key)
            return None
        return self._look(spot, f"there may be more of {p.subject.name} in {spot.id}", None)

    # Choosing among things that would do.

    def _subject(self, index: int, p: Proposition) -> str | Choice | None:
        """The object to move next: the one in hand, else the nearest that fits and that nothing else needs. Where none
        is known, the search for one; None when "all of them" turned out to be those already there."""
        if not p.subject.ids and self._looked_where_named(p.subject.description):
            self.progress.relax(p.subject.key, self.graph)
            p = self.progress.proposition(index)
        if not p.subject.ids:
            return self._search(p.subject.description)
        done = set(satisfying(p, self.graph))
        left = [id for id in p.subject.ids if id in self.graph and id not in done and self.know.movable(id)]
        free = [id for id in left if id not in self._spoken_for(index, p)] or left
        if free:
            return min(free, key=lambda id: (not self.know.in_hand(id), not self.know.place_known(id),
                                             self.know.distance(id), id))
        if p.subject.key in self.progress.incomplete:
            return self._look_for_more(p)
        if p.number > len(p.subject.ids):
            return self._search(p.subject.description)
        raise Stuck(self.know.why_not(p.subject.ids, ("pick", "go_to")) or f"nothing else fits {p.subject.name}")

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
        usable = [id for id in ids if id in self.graph and self.know.possible("place", relation.value, id)]
        if not usable:
            raise Stuck(self.know.why_not(ids, ("place",)) or f"{p.object.name} is not known")
        return self._one(usable, "go_to")

    def _table_in(self, p: Proposition, subject: str) -> str:
        """Furniture to put something on in a room."""
        for piece in self.know.tables():
            room = self.graph.room_of(piece.id)
            if room is not None and room.id in p.object.ids:
                return piece.id
        raise Stuck(f"there is nothing in {p.object.name} to put {subject} on")

    def _companion(self, p: Proposition) -> str:
        """What the same object has also to stand next to, if that is where it goes and can be."""
        relation = "on" if p.predicate == "is_on_top" else "in"
        for other in self.progress.goal.propositions:
            if other.predicate == "is_next_to" and other.subject.key == p.subject.key:
                for id in other.object.ids:
                    edge = self.graph.support(id)
                    if edge is not None and edge.object in p.object.ids and self.know.possible(
                            "place", relation, edge.object, "next_to", id):
                        return id
        return ""

    def _one(self, ids: Iterable[str], skill: str) -> str:
        """The nearest for which neither `skill` nor going there has failed too often."""
        usable = [id for id in ids if id in self.graph and self.know.possible(skill, id)
                  and self.know.possible("go_to", id)]
        if not usable:
            raise Stuck(self.know.why_not(ids, (skill, "go_to")) or f"none of {', '.join(ids)} is known")
        return self.know.nearest(usable)

    def _go(self, target: str, purpose: str, reason: str) -> Choice:
        choice = self._do(reason, "go_to", target)
        return Choice(choice.call, reason, purpose)

    def _do(self, reason: str, skill: str, *arguments: str) -> Choice:
        """Errors: Stuck where this has failed too often."""
        call = SkillCall(skill, arguments)
        if not self.know.possible(skill, *arguments):
            raise Stuck(f"{call} failed {TRIES} times: {self.situation.last_failure[call].message}")
        return Choice(call, reason)
