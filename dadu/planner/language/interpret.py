"""From an instruction to a goal: what each verb asks for, in which order, and what it leaves unsaid."""

from __future__ import annotations

from collections.abc import Iterable

from dadu.errors import choices
from dadu.memory.graph import Entity, Kind, WorldGraph
from dadu.planner.goal import Goal, Proposition, Term, undoes
from dadu.planner.language.attachment import Destination, Group, Placed, Reading, groups, readings
from dadu.planner.language.refusal import Refusal
from dadu.planner.language.syntax import Clause, Noun, parse
from dadu.planner.language.things import SUPPORTS, Thing, Things
from dadu.planner.predicates import holds
from dadu.planner.vocabulary import Vocabulary, default_vocabulary
from dadu.skills.outcome import Code

ROBOT = Term("robot", ("robot",))
IT = Noun(pronoun="it", text="it")
_ASKED = "@asked"
"""marks the place to which something is fetched: where the instruction was given"""


def interpret(instruction: str, graph: WorldGraph, vocabulary: Vocabulary | None = None) -> Goal:
    """The goal of `instruction` in the world of `graph`. Errors: Refusal naming the words that cannot be understood."""
    vocabulary = vocabulary or default_vocabulary()
    interpreter = _Interpreter(graph, vocabulary)
    for clause in parse(instruction, vocabulary.lexicon):
        interpreter.clause(clause)
    return interpreter.goal()


