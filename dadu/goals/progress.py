"""Follows a goal over time: what has come true in its order, what must hold still, what was given up and why."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace

from dadu.goals.belief import holds, satisfying
from dadu.goals.candidates import candidates
from dadu.goals.goal import Branch, Description, Goal, Proposition, Question, Term
from dadu.goals.predicates.belief_view import BeliefView
from dadu.goals.predicates.predicate import Family
from dadu.goals.predicates.table import PREDICATES
from dadu.goals.predicates.whereabouts import whereabouts
from dadu.goals.stand_in import called_otherwise
from dadu.world.graph import Entity, WorldGraph

ODDS = 3.0
"""times as likely as what it was taken for"""
_DOUBT = 0.15
"""what it was taken for is never less likely than that: names waver"""


@dataclass
class Progress:
    """Propositions are latched once they held in their turn; those that nothing undoes must also hold at the end."""

    goal: Goal
    reached: set[int] = field(default_factory=set)
    given_up: dict[int, str] = field(default_factory=dict)
    """index of a proposition: why no further try is made"""
    answers: dict[int, bool] = field(default_factory=dict)
    """index of a branch: whether its question was answered with yes"""
    nothing_left: set[int] = field(default_factory=set)
    """indices of what is asked of all that is somewhere, where each of them is asked for elsewhere"""
    unseen: bool = False
    """there may be things that nobody has told of and that were not seen yet"""
    said_to_be: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """key of a term: where the words say that it is, and it was not found"""
    guessed: dict[str, str] = field(default_factory=dict)
    """key of a term: id of what was taken for it by where it is alone, whatever it may be"""
    stood_in: set[str] = field(default_factory=set)
    """ids of what was taken for what was said: called so by a more general word alone, or alike"""
    incomplete: set[str] = field(init=False)
    """keys of terms that mean all of a kind, or the biggest of it, wherever they are, or of which none was known: there
    may be more than have been seen"""

    def __post_init__(self) -> None:
        self.incomplete = {p.subject.key for p in self.goal.propositions if self._may_be_more(p)}

    def _may_be_more(self, p: Proposition) -> bool:
        described = p.subject.description
        several = p.every or described is not None and bool(described.superlative)
        anywhere = described is not None and bool(described.categories) and not described.where
        return several and (not p.subject.ids or anywhere and self.unseen)

    def copy(self) -> Progress:
        """One that goes its own way from here on."""
        own = copy(self)
        own.reached, own.given_up, own.answers = set(self.reached), dict(self.given_up), dict(self.answers)
        own.nothing_left, own.incomplete = set(self.nothing_left), set(self.incomplete)
        own.said_to_be, own.guessed, own.stood_in = dict(self.said_to_be), dict(self.guessed), set(self.stood_in)
        return own

    def update(self, graph: WorldGraph) -> None:
        """Takes in the newest graph: finds what was only described so far, and latches what has come true."""
        unknown = {p.subject.key for p in self.goal.propositions if not p.subject.ids} - self._plural()
        gone = {p.subject.key for p in self.goal.propositions if _gone(p.subject, graph)} - self._plural()
        self.goal = self.goal.map_terms(lambda term: _resolve(term, graph, term.key in self._plural(),
                                                              term.key in self.incomplete, self._taken))
        self._meet(graph)
        self._mean_others(unknown, gone, graph)
        self._separate(graph)
        self._beside_others(graph)
        self._leave_out_named()
        self._gather(graph)
        known = None
        while known != (known := (len(self.reached), len(self.answers))):  # what was reached may make a question due
            self._latch(graph)

    def _meet(self, graph: WorldGraph) -> None:
        """Who was not known before is there now."""
        for index, p in enumerate(self.goal.propositions):
            if p.instead is not None and graph.entities.keys() & set(p.instead.place.ids):
                self._replace(index, p.instead)
                self.reached.discard(index)

    @property
    def _taken(self) -> set[str]:
        """Ids of what was taken for something else knowingly."""
        return self.stood_in | set(self.guessed.values())

    def _latch(self, graph: WorldGraph) -> None:
        for index, branch in enumerate(self.goal.branches):
            if index not in self.answers and self.due(branch) and seen(branch.question, graph):
                self.answers[index] = True
        left_out = self.left_out()
        for index in range(len(self.goal.propositions)):
            settled = self.reached | self.given_up.keys() | left_out
            due = index not in self.reached | left_out and self.goal.before(index) <= settled
            if due and self._holds(index, graph):
                self.reached.add(index)
                self._settle(self.proposition(index), graph)

    def _settle(self, p: Proposition, graph: WorldGraph) -> None:
        """What holds of one of several that would do is meant of that one in everything else that is asked of it."""
        key = p.subject.key
        others = [q for q in self.goal.propositions if q != p and q.subject.key == key]
        fitting = sorted(satisfying(p, graph)) if others and p.needed == 1 and len(p.subject.ids) > 1 else []
        if fitting:
            so = [id for q in others for id in satisfying(q, graph)]
            self.bind(key, max(fitting, key=so.count))

    def _holds(self, index: int, graph: WorldGraph) -> bool:
        """True if it holds of all that it is asked of, as far as they will ever be known."""
        p = self.proposition(index)
        return p.subject.key not in self.incomplete and (index in self.nothing_left or holds(p, graph))

    def _mean_others(self, found: set[str], gone: set[str], graph: WorldGraph) -> None:
        """``The book to the bookcase`` means one that is not there yet, where such a one is seen, too: of things that
        were `found` only now those of which it is so already are not meant. ``The toothpaste from the washbasin to the
        counter``: where that is `gone` from memory, one that is on the counter already is no reason to be done."""
        for index in range(len(self.goal.propositions)):
            p = self.proposition(index)  # as narrowed by those before
            if p.subject.key in found | gone and PREDICATES[p.predicate].relation:
                so = satisfying(p, graph)
                rest = tuple(id for id in p.subject.ids if id not in so)
                if so and bool(rest) == (p.subject.key in found):
                    self._mean(p.subject.key, rest)

    def _separate(self, graph: WorldGraph) -> None:
        """What one of several propositions that need different things has taken is not for the others."""
        for group in self.goal.different:
            taken: set[str] = set()
            for index in (i for i in group if i not in self.left_out()):
                p = self._without(index, taken)
                taken |= set(p.subject.ids if len(p.subject.ids) == 1 else satisfying(p, graph)[:p.needed])

    def _beside_others(self, graph: WorldGraph) -> None:
        """``My book next to the other books``: none of them is that one, the only one that was seen at first."""
        for index, p in enumerate(self.goal.propositions):
            alone = p.predicate == "is_next_to" and len(p.subject.ids) == 1 and p.place.ids == p.subject.ids
            if alone and p.place.description is not None:
                others = (e.id for e in candidates(p.place.description, graph) if e.id not in p.subject.ids)
                self._replace(index, replace(p, object=replace(p.place, ids=tuple(others))))

    def _leave_out_named(self) -> None:
        """``Empty the dishwasher and put the cup on the table``: the cup, once it is found, is not put away. ``Clear
        the table, put the books on it``: nor are the books, once they are there."""
        placed = {i: p for i, p in enumerate(self.goal.propositions) if PREDICATES[p.predicate].relation}
        for i, all_ in ((i, p) for i, p in placed.items() if p.every):
            left = self._without(i, self._named_elsewhere(i, placed) | _put_where_these_are(i, placed))
            self.nothing_left |= {i} if all_.subject.ids and not left.subject.ids else set()

    def _named_elsewhere(self, index: int, placed: Mapping[int, Proposition]) -> set[str]:
        """Single things that another proposition, neither before nor after this one, wants at another place."""
        return {p.subject.ids[0] for j, p in placed.items() if not p.every and len(p.subject.ids) == 1
                and p.place.ids != placed[index].place.ids
                and index not in self.goal.before(j) and j not in self.goal.before(index)}

    def _without(self, index: int, ids: set[str]) -> Proposition:
        """The proposition, which means none of `ids` from now on."""
        p = self.proposition(index)
        if ids & set(p.subject.ids):
            left = tuple(id for id in p.subject.ids if id not in ids)
            self._replace(index, replace(p, subject=replace(p.subject, ids=left)))
        return self.proposition(index)

    def _replace(self, index: int, proposition: Proposition) -> None:
        propositions = list(self.goal.propositions)
        propositions[index] = proposition
        self.goal = replace(self.goal, propositions=tuple(propositions))

    def _gather(self, graph: WorldGraph) -> None:
        """Where things that are to be at one place are at several that would do, it is the one where most are."""
        for group in self.goal.same_place:
            propositions = [self.proposition(i) for i in group if i not in self.left_out()]
            at = [place for p in propositions for place in p.place.ids
                  if satisfying(replace(p, object=replace(p.place, ids=(place,))), graph)]
            if len(set(at)) > 1:
                self.bind(propositions[0].place.key, max(sorted(set(at)), key=at.count))

    def due(self, branch: Branch) -> bool:
        """True if all that comes before a question is done."""
        return set(range(branch.at)) <= self.reached | self.given_up.keys() | self.left_out()

    def left_out(self) -> set[int]:
        """Indices of propositions that the answers so far do not ask for."""
        out: set[int] = set()
        for index, branch in enumerate(self.goal.branches):
            answer = self.answers.get(index)
            yes = None if answer is None else answer is not branch.question.negated
            out |= set(() if yes is True else branch.then) | set(() if yes is False else branch.otherwise)
        return out

    def bind(self, key: str, id: str) -> None:
        """The thing called `key` is `id` from now on, in every proposition that means one thing."""
        if key not in self._plural():
            self._mean(key, (id,))

    def _mean(self, key: str, ids: tuple[str, ...]) -> None:
        self.goal = self.goal.map_terms(lambda t: replace(t, ids=ids) if t.key == key else t)

    def substitute(self, key: str, ids: Sequence[str]) -> None:
        """The thing called `key` is not to be found; `ids` are nearest to it, and the first of them stands in for it;
        for several things all of them do, as many as there are."""
        self.stood_in |= set(ids)
        name = next((t.name for p in self.goal.propositions for t in (p.subject, p.object) if t and t.key == key), key)
        if key not in self._plural():
            self._tell(f"{name} -> {ids[0]}")
            self.bind(key, ids[0])
            return
        self._tell(f"{name} -> {', '.join(ids)}")
        self.goal = self.goal.map_terms(lambda t: replace(t, ids=tuple(ids), description=None) if t.key == key else t)
        for index, p in enumerate(self.goal.propositions):
            if p.subject.key == key:
                self._replace(index, replace(p, number=min(p.number, len(ids))))

    def _tell(self, substitution: str) -> None:
        self.goal = replace(self.goal, substitutions=(*self.goal.substitutions, substitution))

    def relax(self, key: str, graph: WorldGraph) -> None:
        """The thing called `key` is not where the words say: anything that fits them otherwise will do."""
        def anywhere(term: Term) -> Term:
            if term.key != key or term.description is None:
                return term
            self.said_to_be[key] = tuple(id for where in term.description.where for id in where.ids)
            return replace(term, description=term.description.anywhere())
        self.goal = self.goal.map_terms(anywhere)
        self.update(graph)

    def widen(self, key: str, graph: WorldGraph) -> bool:
        """Nothing is known to be in such a state: what may be will do. Nothing is called `key` by its own name: what is
        by a more general word, or will merely do, is taken. Whether there is such a thing."""
        term = next(t for p in self.goal.propositions for t in (p.subject, p.object) if t and t.key == key)
        told = term.description
        if told is None:
            return False
        surely = told.sure
        wider = replace(told, sure=False) if surely else replace(told, categories=told.general, general=())
        found = [e.id for e in candidates(wider, graph)]
        if found:
            self.goal = self.goal.map_terms(lambda t: replace(t, description=wider) if t.key == key else t)
            if not surely:
                self.stood_in |= set(found)
                self._tell(f"{term.name} -> {', '.join(found)}")
            self.update(graph)
        return bool(found)

    def content(self, index: int) -> None:
        """There are not so many as was thought of: as many as there are will do."""
        p = self.proposition(index)
        self._replace(index, replace(p, number=len(p.subject.ids)))

    def unmet(self, graph: WorldGraph) -> list[int]:
        """Indices still to be worked on, in order; those given up are left out, what was to follow them is not."""
        transient, left_out = self.goal.transient(), self.left_out()
        out = []
        for index in range(len(self.goal.propositions)):
            if index in left_out:
                continue
            if index in self.reached and (index in transient or self._holds(index, graph)):
                continue
            if index not in self.given_up:
                out.append(index)
        return out

    def achieved(self, graph: WorldGraph) -> bool:
        """True if everything that was asked for holds, and all questions are answered."""
        answered = len(self.answers) == len(self.goal.branches)
        return answered and not self.unmet(graph) and not self.given_up

    def proposition(self, index: int) -> Proposition:
        return self.goal.propositions[index]

    def report(self, graph: WorldGraph) -> str:
        """What holds, what does not, and why, in a sentence or two."""
        open_ = set(self.unmet(graph))
        done = [str(p) for i, p in enumerate(self.goal.propositions)
                if i not in open_ and i not in self.given_up and i not in self.left_out()]
        missing = [f"{p} ({self.given_up.get(i, 'not reached')})" for i, p in enumerate(self.goal.propositions)
                   if i in open_ or i in self.given_up]
        found = [f"{b.question.text}: {_answer(b.question, self.answers[i], graph)}"
                 for i, b in enumerate(self.goal.branches) if i in self.answers]
        parts = {"found out": found, "achieved": done, "not achieved": missing,
                 "taken instead": self.goal.substitutions}
        return ". ".join(f"{name}: {'; '.join(texts)}" for name, texts in parts.items() if texts)

    def _plural(self) -> set[str]:
        return {p.subject.key for p in self.goal.propositions if p.every or p.number > 1}


def _put_where_these_are(index: int, placed: Mapping[int, Proposition]) -> set[str]:
    """Things that other propositions want just where all those of this one are to be taken from."""
    description = placed[index].subject.description
    here = {id for where in (description.where if description is not None else ()) for id in where.ids}
    return {id for j, p in placed.items() if j != index and p.place.ids and set(p.place.ids) <= here
            for id in p.subject.ids}


def seen(question: Question, graph: WorldGraph) -> bool:
    """True if memory holds what a question asks for."""
    if question.proposition is not None:
        return holds(question.proposition, graph)
    return question.description is not None and len(candidates(question.description, graph)) >= question.number


def _answer(question: Question, yes: bool, graph: WorldGraph) -> str:
    """In words, by what memory holds; a state that nobody sees by looking as far as that goes."""
    if not question.tells or question.description is None:
        p = question.proposition
        seen_by_looking = p is None or PREDICATES[p.predicate].family is Family.PART
        return ("" if seen_by_looking else "as far as I know, ") + ("yes" if yes is not question.negated else "no")
    found = candidates(question.description, graph)
    if question.tells == "number":
        return str(len(found))
    if question.tells == "things":
        return ", ".join(e.id for e in found) or "nothing that I saw"
    places = {e.id: whereabouts(BeliefView(graph), e.id) for e in found}
    rooms = {id: room.id for id in places if (room := graph.room_of(id)) is not None}
    return "; ".join(f"{id} {place}" + (f", in {rooms[id]}" if id in rooms and rooms[id] not in place else "")
                     for id, place in places.items()) or "not found"


def _gone(term: Term, graph: WorldGraph) -> bool:
    """True if memory holds none any more of what was found where the words say that it is."""
    described = term.description
    return described is not None and bool(described.where) and bool(term.ids) and not any(
        id in graph for id in term.ids)


def _resolve(term: Term, graph: WorldGraph, plural: bool, choosing: bool = False, taken: Collection[str] = ()) -> Term:
    """Ids for a term that has none, more for one that means several, and new ones where memory has dropped the old (an
    object found again may have got another) or knows them by now for something else, unless they were `taken` for what
    is meant whatever they are."""
    told, kept = term.description, [id for id in term.ids if id in graph]
    known = tuple(id for id in kept if id in taken or not _is_another(graph[id], told))
    if told is None or (known and not plural and not choosing):
        return term
    description = told.anywhere() if term.ids and not kept else told
    found = tuple(e.id for e in candidates(description, graph) if e.id in taken or not _is_another(e, told))
    if description.states and candidates(replace(description, sure=True), graph):  # the dirty cups, once some are known
        term = replace(term, description=replace(told, sure=True))
    return replace(term, ids=known + tuple(id for id in found if id not in known) if plural else found)


def _is_another(entity: Entity, told: Description | None) -> bool:
    """True if a thing that fitted once was seen since, far more likely, to be something else."""
    return told is not None and called_otherwise(entity, told) and entity.confidence > ODDS * max(
        entity.share_of(told.meant), _DOUBT)
