"""A goal in the making: propositions are added clause by clause, then ordered and cleared of repetition."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from dadu.goals.belief import holds
from dadu.goals.candidates import candidates
from dadu.goals.goal import Branch, Description, Goal, Proposition, Question, Term, undoes
from dadu.goals.predicates.predicate import Family
from dadu.goals.predicates.table import PREDICATES
from dadu.knowledge.vocabulary import Vocabulary
from dadu.language.reading.syntax import Clause, Condition, Noun
from dadu.language.refusal import Refusal
from dadu.language.understanding.entries import DraftEntry, exclusive, in_rooms_spoken_of, in_their_turn, same_branch
from dadu.language.understanding.handed import ASKED, several_fetched
from dadu.language.understanding.things.attachment import Group, Placed, Reading, readings
from dadu.language.understanding.things.things import Thing, Things
from dadu.skills.outcome import Code
from dadu.world.graph import Kind, WorldGraph

ROBOT = Term("robot", ("robot",))
IT = Noun(pronoun="it", text="it")
_PLACED = tuple(p.name for p in PREDICATES.values() if p.family is Family.WHEREABOUTS and p.arity == 2)
STATES = ("is_clean", "is_dirty", "is_filled", "is_empty", "is_sliced", "is_hot", "is_cold")


@dataclass(frozen=True)
class Vague:
    """What a wish such as ``clear the table`` or ``I am thirsty`` led to; the next clause may say how it is meant."""

    entries: range
    things: tuple[Thing, ...] = ()
    """what it is about"""
    use: str = ""
    """what the thing wished for has to be good for, a name in uses/*.yaml"""
    text: str = ""
    extra: tuple[Noun, ...] = ()
    """what it takes besides: tea with honey"""
    wish: str = ""
    """the use that it was a wish of, where something is done rather than brought"""
    rooms: frozenset[str] = frozenset()
    """where: tidy the den"""
    loose: bool = False
    """what is to come of it is not said: tidy the den, set the table; not clear the table"""


class Draft:
    """What has been understood so far."""

    def __init__(self, graph: WorldGraph, vocabulary: Vocabulary, complete: bool, looked: Collection[str] = (),
                 frames: Mapping[str, Callable[[Draft, Clause, Group], None]] | None = None) -> None:
        """See `interpret`. `frames`: what each verb asks for, by name; frames ask each other through it."""
        self._frames = frames or {}
        self.graph, self.vocabulary, self.complete = graph, vocabulary.extended(graph), complete
        self._looked = looked
        self.things = Things(graph, vocabulary, complete)
        self.entries: list[DraftEntry] = []
        self.questions: dict[Question, int] = {}
        """not answered yet, with the number of entries that come before"""
        self.answers: dict[Condition, Any] = {}
        """what has come of the conditions so far, so that each is asked once"""
        self.notes: dict[str, None] = {}
        self.different: list[list[Proposition]] = []
        self.one_place: set[str] = set()
        """keys of places where all that is brought there is to be together, though more than one is called so"""
        self.group = 0
        self.asker: Thing | None = None
        """the room or piece of furniture where the person says to be"""
        self.unfulfilled: Refusal | None = None
        """why a wish cannot be met"""
        self.unplaced: Refusal | None = None
        """why it is not known where to put things, unless what follows says so"""
        self.when: tuple[Question, bool] | None = None
        """the condition of the clause being read, and whether its opposite is meant"""
        self.laid: Term | None = None
        """the table that is being set; what is brought right after goes there"""
        self.people = 1
        """for how many it is"""
        self.vague: Vague | None = None
        self.unexplained: Clause | None = None
        """``prepare the desk``, until what follows says how"""

    @property
    def setting(self) -> frozenset[str]:
        """The rooms of which a sentence spoke that the others explain."""
        return self.things.setting

    @setting.setter
    def setting(self, rooms: frozenset[str]) -> None:
        self.things.setting = rooms

    def not_there(self, description: Description | None) -> bool:
        """Whether its place was looked at, so that what was not seen there is elsewhere."""
        places = [id for w in description.where for id in w.ids] if description is not None else []
        return bool(places) and all(id in self._looked for id in places)

    def frame(self, name: str, clause: Clause, part: Group) -> None:
        """Has another frame understand a part of the clause. Errors: Refusal."""
        self._frames[name](self, clause, part)

    def note(self, text: str) -> None:
        self.notes[text] = None

    def put(self, proposition: Proposition) -> None:
        question, otherwise = self.when or (None, False)
        self.things.does(proposition)
        self.entries.append(DraftEntry(self.group, proposition, question, otherwise))

    def add(self, predicate: str, thing: Thing, object: Term | None = None, same_target: bool = False) -> Proposition:
        """`thing` as subject, in its number."""
        same = same_target and (thing.every or thing.number > 1)
        some = thing.number > 1 and thing.noun is not None and thing.noun.number is None
        proposition = Proposition(predicate, thing.term, object, thing.number, thing.every, same, some)
        if not thing.every and thing.kind is Kind.OBJECT and len(thing.term.ids) > thing.number:
            more = thing.noun is not None and thing.noun.more
            if thing.number == 1 or more:
                proposition = self.unsatisfied(proposition)
                self._settle(proposition)
        self.put(self._there_already(proposition))
        if thing.noun is not None and thing.noun.other and (thing.number == 1 or thing.every):
            self.different.append([*self._of_that_kind(thing), self.entries[-1].proposition])
        elif thing.noun is not None and thing.noun.indefinite and not thing.term.ids and predicate in _PLACED:
            elsewhere = [p for p in self._of_that_kind(thing) if p.predicate in _PLACED and p.object != object]
            self.different += [[*elsewhere, self.entries[-1].proposition]] if elsewhere else []
        return proposition

    def _of_that_kind(self, thing: Thing) -> list[Proposition]:
        """What was asked for of other things that may be the same as this one."""
        kind = set(thing.term.description.categories) if thing.term.description else set()
        return [p for e in self.entries[:-1] if not (p := e.proposition).every and p.subject.key != thing.term.key
                and p.subject.description and kind.issuperset(p.subject.description.categories)]

    def _settle(self, narrower: Proposition) -> None:
        """What was said of the thing before means the same ones: wash a plate and put it in the cupboard."""
        term = narrower.subject
        for i, entry in enumerate(self.entries):
            p = entry.proposition
            if p.subject.key == term.key and p.needed == 1 and set(term.ids) < set(p.subject.ids) and not any(
                    p in group for group in self.different):
                self.entries[i] = replace(entry, proposition=narrowed(p, term.ids))

    def _there_already(self, p: Proposition) -> Proposition:
        """``from the fridge to the table``, where such a thing is on the table and none in the fridge: it was done."""
        description = p.subject.description
        if not self.complete or p.object is None or p.subject.ids or description is None or not description.where:
            return p
        anywhere = candidates(description.anywhere(), self.graph)
        there = tuple(e.id for e in anywhere if holds(narrowed(replace(p, number=1), (e.id,)), self.graph))
        if p.every or len(there) < p.number:
            return p
        self.note(f"{', '.join(there)} is there already")
        self.things.mentions = [replace(t, term=replace(t.term, ids=there)) if t.term.key == p.subject.key else t
                                for t in self.things.mentions]
        return narrowed(p, there)

    def require(self, thing: Thing) -> None:
        """What its adjectives ask for: a washed cup."""
        said = {(e.proposition.predicate, e.proposition.subject.key) for e in self.entries}
        for state in thing.requires:
            if (state, thing.term.key) in said:
                continue
            p = self.add(state, thing)
            there = tuple(id for id in thing.term.ids if holds(narrowed(replace(p, number=1), (id,)), self.graph))
            if there:  # what is so already will do
                self.entries[-1] = replace(self.entries[-1], proposition=narrowed(p, thing.term.ids))

    def unsatisfied(self, p: Proposition) -> Proposition:
        """"An apple to the table" means one that is not there yet, where there is such a one."""
        rest = tuple(id for id in p.subject.ids if not holds(narrowed(replace(p, number=1), (id,)), self.graph))
        return narrowed(p, rest if len(rest) >= p.number else p.subject.ids)

    # Reading a group of items.

    def read(self, part: Group, *, moves: bool) -> Reading:
        """The likeliest reading whose nouns are all found; else the likeliest one that is understood, where things may
        not have been seen yet rather none in which one is in or on another: it is to go there."""
        possible = list(readings(part, self.things.kind_of, moves=moves)) or [Reading(tuple(map(Placed, part.nouns)))]
        understood = [r for r in possible if self._found(r) is not None]
        found = next((r for r in understood if self._found(r)), None)
        if found is not None or self.complete or not understood:
            return found or (understood or possible)[0]
        return min(understood, key=self._held_by_another)

    def _held_by_another(self, reading: Reading) -> tuple[bool, bool]:
        """Whether it says of what is moved that it is in or on an object; whether it forgets what comes of that one."""
        on_it = any(prep.relation in ("in", "on") and self._may_be_object(prep.noun)
                    for placed in reading.objects for prep in placed.where)
        to = reading.destination.place if reading.destination is not None else None
        return on_it, to is not None and to.noun.indefinite and bool(to.where) and self.things.kind_of(
            to.noun) is Kind.OBJECT

    def _may_be_object(self, noun: Noun) -> bool:
        """``the container``, also where a piece of furniture is one; but a sink is no toy sink."""
        kinds, found = () if noun.pronoun else (Kind.OBJECT,), []
        try:
            found = self.things.resolve(Placed(noun), kinds, mention=False)
            piece = None if noun.pronoun else self.things.nouns.meaning(noun.words, noun.text, (Kind.FURNITURE,))
        except Refusal:
            piece = None
        if not found or piece is not None and piece.tier == 0:
            return False
        return any(t.kind is Kind.OBJECT and not (noun.pronoun and t.every) for t in found)  # all that is on it

    def _found(self, reading: Reading) -> bool | None:
        """Whether every noun has something that it means; None where one is not understood."""
        destination = reading.destination
        places = [p for d in (destination, reading.onward) if d
                  for p in (d.place, d.beside, d.second, *d.company) if p is not None]
        try:
            things = [t for p in (*reading.objects, *places) for t in self.things.resolve(p, mention=False)]
        except Refusal:
            return None
        general = any(p.noun.words[-1:] and p.noun.words[-1] in self.vocabulary.lexicon.plain_nouns and not p.where
                      for p in reading.objects)
        return all(t.term.ids for t in things) and (self.complete or not general)  # there is always something

    # The result.

    def goal(self) -> Goal:
        """All propositions, less those that a later one contains; ordered by group, and where one undoes another."""
        self._tell_apart()
        self.entries = in_rooms_spoken_of(self.entries, self.graph, self.setting)
        self._leave_out_named()
        kept, taken = [], {}
        for i, e in enumerate(self.entries):
            part_of = next((later for later in self.entries[i + 1:] if self._includes(later, e)), None)
            if part_of is None:
                kept.append(_apart(e))
            else:
                taken[part_of.group, part_of.proposition.subject.key] = e.group
        kept = in_their_turn(list(dict.fromkeys(kept)), taken)
        kept, note = several_fetched(kept, self.graph, self.vocabulary)
        if note:
            self.note(note)
        self._one_hand(kept)
        propositions = tuple(e.proposition for e in kept)
        order = tuple((i, j) for j, later in enumerate(kept) for i, earlier in enumerate(kept[:j])
                      if _ordered(earlier, later))
        for p in propositions:
            if p.object is not None and p.object.key.endswith(ASKED):
                self.note(f"brought in the hand to where you asked ({p.object.ids[0]})")
        branches = tuple(_branch(q, before, kept) for q, before in self.questions.items())
        different = tuple(g for group in self.different
                          if len(g := tuple(i for i, p in enumerate(propositions) if p in group)) > 1)
        notes = tuple(self.notes | self.things.notes)
        return Goal(propositions, order, tuple(self.things.substitutions), notes, branches, different,
                    self._gathered(propositions))

    def _gathered(self, propositions: tuple[Proposition, ...]) -> tuple[tuple[int, ...], ...]:
        """Indices of what goes to the same one of several places."""
        groups: dict[tuple[str, str, tuple[str, ...]], list[int]] = {}
        for i, p in enumerate(propositions):
            if p.predicate in _PLACED and p.place.key in self.one_place and len(p.place.ids) > 1:
                groups.setdefault((p.predicate, p.place.key, p.place.ids), []).append(i)
        return tuple(tuple(group) for group in groups.values() if len(group) > 1)

    def _includes(self, later: DraftEntry, earlier: DraftEntry) -> bool:
        """Whether doing the later one is doing the earlier one as well."""
        a, b = later.proposition, earlier.proposition
        return same_branch(later, earlier) and (_contains(a, b) or self._within(a, b))

    def _within(self, later: Proposition, earlier: Proposition) -> bool:
        """``To the kitchen, and put them on the counter``: the counter is in the kitchen."""
        if earlier.predicate != "is_in_room" or later.predicate not in ("is_on_top", "is_inside", "is_next_to"):
            return False
        if later.subject == ROBOT:  # sent there for its own sake: it goes to both
            return False
        rooms = {room.id for id in later.place.ids if (room := self.graph.room_of(id)) is not None}
        a, b = later.subject, earlier.subject
        same = a.key == b.key or a.ids == b.ids and len(a.ids) == 1
        return same and bool(rooms) and rooms <= set(earlier.place.ids)

    def _tell_apart(self) -> None:
        """``The red mug to the desk and the mug to the shelf``: what only one thing can be, the other one is not."""
        placed = [e for e in self.entries if e.proposition.predicate in ("is_on_top", "is_inside", "is_in_room")
                  and e.proposition.needed == 1 and not any(e.proposition in g for g in self.different)]
        for sure in (e.proposition for e in placed if len(e.proposition.subject.ids) == 1):
            for entry in placed:
                p = entry.proposition
                if p.subject.key != sure.subject.key and p.place.ids != sure.place.ids and len(p.subject.ids) > 1:
                    taken = sure.subject.ids[0]
                    self.entries = [_not(e, p.subject.key, taken) for e in self.entries]

    def _leave_out_named(self) -> None:
        """``Empty the dishwasher and put the cup on the table``: the cup is not among those that are put away."""
        for named in [e for e in self.entries if e.proposition.predicate in _PLACED]:
            one = named.proposition
            if one.every or len(one.subject.ids) != 1:
                continue
            for i, entry in reversed(list(enumerate(self.entries))):
                p = entry.proposition
                if (p.every and p.predicate in _PLACED and entry.group == named.group and same_branch(entry, named)
                        and one.subject.ids[0] in p.subject.ids and p.place.ids != one.place.ids):
                    self.entries[i:i + 1] = _less(entry, one.subject.ids[0])

    def _one_hand(self, kept: Iterable[DraftEntry]) -> None:
        """Errors: Refusal where two things would have to be held at once."""
        held = [e.proposition for e in kept if e.proposition.predicate == "is_held" and not e.otherwise]
        if sum(p.number if not p.every else max(1, len(p.subject.ids)) for p in held) > 1:
            names = [p.subject.name for p in held]
            raise Refusal(f"I have one hand and can hold one thing, not {' and '.join(names)}; say where to put them",
                          names, Code.HAND_FULL)


def narrowed(p: Proposition, ids: tuple[str, ...]) -> Proposition:
    """The same about fewer subjects."""
    return replace(p, subject=replace(p.subject, ids=ids))


def _branch(question: Question, before: int, kept: list[DraftEntry]) -> Branch:
    """What depends on a question that is answered `before` so many entries."""
    then, otherwise = (tuple(i for i, e in enumerate(kept) if e.question == question and e.otherwise is side)
                       for side in (False, True))
    return Branch(question, then, otherwise, min(before, len(kept)))


def _not(entry: DraftEntry, key: str, id: str) -> DraftEntry:
    """With the thing `key` taken not to be `id`, where it can be something else."""
    p = entry.proposition
    ids = tuple(i for i in p.subject.ids if i != id)
    return replace(entry, proposition=narrowed(p, ids)) if p.subject.key == key and ids else entry


def _less(entry: DraftEntry, id: str) -> list[DraftEntry]:
    """All but one of them; nothing where there is no other."""
    p, description = entry.proposition, entry.proposition.subject.description
    ids = tuple(i for i in p.subject.ids if i != id)
    if description is not None:
        other = Description(id, Kind.OBJECT, (), ids=(id,))
        description = replace(description, without=(*description.without, other))
    term = replace(p.subject, ids=ids, description=description)
    return [replace(entry, proposition=replace(p, subject=term))] if ids else []


def _apart(entry: DraftEntry) -> DraftEntry:
    """``Put the plates on the blue plate``: the others. Errors: Refusal where a thing would have to be at itself."""
    p = entry.proposition
    if p.object is None or len(p.object.ids) != 1 or p.object.ids[0] not in p.subject.ids:
        return entry
    others = _less(entry, p.object.ids[0])
    if not others:
        raise Refusal(f"{p.object.ids[0]} cannot be on, in or beside itself: {p.subject.name!r}, {p.object.name!r}",
                      [p.object.name])
    return replace(others[0], proposition=replace(others[0].proposition, number=min(p.number, len(p.subject.ids) - 1)))


def nouns_of(clause: Clause, part: Group) -> list[Noun]:
    """The nouns of a part. Errors: Refusal where none is said."""
    if not part.nouns:
        raise Refusal(f"what to {clause.verb} is not said in {clause.text!r}", [clause.verb])
    return part.nouns


def needs_object(reading: Reading, clause: Clause) -> tuple[Placed, ...]:
    """Errors: Refusal where no object is said."""
    if not reading.objects:
        raise Refusal(f"what to {clause.verb} is not said in {clause.text!r}", [clause.verb])
    return reading.objects


def _ordered(earlier: DraftEntry, later: DraftEntry) -> bool:
    if exclusive(earlier, later):
        return False
    a, b = earlier.proposition, later.proposition
    if b.predicate == "is_next_to" and not earlier.passing and undoes(b, a):
        return earlier.group == later.group - 1  # on the table, next to the cup: both
    return earlier.group == later.group - 1 or undoes(b, a) or _brings(b, a) or _prepares(b, a)


def _brings(later: Proposition, earlier: Proposition) -> bool:
    """Fetched first, then carried to whoever asked."""
    return (earlier.predicate == "is_held" and later.object is not None
            and later.object.key == earlier.subject.key + ASKED)


def _prepares(later: Proposition, earlier: Proposition) -> bool:
    """Washed, heated or sliced first, then put where it is wanted; filled before the vessel is carried."""
    placed = later.predicate in ("is_on_top", "is_inside", "is_in_room", "is_held", "is_next_to")
    same = earlier.subject.key == later.subject.key
    packed = earlier.object is not None and earlier.object.key == later.subject.key and earlier.predicate in (
        "is_inside", "is_on_top")
    return placed and (packed or same and earlier.predicate in STATES)


def _contains(later: Proposition, earlier: Proposition) -> bool:
    """Taking or finding something is part of moving it; saying it twice adds nothing."""
    if earlier.predicate == "is_held":
        ids = set(later.subject.ids)  # take two books and put one here, one there
        same = later.subject.key == earlier.subject.key or bool(ids) and ids <= set(earlier.subject.ids)
        return same and (later.predicate not in STATES or earlier.needed > 1)  # take the cups and wash them
    if earlier.subject == ROBOT and earlier.object is not None:
        found, fetched = earlier.object.key, earlier.object.key.removesuffix(ASKED)
        return later.subject.key == (found if earlier.predicate == "is_next_to" else fetched)
    return later == earlier or _says_the_same(later, earlier)


def _says_the_same(a: Proposition, b: Proposition) -> bool:
    """Of the same one thing in other words."""
    objects = [p.object.ids if p.object is not None else () for p in (a, b)]
    return a.predicate == b.predicate and a.subject.ids == b.subject.ids and len(a.subject.ids) == 1 and (
        objects[0] == objects[1] and (a.object is None or bool(objects[0])))
