"""Which of the things that would do to take, where to look for them, and what stands in for what is not there."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace

from dadu.goals.belief import satisfying
from dadu.goals.candidates import candidates
from dadu.goals.goal import Description, Proposition, Term
from dadu.goals.progress import Progress
from dadu.goals.stand_in import doubted, may_be_another, stand_ins
from dadu.knowledge.nouns import ground
from dadu.planner.regression.knowledge import Knowledge
from dadu.planner.regression.places import Places
from dadu.planner.regression.planned import NoPlan, PlannedSkill
from dadu.planner.regression.search import SearchSpot, layout_known, likely_inside, next_spot
from dadu.planner.situation import TRIES
from dadu.skills.call import SkillCall
from dadu.world.graph import ROBOT, Kind

ALL = sys.maxsize


class Finder:
    """Of one planning problem; what turns out about the things that the goal speaks of, `progress` takes in."""

    def __init__(self, progress: Progress, know: Knowledge, open: Callable[[str, str], PlannedSkill],
                 left: frozenset[str] = frozenset()) -> None:
        """`open`: the next step to open a container, for a reason; `left`: ids of things that others see to."""
        self._left = left
        self.progress, self.know, self._open, self._places = progress, know, open, Places(progress, know)
        self.graph, self.situation, self.vocabulary = know.graph, know.situation, know.vocabulary

    def search(self, description: Description | None, id: str = "") -> PlannedSkill:
        """The next place to look for a thing."""
        name = id or (description.words if description else "it")
        fallen = id in self.graph and id in self.situation.lost
        since = self.situation.lost[id].step if fallen else self._taken_away(description)
        if fallen and self.situation.looked.get(id, 0) <= since and self.know.possible("go_to", id):
            return PlannedSkill(SkillCall("go_to", (id,)), f"{id} was lost about here; looking for it", "look", None,
                                id)
        # What fell down lies near by; what was never seen is where such things usually are.
        spot = self._spot(description, since, near=id) if fallen else self._spot(description, since)
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

    def look_around(self, reason: str) -> PlannedSkill | None:
        """What to look at before giving up where the house is not known yet; None where it is."""
        spot = None if layout_known(self.graph) else self._spot(None, open_only=True)
        return self.look(spot, f"{reason}; there may be more to see in {spot.id}", None) if spot is not None else None

    def look_for_more(self, p: Proposition) -> PlannedSkill | None:
        """All of a kind are wanted, and not every room has been seen, nor every container where such things belong (the
        fridge, for fruit): the next one, if any."""
        description = _described(p.subject)
        spot = self._spot(description, open_only=True)
        if spot is None and not (description.where or self._means_anything(description)):
            spot = self._likely_inside(description)
        if spot is None:
            self.progress.incomplete.discard(p.subject.key)
            return None
        return self.look(spot, f"there may be more of {p.subject.name} in {spot.id}", None)

    def find_out(self, index: int) -> PlannedSkill | None:
        """The next place to look for the answer to a question; None when all have been looked at: the answer is no."""
        question = self.progress.goal.branches[index].question
        description = question.description
        spot = self._spot(description, open_only=bool(description.where)) if description is not None else None
        if spot is None:
            self.progress.answers[index] = False
            return None
        return replace(self.look(spot, f"to find out: {question.text}", description), number=question.number)

    def subject(self, index: int, p: Proposition) -> str | PlannedSkill | None:
        """The object to move next: the one in hand, else the nearest that fits and that nothing else needs. Where none
        is known, the search for one; None when "all of them" turned out to be those already there."""
        if index in self.progress.nothing_left:
            return self.look_for_more(p)
        if not p.subject.ids and self.looked_where_named(p.subject.description):
            self._take_from_anywhere(index, p)
            if index not in self.progress.unmet(self.graph):
                return None
            p = self.progress.proposition(index)
        told = p.subject.description
        most = p.subject.key in self.progress.incomplete and told is not None and bool(told.superlative)
        if most and (more := self.look_for_more(p)) is not None:  # the biggest may not be known yet
            return more
        if not p.subject.ids and self.replaced(p.subject):
            p = self.progress.proposition(index)
        if not p.subject.ids:
            search = self.search(p.subject.description)
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
            # whoever says where a thing is errs less often than eyes that name it; not where it may be out of sight
            places = self.progress.said_to_be.get(p.subject.key, ())
            shut = any(not part.open for id in places if id in self.graph for part in self.graph[id].parts)
            if not shut:
                self._guess(p.subject)

    def _guess(self, term: Term) -> bool:
        """Whether, of the things where this one is said to be, one whose name is not certain is taken for it."""
        categories = term.description.categories if term.description is not None else ()
        there = doubted(self.progress.said_to_be.get(term.key, ()), self.graph, categories)
        unknown = [e for e in there if self.know.movable(e.id)]
        if unknown:
            self.progress.substitute(term.key, [unknown[0].id])
            self.progress.guessed[term.key] = unknown[0].id
        return bool(unknown)

    def _nearest(self, index: int, p: Proposition, done: set[str]) -> str | None:
        """Of those that are not `done`, fit and are not needed elsewhere: the one in hand, else the nearest."""
        left = [id for id in p.subject.ids if id in self.graph and id not in done | self._left
                and self.know.movable(id)]
        left = [id for id in left if self._places.has_room(p, id)] or left
        free = [id for id in left if id not in self._places.spoken_for(index, p)] or left
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
            return self.look_for_more(p)
        if p.number > len(p.subject.ids):
            if p.some and self._spot(_described(p.subject), open_only=True) is None:
                return self._one_more(index, p)
            return self.search(p.subject.description)
        raise NoPlan(self.know.why_not(p.subject.ids, ("pick", "go_to")) or f"nothing else fits {p.subject.name}")

    def _one_more(self, index: int, p: Proposition) -> PlannedSkill | None:
        """Mugs are at least two: the next container where such things belong, if any; else fewer will do."""
        told = _described(p.subject)
        spot = self._likely_inside(told)
        if spot is None or told.where:
            self.progress.content(index)
            return None
        return self.look(spot, f"there may be more of {p.subject.name} in {spot.id}", told)

    def replaced(self, term: Term) -> bool:
        """True if something stands in for what is in no room: what may be in such a state, what is called so by a more
        general word, what is where the words say and may be anything; for what is nowhere inside either, the nearest
        thing there is (RoboGPT)."""
        description = term.description
        if term.key in self.progress.guessed and self._guess(term):  # the last one was not there
            return True
        if description is None or description.alternatives or self._spot(description, open_only=True) is not None:
            return False
        if self._taken_more_widely(term, description):
            return True
        entry = self.vocabulary.entries.get(next(iter(description.categories), ""))
        if entry is None or self._spot(description) is not None:
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
        if description.where and not self.looked_where_named(description):
            found = candidates(replace(description, categories=description.general, general=()), self.graph)
            if found and all(may_be_another(e, description.categories) for e in found):
                return False
        if (description.sure or description.general) and self.progress.widen(term.key, self.graph):
            return True
        return self._guess(term)

    def _spot(self, description: Description | None, since: int = 0, near: str = "", open_only: bool = False
              ) -> SearchSpot | None:
        """The best place to look, by what such things are like; the nearest to `near` where that is said."""
        categories = description.categories if description is not None and not near else ()
        return next_spot(description, categories, self.graph, self.situation.looked, self.vocabulary, since,
                         near or ROBOT, open_only, self.situation.odds)

    def _likely_inside(self, description: Description) -> SearchSpot | None:
        return likely_inside(description.categories, self.graph, self.situation.looked, self.vocabulary)

    def looked_where_named(self, description: Description | None) -> bool:
        return description is not None and bool(description.where) and all(
            id in self.situation.looked for where in description.where for id in where.ids)

    def _means_anything(self, description: Description) -> bool:
        """Everything, all things: more than half of all kinds."""
        kinds = {e.category for e in self.vocabulary.entries.values() if e.kind is Kind.OBJECT}
        return not description.attributes and 2 * len(kinds & set(description.categories)) > len(kinds)


def _described(term: Term) -> Description:
    """What the words say of a thing that is still to be found. Errors: Stuck where they say nothing of it."""
    if term.description is None:
        raise NoPlan(f"nothing says what {term.name or term.key} is, to look for it")
    return term.description
