"""Which of the things that would do to take, where to look for them, and what stands in for what is not there."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from dadu.goals.belief import fit_for, next_to, satisfying, targets_of
from dadu.goals.candidates import candidates
from dadu.goals.goal import Description, Proposition, Term
from dadu.goals.predicates.table import PREDICATES
from dadu.goals.progress import Progress
from dadu.goals.stand_in import doubted, may_be_another, stand_ins
from dadu.knowledge.nouns import ground
from dadu.knowledge.vocabulary import Vocabulary, default_vocabulary
from dadu.planner.regression.knowledge import Knowledge
from dadu.planner.regression.search import SearchSpot, layout_known, likely_inside, next_spot
from dadu.planner.situation import TRIES, Situation
from dadu.skills.call import PLACED_NEXT_TO, SkillCall
from dadu.skills.effects import ROBOT, heaters
from dadu.skills.table import BASE_CAPABILITIES
from dadu.world.boxes import horizontal_gap
from dadu.world.graph import Kind, Relation, WorldGraph

ALL = sys.maxsize


class NoPlan(Exception):
    """No way to make a proposition true is left; the text says why."""


@dataclass(frozen=True)
class PlannedSkill:
    """The next skill, why, and for a go_to what will be done there."""

    call: SkillCall
    reason: str
    purpose: str = ""
    looks_for: Description | None = None
    """what an explore or a look is meant to find"""
    finds: str = ""
    """its id, where it is known"""
    number: int = 1
    """how many such things have to be seen; a look for `ALL` goes on to its end"""


def _described(term: Term) -> Description:
    """What the words say of a thing that is still to be found. Errors: Stuck where they say nothing of it."""
    if term.description is None:
        raise NoPlan(f"nothing says what {term.name or term.key} is, to look for it")
    return term.description


@dataclass
class SkillOptions:
    """One planning problem: a goal's progress, the graph as it is now, and what was tried."""

    progress: Progress
    graph: WorldGraph
    situation: Situation
    vocabulary: Vocabulary = field(default_factory=default_vocabulary)
    capabilities: Iterable[str] = BASE_CAPABILITIES
    """skills that this robot has"""

    def __post_init__(self) -> None:
        self.know = Knowledge(self.graph, self.situation, self.vocabulary)

    def _open(self, container: str, reason: str) -> PlannedSkill:
        raise NotImplementedError

    def _search(self, description: Description | None, id: str = "") -> PlannedSkill:
        """The next place to look for a thing."""
        name = id or (description.words if description else "it")
        fallen = id in self.graph and id in self.situation.lost
        since = self.situation.lost[id].step if fallen else self._taken_away(description)
        if fallen and self.situation.looked.get(id, 0) <= since and self.know.possible("go_to", id):
            return PlannedSkill(SkillCall("go_to", (id,)), f"{id} was lost about here; looking for it", "look", None,
                                id)
        # What fell down lies near by; what was never seen is where such things usually are.
        categories = () if fallen or description is None else description.categories
        spot = next_spot(description, categories, self.graph, self.situation.looked, self.vocabulary, since,
                         id if fallen else ROBOT, odds=self.situation.odds)
        if spot is None:
            raise NoPlan(f"{name} was not found; looked at: {', '.join(self.situation.looked) or 'nothing'}")
        return self.look(spot, f"the place of {name} is not known; looking in {spot.id}", description, id)

    def _taken_away(self, description: Description | None) -> int:
        """The step at which such a thing was not where it had been seen: what was looked at before may hold it now."""
        if description is None:
            return 0
        return max((loss.step for id, loss in self.situation.lost.items() if id not in self.graph and (
            id in description.ids or id.rstrip("0123456789").rstrip("_") in description.categories)), default=0)

    def look(self, spot: SearchSpot, reason: str, description: Description | None, id: str = "") -> PlannedSkill:
        """The next step to look at a place, or into it, for what `description` says."""
        if spot.kind in (Kind.ROOM, Kind.HOUSE):
            return PlannedSkill(SkillCall("explore", (spot.id,)), reason, "", description, id)
        parts = self.graph[spot.id].parts
        shut = not all(part.open for part in parts) and self.situation.opened[spot.id] < len(parts)
        if shut and self.know.possible("open", spot.id) and self.know.possible("go_to", spot.id):
            return self._open(spot.id, reason)
        return PlannedSkill(SkillCall("go_to", (spot.id,)), reason, "look", description, id)

    def _look_around(self, reason: str) -> PlannedSkill | None:
        """What to look at before giving up where the house is not known yet; None where it is."""
        spot = None if layout_known(self.graph) else next_spot(None, (), self.graph, self.situation.looked,
                                                               self.vocabulary, open_only=True)
        return self.look(spot, f"{reason}; there may be more to see in {spot.id}", None) if spot is not None else None

    def _look_for_more(self, p: Proposition) -> PlannedSkill | None:
        """All of a kind are wanted, and not every room has been seen, nor every container where such things belong (the
        fridge, for fruit): the next one, if any."""
        description = _described(p.subject)
        spot = next_spot(description, description.categories, self.graph, self.situation.looked, self.vocabulary,
                         open_only=True, odds=self.situation.odds)
        if spot is None and not (description.where or self._means_anything(description)):
            spot = likely_inside(description.categories, self.graph, self.situation.looked, self.vocabulary)
        if spot is None:
            self.progress.incomplete.discard(p.subject.key)
            return None
        return self.look(spot, f"there may be more of {p.subject.name} in {spot.id}", None)

    def _find_out(self, index: int) -> PlannedSkill | None:
        """The next place to look for the answer to a question; None when all have been looked at: the answer is no."""
        question = self.progress.goal.branches[index].question
        description, situation = question.description, self.situation
        spot = next_spot(description, description.categories, self.graph, situation.looked, self.vocabulary,
                         open_only=bool(description.where), odds=situation.odds) if description is not None else None
        if spot is None:
            self.progress.answers[index] = False
            return None
        return replace(self.look(spot, f"to find out: {question.text}", description), number=question.number)

    def _subject(self, index: int, p: Proposition) -> str | PlannedSkill | None:
        """The object to move next: the one in hand, else the nearest that fits and that nothing else needs. Where none
        is known, the search for one; None when "all of them" turned out to be those already there."""
        if index in self.progress.nothing_left:
            return self._look_for_more(p)
        if not p.subject.ids and self._looked_where_named(p.subject.description):
            self._take_from_anywhere(index, p)
            if index not in self.progress.unmet(self.graph):
                return None
            p = self.progress.proposition(index)
        if self._wants_the_most(p):
            more = self._look_for_more(p)
            if more is not None:
                return more
        if not p.subject.ids and self._replaced(p.subject):
            p = self.progress.proposition(index)
        if not p.subject.ids:
            search = self._search(p.subject.description)
            return replace(search, number=ALL) if p.every else search
        done = set(satisfying(p, self.graph))
        return (self._nearest(index, p, done) or self._another_guess(index, p, done)
                or self._more_than_is_known(index, p, done))

    def _take_from_anywhere(self, index: int, p: Proposition) -> None:
        """It is not where the words say: whatever fits them otherwise will do, and where nothing is known to, what may
        be it and is where they say. Errors: Stuck where they say no more than the place."""
        description = p.subject.description
        if p.every and description is not None and self._means_anything(description):
            raise NoPlan("there is nothing where it was said to be")
        self.progress.relax(p.subject.key, self.graph)
        if p.number == 1 and not p.every and not self.progress.proposition(index).subject.ids:
            self._known_by_its_place(p.subject)

    def _known_by_its_place(self, term: Term) -> None:
        """What is said to be somewhere is taken to be a thing there whose name is not certain: whoever says where a
        thing is errs less often than eyes that name it. Not where it may be inside and out of sight."""
        places = self.progress.said_to_be.get(term.key, ())
        shut = any(not part.open for id in places if id in self.graph for part in self.graph[id].parts)
        if not shut:
            self._guess(term)

    def _guess(self, term: Term) -> bool:
        """True if one of the things where this one is said to be, whose name is not certain, is taken for it."""
        categories = term.description.categories if term.description is not None else ()
        there = doubted(self.progress.said_to_be.get(term.key, ()), self.graph, categories)
        unknown = [e for e in there if self.know.movable(e.id)]
        if unknown:
            self.progress.substitute(term.key, [unknown[0].id])
            self.progress.guessed[term.key] = unknown[0].id
        return bool(unknown)

    def _wants_the_most(self, p: Proposition) -> bool:
        """True if it is about the biggest of a kind, or the like, of which not all may be known."""
        description = p.subject.description
        return p.subject.key in self.progress.incomplete and description is not None and bool(description.superlative)

    def _nearest(self, index: int, p: Proposition, done: set[str]) -> str | None:
        """Of those that are not `done`, fit and are not needed elsewhere: the one in hand, else the nearest."""
        left = [id for id in p.subject.ids if id in self.graph and id not in done and self.know.movable(id)]
        left = [id for id in left if self._has_room(p, id)] or left
        free = [id for id in left if id not in self._spoken_for(index, p)] or left
        return min(free, key=lambda id: (not self.know.in_hand(id), not self.know.place_known(id),
                                         self.know.distance(id), id), default=None)

    def _another_guess(self, index: int, p: Proposition, done: set[str]) -> str | None:
        """What was taken for the thing by its place cannot be had: perhaps it is another one of those there."""
        if p.number > 1 or p.every or not self._guess(p.subject):
            return None
        return self._nearest(index, self.progress.proposition(index), done)

    def _more_than_is_known(self, index: int, p: Proposition, done: set[str]) -> PlannedSkill | None:
        """Where none of those that are known will do: one that slipped is looked at anew, or more are looked for; None
        where fewer will do. Errors: Stuck."""
        again = [id for id in p.subject.ids if id not in done and self.know.worth_another_look(id)]
        if again:
            return PlannedSkill(SkillCall("go_to", (again[0],)),
                                f"{again[0]} slipped {TRIES} times; looking at it anew",
                                "look", None, again[0])
        if p.subject.key in self.progress.incomplete:
            return self._look_for_more(p)
        if p.number > len(p.subject.ids):
            if p.some and not self._left_to_look(_described(p.subject), open_only=True):
                return self._one_more(index, p)
            return self._search(p.subject.description)
        raise NoPlan(self.know.why_not(p.subject.ids, ("pick", "go_to")) or f"nothing else fits {p.subject.name}")

    def _one_more(self, index: int, p: Proposition) -> PlannedSkill | None:
        """Mugs are at least two: the next container where such things belong, if any; else fewer will do."""
        told = _described(p.subject)
        spot = likely_inside(told.categories, self.graph, self.situation.looked, self.vocabulary)
        if spot is None or told.where:
            self.progress.content(index)
            return None
        return self.look(spot, f"there may be more of {p.subject.name} in {spot.id}", told)

    def _has_room(self, p: Proposition, id: str) -> bool:
        """True if a thing may fit where `p` wants one: not where what is no bigger did not."""
        relation = PREDICATES[p.predicate].relation
        return relation is None or not p.place.ids or any(
            self.know.fits(id, relation.value, place) for place in p.place.ids)

    def _replaced(self, term: Term) -> bool:
        """True if something stands in for what is in no room: what may be in such a state, what is called so by a more
        general word, what is where the words say and may be anything; for what is nowhere inside either, the nearest
        thing there is (RoboGPT)."""
        description = term.description
        if term.key in self.progress.guessed and self._guess(term):  # the last one was not there
            return True
        if description is None or description.alternatives or self._left_to_look(description, open_only=True):
            return False
        if self._taken_more_widely(term, description):
            return True
        entry = self.vocabulary.entries.get(next(iter(description.categories), ""))
        if entry is None or self._left_to_look(description):
            return False
        stands = [e.id for e in stand_ins(description, self.graph, self.vocabulary)]
        if not stands and not description.attributes:
            near = ground(" ".join(entry.name), self.graph, (Kind.OBJECT,), self.vocabulary)
            stands = [m.id for m in near if self.graph[m.id].category == self.graph[near[0].id].category]
        if stands:
            self.progress.substitute(term.key, stands)
        return bool(stands)

    def _taken_more_widely(self, term: Term, description: Description) -> bool:
        """True if what may be in such a state is taken, what is called so by a more general word, or what is where the
        words say and may be anything. What is called so, but not with certainty, only once that place was looked at."""
        if description.where and not self._looked_where_named(description) and self._uncertain_names(description):
            return False
        if (description.sure or description.general) and self.progress.widen(term.key, self.graph):
            return True
        return self._guess(term)

    def _uncertain_names(self, description: Description) -> bool:
        """True if all that is called so by a more general word may be something else."""
        found = candidates(replace(description, categories=description.general, general=()), self.graph)
        return bool(found) and all(may_be_another(e, description.categories) for e in found)

    def _left_to_look(self, description: Description, open_only: bool = False) -> bool:
        return next_spot(description, description.categories, self.graph, self.situation.looked, self.vocabulary,
                         open_only=open_only) is not None

    def _looked_where_named(self, description: Description | None) -> bool:
        return description is not None and bool(description.where) and all(
            id in self.situation.looked for where in description.where for id in where.ids)

    def _means_anything(self, description: Description) -> bool:
        """Everything, all things: more than half of all kinds."""
        kinds = {e.category for e in self.vocabulary.entries.values() if e.kind is Kind.OBJECT}
        return not description.attributes and 2 * len(kinds & set(description.categories)) > len(kinds)

    def _spoken_for(self, index: int, p: Proposition) -> set[str]:
        """Objects that already satisfy another proposition, or that only they can."""
        taken: set[str] = set()
        for i, other in enumerate(self.progress.goal.propositions):
            if i != index and other.subject.key != p.subject.key and other.object is not None:
                taken |= set(satisfying(other, self.graph)) if i in self.progress.reached else set()
                taken |= set(other.subject.ids) if len(other.subject.ids) == 1 else set()
        return taken

    def _target(self, p: Proposition, relation: Relation, subject: str) -> str:
        others = [id for id in self._allowed(p, subject) if id in self.graph and not self.know.rests_on(id, subject)]
        usable = [id for id in others if self.know.fits(subject, relation.value, id)]
        if not usable:
            raise NoPlan(self.know.why_not(others, ("place",)) or f"{p.place.name} is not known, or is what would be "
                        "put there")
        return usable[0] if p.place.usual else self._one(self._with_the_others(p, usable, subject) or usable, "go_to")

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
        companion = self._companion(p, subject)
        others = [companion] if companion else [
            id for other in self._for_the_same_place(p) for id in satisfying(other, self.graph)]
        supports = {edge.object for id in others if (edge := self.graph.support(id)) is not None}
        return [id for id in places if id in supports]

    def _for_the_same_place(self, p: Proposition) -> list[Proposition]:
        return [other for other in self.progress.goal.propositions if other.object is not None
                and other.object.key == p.place.key and other.subject.key != p.subject.key]

    def _table_in(self, p: Proposition, subject: str) -> str:
        """Furniture to put something on in a room, of several the one where the others are."""
        rooms = {piece.id: room.id for piece in self.know.tables(subject) if (
            room := self.graph.room_of(piece.id)) is not None and room.id in p.place.ids}
        with_others = [room.id for other in self._for_the_same_place(p) for id in satisfying(other, self.graph)
                       if (room := self.graph.room_of(id)) is not None]
        if rooms:
            return min(rooms, key=lambda id: rooms[id] not in with_others)
        raise NoPlan(f"there is nothing in {p.place.name} to put {subject} on")

    def _table_by(self, reference: str, subject: str) -> str:
        """Furniture to put something on that stands next to a piece of furniture, rather no stove; where nothing does,
        the top of the piece itself, if it is neither seat nor bed."""
        piece, tables = self.graph[reference], self.know.tables(subject)
        beside = [t for t in tables if next_to(self.graph, t.id, reference)
                  and horizontal_gap(t.box, piece.box) <= PLACED_NEXT_TO]
        itself = [t for t in tables if t.id == reference and not any(
            self.vocabulary.is_a(t.category, word) for word in ("seat", "bed"))]
        for table in (*sorted(beside, key=lambda t: t.category in heaters()), *itself):
            return table.id
        raise NoPlan(f"there is nothing beside {reference} to put {subject} on")

    def _companion(self, p: Proposition, subject: str) -> str:
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

    def _one(self, ids: Iterable[str], skill: str) -> str:
        """The nearest for which neither `skill` nor going there has failed too often."""
        usable = [id for id in ids if id in self.graph and self.know.possible(skill, id)
                  and self.know.possible("go_to", id)]
        if not usable:
            raise NoPlan(self.know.why_not(ids, (skill, "go_to")) or f"none of {', '.join(ids)} is known")
        return self.know.nearest(usable)

    def _neighbours(self, p: Proposition, subject: str) -> list[str]:
        """What a thing may be put next to: the reference, or in a cluster the others of it."""
        ids = p.subject.ids if p.object is None else p.object.ids
        return sorted((id for id in ids if id in self.graph and id != subject and self.graph.support(id) is not None),
                      key=self.know.distance)

    def _next_to_another(self, p: Proposition, subject: str) -> bool:
        """True if it stands already next to something else that it has to be next to."""
        return p.predicate == "is_next_to" and any(
            other.predicate == "is_next_to" and other.subject.key == p.subject.key and other.place.key != p.place.key
            and subject in satisfying(other, self.graph) for other in self.progress.goal.propositions)

    def _go(self, target: str, purpose: str, reason: str) -> PlannedSkill:
        choice = self._do(reason, "go_to", target)
        return PlannedSkill(choice.call, reason, purpose)

    def _do(self, reason: str, skill: str, *arguments: str) -> PlannedSkill:
        """Errors: Stuck where this has failed too often."""
        call = SkillCall(skill, arguments)
        if not self.know.possible(skill, *arguments):
            raise NoPlan(f"{call} failed {TRIES} times: {self.situation.last_failure[call].message}")
        return PlannedSkill(call, reason)