class _Interpreter:
    """Collects propositions clause by clause; each carries the number of its group, which ``then`` raises."""

    def __init__(self, graph: WorldGraph, vocabulary: Vocabulary) -> None:
        self.graph = graph
        self.things = Things(graph, vocabulary)
        self.collected: list[tuple[int, Proposition]] = []
        self.notes: list[str] = []
        self.group = 0

    def clause(self, clause: Clause) -> None:
        self.things.clause += 1
        if clause.ordered:
            self.group += 1
        for part in self._parts(clause):
            getattr(self, f"_{_frame(clause, part)}")(clause, part)

    def goal(self) -> Goal:
        """All propositions, less those that a later one contains; ordered by group, and where one undoes another."""
        kept = [(g, p) for i, (g, p) in enumerate(self.collected)
                if not any(_contains(later, p) for _, later in self.collected[i + 1:])]
        kept = list(dict.fromkeys(kept))
        held = [p for _, p in kept if p.predicate == "is_held"]
        if sum(p.number if not p.every else max(1, len(p.subject.ids)) for p in held) > 1:
            names = [p.subject.name for p in held]
            raise Refusal(f"I have one hand and can hold one thing, not {' and '.join(names)}; say where to put them",
                          names, Code.HAND_FULL)
        order = tuple((i, j) for j, (gj, pj) in enumerate(kept) for i, (gi, pi) in enumerate(kept[:j])
                      if gi == gj - 1 or undoes(pj, pi) or _brings(pj, pi))
        self.notes += [f"brought in the hand to where you asked ({p.object.ids[0]})" for _, p in kept
                       if p.object is not None and p.object.key.endswith(_ASKED)]
        return Goal(tuple(p for _, p in kept), order, tuple(self.things.substitutions), tuple(self.notes))

    def _parts(self, clause: Clause) -> list[Group]:
        parts = groups(clause, self.things.kind_of)
        if clause.respectively and len(parts) == 1 and len(parts[0].nouns) == len(parts[0].preps):
            return [Group([n], [p]) for n, p in zip(parts[0].nouns, parts[0].preps)]
        return parts

    def _add(self, predicate: str, thing: Thing, object: Term | None = None, same_target: bool = False) -> None:
        term = thing.term
        proposition = Proposition(predicate, term, object, thing.number, thing.every, same_target)
        if not thing.every and thing.number == 1 and len(term.ids) > 1 and thing.kind is Kind.OBJECT:
            proposition = self._unsatisfied(proposition)
        self.collected.append((self.group, proposition))

    def _unsatisfied(self, p: Proposition) -> Proposition:
        """"An apple to the table" means one that is not there yet, where there is such a one."""
        rest = tuple(id for id in p.subject.ids if not holds(_narrowed(p, (id,)), self.graph))
        return _narrowed(p, rest or p.subject.ids)

    # One method a frame.

    def _take(self, clause: Clause, part: Group) -> None:
        reading = self._read(part, moves=False)
        if reading.destination is not None:
            self._move(reading, clause)
            return
        for placed in _needs_object(reading, clause):
            for thing in self.things.resolve(placed, (Kind.OBJECT,)):
                self._add("is_held", thing)

    def _fetch(self, clause: Clause, part: Group) -> None:
        """To whoever asked: a person the graph knows, else in the hand, back where the instruction was given."""
        reading = self._read(part, moves=False)
        if reading.destination is not None:
            self._move(reading, clause)
            return
        room = self.graph.room_of("robot") if "robot" in self.graph else None
        for placed in _needs_object(reading, clause):
            for thing in self.things.resolve(placed, (Kind.OBJECT,)):
                self._add("is_held", thing)
                if room is not None:
                    there = Term(thing.term.key + _ASKED, (room.id,))
                    self.collected.append((self.group, Proposition("is_in_room", ROBOT, there)))

    def _put(self, clause: Clause, part: Group) -> None:
        reading = self._read(part, moves=True)
        if reading.destination is None:
            raise Refusal(f"where to is not said in {clause.text!r}; name a place, such as: "
                          f"{self.things.nouns.alternatives((Kind.FURNITURE,))}", [clause.verb])
        self._move(reading, clause)

    def _bring(self, clause: Clause, part: Group) -> None:
        if clause.recipient and self._read(part, moves=False).destination is None:
            self._fetch(clause, part)
        else:
            self._put(clause, part)

    def _open(self, clause: Clause, part: Group) -> None:
        self._articulate("is_open", clause, part)

    def _close(self, clause: Clause, part: Group) -> None:
        self._articulate("is_closed", clause, part)

    def _go(self, clause: Clause, part: Group) -> None:
        nouns = [*part.nouns, *(p.noun for p in part.preps)]
        if not nouns:
            raise Refusal(f"where to go is not said in {clause.text!r}", [clause.verb])
        where = tuple(p for p in part.preps[1:] if not part.nouns) or tuple(part.preps if part.nouns else ())
        self._approach(Placed(nouns[0], where))

    def _find(self, clause: Clause, part: Group) -> None:
        for placed in _needs_object(self._read(part, moves=False), clause):
            self._approach(placed)

    def _approach(self, placed: Placed) -> None:
        for thing in self.things.resolve(placed):
            predicate = "is_in_room" if thing.kind is Kind.ROOM else "is_next_to"
            self.collected.append((self.group, Proposition(predicate, ROBOT, thing.term)))

    def _articulate(self, predicate: str, clause: Clause, part: Group) -> None:
        openable = [e for e in self.graph.of(Kind.FURNITURE) if e.is_container]
        for placed in _needs_object(self._read(part, moves=False), clause):
            for thing in self._openable(placed, openable):
                ids = tuple(e.id for e in openable if e.id in thing.term.ids)
                if not ids:
                    raise Refusal(f"{thing.term.name!r} cannot be opened or closed; these can: "
                                  f"{choices(e.id for e in openable)}", [thing.term.name], Code.NOT_INTERACTIVE)
                whole = Proposition(predicate, Term(thing.term.key, ids, thing.term.description))
                each = [Proposition(predicate, Term(id, (id,))) for id in ids]
                several = placed.noun.plural or placed.noun.every
                self.collected += [(self.group, p) for p in (each if several else [self._unsatisfied(whole)])]

    def _openable(self, placed: Placed, openable: list[Entity]) -> list[Thing]:
        """``it`` and ``the door`` are the container spoken of last."""
        ids = {e.id for e in openable}
        noun = placed.noun
        bare = noun.pronoun == "it" or (len(noun.words) == 1 and noun.words[0] in self.things.nouns.lexicon.parts)
        spoken = [t for t in reversed(self.things.mentions) if t.kind is Kind.FURNITURE and ids & set(t.term.ids)]
        return spoken[:1] if bare and spoken else self.things.resolve(placed, (Kind.FURNITURE,))

    # What the frames share.

    def _read(self, part: Group, *, moves: bool) -> Reading:
        """The likeliest reading whose nouns are all found; else the likeliest one that is understood."""
        possible = list(readings(part, self.things.kind_of, moves=moves)) or [Reading(tuple(map(Placed, part.nouns)))]
        understood = [r for r in possible if self._found(r) is not None]
        return next((r for r in understood if self._found(r)), (understood or possible)[0])

    def _found(self, reading: Reading) -> bool | None:
        """Whether every noun has something that it means; None where one is not understood."""
        destination = reading.destination
        places = [p for d in ([destination] if destination else []) for p in (d.place, d.beside) if p is not None]
        try:
            things = [t for p in (*reading.objects, *places) for t in self.things.resolve(p, mention=False)]
        except Refusal:
            return None
        return all(t.term.ids for t in things)

    def _move(self, reading: Reading, clause: Clause) -> None:
        objects = reading.objects or (Placed(IT),)
        subjects = [t for placed in objects for t in self.things.resolve(placed, (Kind.OBJECT,))]
        predicate, target, beside = self._target(reading.destination, clause)
        for thing in subjects:
            if target is not None:
                self._add(predicate, thing, target, same_target=thing.every or thing.number > 1)
            if beside is not None:
                self._add("is_next_to", thing, beside)

    def _target(self, d: Destination, clause: Clause) -> tuple[str, Term | None, Term | None]:
        """Predicate and term of the place, and what to stand next to."""
        beside = self._one(d.beside, ()).term if d.beside else None
        if d.relation == "next_to":
            return "is_next_to", None, self._one(d.place, (Kind.OBJECT,)).term
        kinds = (*SUPPORTS, Kind.OBJECT) if d.relation in ("to", "at") else SUPPORTS
        thing = self._one(d.place, kinds)
        if thing.kind is Kind.OBJECT:
            return "is_next_to", None, thing.term
        if thing.kind is Kind.ROOM:
            return "is_in_room", thing.term, beside
        return (*self._surface(thing.term, d.relation), beside)

    def _one(self, placed: Placed, kinds: tuple[Kind, ...]) -> Thing:
        thing = self.things.resolve(placed, kinds)[0]
        if len(thing.term.ids) > 1 and (placed.noun.every or placed.noun.plural):
            raise Refusal(f"I can bring things to one place at a time, not to {placed.noun.text!r}; name each",
                          [placed.noun.text])
        return thing

    def _surface(self, term: Term, relation: str) -> tuple[str, Term]:
        """On or in, as the furniture has it: what has no inside takes things on it."""
        entities = [self.graph[id] for id in term.ids]
        on = tuple(e.id for e in entities if any(not s.inside for s in e.surfaces) or not e.surfaces)
        inside = tuple(e.id for e in entities if any(s.inside for s in e.surfaces) or not e.surfaces)
        if relation == "on" and not on:
            raise Refusal(f"nothing can stand on {term.name!r}; things can go in it", [term.name], Code.NOT_INTERACTIVE)
        if relation == "in" and inside or not on:
            return "is_inside", Term(term.key, inside, term.description)
        if relation == "in":
            self.notes.append(f"{term.name}: it has no inside, so things go on it")
        return "is_on_top", Term(term.key, on, term.description)


