"""Which of the places that would do something goes to, and what is spoken for."""

from __future__ import annotations

from collections.abc import Iterable

from dadu.goals.belief import fit_for, next_to, satisfying, targets_of
from dadu.goals.goal import Proposition
from dadu.goals.predicates.table import PREDICATES
from dadu.goals.progress import Progress
from dadu.house.states import affordances_of
from dadu.planner.regression.knowledge import Knowledge
from dadu.planner.regression.planned import NoPlan
from dadu.skills.call import PLACED_NEXT_TO
from dadu.world.boxes import horizontal_gap
from dadu.world.graph import Relation


class Places:
    """Of one planning problem; nothing is changed by asking."""

    def __init__(self, progress: Progress, know: Knowledge) -> None:
        self.progress, self.know = progress, know
        self.graph, self.vocabulary = know.graph, know.vocabulary

    def has_room(self, p: Proposition, id: str) -> bool:
        """True if a thing may fit where `p` wants one: not where what is no bigger did not."""
        relation = PREDICATES[p.predicate].relation
        return relation is None or not p.place.ids or any(
            self.know.fits(id, relation.value, place) for place in p.place.ids)

    def spoken_for(self, index: int, p: Proposition) -> set[str]:
        """Objects that already satisfy another proposition, or that only they can."""
        taken: set[str] = set()
        for i, other in enumerate(self.progress.goal.propositions):
            if i != index and other.subject.key != p.subject.key and other.object is not None:
                taken |= set(satisfying(other, self.graph)) if i in self.progress.reached else set()
                taken |= set(other.subject.ids) if len(other.subject.ids) == 1 else set()
        return taken

    def target(self, p: Proposition, relation: Relation, subject: str) -> str:
        others = [id for id in self._allowed(p, subject) if id in self.graph and not self.know.rests_on(id, subject)]
        usable = [id for id in others if self.know.fits(subject, relation.value, id)]
        if not usable:
            raise NoPlan(self.know.why_not(others, ("place",)) or (
                f"{subject} could be put down nowhere" if others else
                f"{p.place.name} is not known, or is what would be put there"))
        return usable[0] if p.place.usual else self.one(self._with_the_others(p, usable, subject) or usable, "go_to")

    def _allowed(self, p: Proposition, subject: str) -> tuple[str, ...]:
        """Where the goal lets `subject` go, as far as the others of it are at one place or each is at its own."""
        ids = p.place.ids
        if p.place.usual:
            fitting = fit_for(self.graph[subject], [self.graph[id] for id in ids if id in self.graph])
            ids = tuple(e.id for e in fitting)
        if p.same_target:
            used = [place for id in satisfying(p, self.graph) for place in targets_of(p, id, self.graph)]
            ids = tuple(used[:1]) or ids
        return ids

    def _with_the_others(self, p: Proposition, places: list[str], subject: str) -> list[str]:
        """Of several places that would do: where that is which it has to stand next to, else where what goes to the
        same place is already (three things to the table: one table)."""
        companion = self.companion(p, subject)
        others = [companion] if companion else [
            id for other in self._for_the_same_place(p) for id in satisfying(other, self.graph)]
        supports = {edge.object for id in others if (edge := self.graph.support(id)) is not None}
        return [id for id in places if id in supports]

    def _for_the_same_place(self, p: Proposition) -> list[Proposition]:
        return [other for other in self.progress.goal.propositions if other.object is not None
                and other.object.key == p.place.key and other.subject.key != p.subject.key]

    def table_in(self, p: Proposition, subject: str) -> str:
        """Furniture to put something on in a room, of several the one where the others are."""
        rooms = {piece.id: room.id for piece in self.know.tables(subject) if (
            room := self.graph.room_of(piece.id)) is not None and room.id in p.place.ids}
        with_others = [room.id for other in self._for_the_same_place(p) for id in satisfying(other, self.graph)
                       if (room := self.graph.room_of(id)) is not None]
        if rooms:
            return min(rooms, key=lambda id: rooms[id] not in with_others)
        raise NoPlan(f"there is nothing in {p.place.name} to put {subject} on")

    def table_by(self, reference: str, subject: str) -> str:
        """Furniture to put something on that stands next to a piece of furniture, rather no stove; where nothing does,
        the top of the piece itself, if it is neither seat nor bed."""
        piece, tables = self.graph[reference], self.know.tables(subject)
        beside = [t for t in tables if next_to(self.graph, t.id, reference)
                  and horizontal_gap(t.box, piece.box) <= PLACED_NEXT_TO]
        itself = [t for t in tables if t.id == reference and not any(
            self.vocabulary.is_a(t.category, word) for word in ("seat", "bed"))]
        for table in (*sorted(beside, key=lambda t: "heat" in affordances_of(t.category)), *itself):
            return table.id
        raise NoPlan(f"there is nothing beside {reference} to put {subject} on")

    def companion(self, p: Proposition, subject: str) -> str:
        """What the same object has also to stand next to, if that is where it goes and can be."""
        relation = PREDICATES[p.predicate].relation or Relation.ON
        for other in self.progress.goal.propositions:
            if other.predicate == "is_next_to" and p.subject.key in (other.subject.key, other.place.key):
                beside = other.place if other.subject.key == p.subject.key else other.subject
                for id in beside.ids:
                    edge = self.graph.support(id)
                    if edge is not None and edge.object in p.place.ids and self.know.fits(
                            subject, relation.value, edge.object, "next_to", id):
                        return id
        return ""

    def one(self, ids: Iterable[str], skill: str) -> str:
        """The nearest for which neither `skill` nor going there has failed too often."""
        usable = [id for id in ids if id in self.graph and self.know.possible(skill, id)
                  and self.know.possible("go_to", id)]
        if not usable:
            raise NoPlan(self.know.why_not(ids, (skill, "go_to")) or f"none of {', '.join(ids)} is known")
        return self.know.nearest(usable)

    def neighbours(self, p: Proposition, subject: str) -> list[str]:
        """What a thing may be put next to: the reference, or in a cluster the others of it."""
        ids = p.subject.ids if p.object is None else p.object.ids
        return sorted((id for id in ids if id in self.graph and id != subject and self.graph.support(id) is not None),
                      key=self.know.distance)

    def next_to_another(self, p: Proposition, subject: str) -> bool:
        """True if it stands already next to something else that it has to be next to."""
        return p.predicate == "is_next_to" and any(
            other.predicate == "is_next_to" and other.subject.key == p.subject.key and other.place.key != p.place.key
            and subject in satisfying(other, self.graph) for other in self.progress.goal.propositions)