def _brings(later: Proposition, earlier: Proposition) -> bool:
    """Fetched first, then carried to whoever asked."""
    return (earlier.predicate == "is_held" and later.object is not None
            and later.object.key == earlier.subject.key + _ASKED)


def _frame(clause: Clause, part: Group) -> str:
    if clause.frame in ("bring", "put") and not part.nouns and clause.verb.split()[0] in ("move", "return"):
        return "go" if any(p.relation == "to" for p in part.preps) else clause.frame
    return clause.frame


def _needs_object(reading: Reading, clause: Clause) -> Iterable[Placed]:
    if not reading.objects:
        raise Refusal(f"what to {clause.verb} is not said in {clause.text!r}", [clause.verb])
    return reading.objects


def _narrowed(p: Proposition, ids: tuple[str, ...]) -> Proposition:
    subject = Term(p.subject.key, ids, p.subject.description)
    return Proposition(p.predicate, subject, p.object, p.number, p.every, p.same_target)


def _contains(later: Proposition, earlier: Proposition) -> bool:
    """Taking or finding something is part of moving it; saying it twice adds nothing."""
    if earlier.predicate == "is_held":
        return later.subject.key == earlier.subject.key
    if earlier.subject == ROBOT and earlier.object is not None:
        found, fetched = earlier.object.key, earlier.object.key.removesuffix(_ASKED)
        return later.subject.key == (found if earlier.predicate == "is_next_to" else fetched)
    return later == earlier
