"""What an instruction asks for: propositions over the world graph, and the order in which they must come true.

The propositions, their any-of arguments and the temporal constraints are PARTNR's; beyond them a term may describe a
thing that the graph does not hold yet, which is what makes searching possible.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from dadu.core.errors import DaduError, choices
from dadu.goals.predicates.predicate import Family
from dadu.goals.predicates.table import PREDICATES
from dadu.world.graph import ROBOT, Kind, Relation


class GoalError(DaduError):
    """A proposition that does not fit the table of predicates."""


@dataclass(frozen=True)
class Where:
    """A place that narrows a description: on, in, next to or in the room of one of `ids`."""

    relation: Relation
    ids: tuple[str, ...]


@dataclass(frozen=True)
class Description:
    """What the words say of a thing, for looking it up again when the graph has grown."""

    words: str
    """as written in the instruction"""
    kind: Kind
    categories: tuple[str, ...]
    """catalogue categories that it may be, most specific meaning only"""
    attributes: tuple[str, ...] = ()
    """values such as red or wooden that it must have"""
    where: tuple[Where, ...] = ()
    ids: tuple[str, ...] = ()
    """entities that are called so by their own name, whatever their category"""
    superlative: str = ""
    """big, small, tall, short, near, far, dark or lighter: only the one of which that is most true"""
    without: tuple[Description, ...] = ()
    """what it does not mean: all apples except the red one"""
    states: tuple[str, ...] = ()
    """predicates that memory must not contradict, such as is_dirty"""
    sure: bool = False
    """only what is known to be in these states, for some of it was when the instruction was read"""
    alternatives: tuple[Description, ...] = ()
    """any of these instead: an apple or a pear"""
    general: tuple[str, ...] = ()
    """categories that are called so by a more general word, for when none of the others is anywhere"""
    loosely: bool = False
    """other categories bear the name itself: these are called so by a more general word, or merely taken for it"""

    @property
    def meant(self) -> frozenset[str]:
        """All categories that the words may mean."""
        return frozenset(c for d in self.alternatives or (self,) for c in (*d.categories, *d.general))

    def anywhere(self) -> Description:
        """The same wherever it is."""
        return replace(self, where=(), alternatives=tuple(a.anywhere() for a in self.alternatives))


@dataclass(frozen=True)
class Term:
    """Any of `ids`; where none is known yet, whatever will fit `description`."""

    key: str
    """the same thing in several propositions has the same key; choosing one narrows all of them"""
    ids: tuple[str, ...] = ()
    description: Description | None = None
    usual: bool = False
    """of `ids`, only where the thing that is brought there usually is"""

    @property
    def name(self) -> str:
        """For sentences: the words of the instruction, else the ids."""
        if self.usual:
            return "where each belongs"
        return self.description.words if self.description else " or ".join(self.ids)


@dataclass(frozen=True)
class Proposition:
    """``predicate(subject, object)``: true when `number` different subjects stand so to one of the objects."""

    predicate: str
    subject: Term
    object: Term | None = None
    number: int = 1
    every: bool = False
    """all subjects instead of `number`, also those that are seen only later"""
    same_target: bool = False
    """all of them at the same object"""
    some: bool = False
    """fewer, where there are not so many: some snacks"""
    instead: Proposition | None = None
    """what is asked for in its place as soon as memory holds the object of that: whoever asked is met"""

    def __post_init__(self) -> None:
        predicate = PREDICATES.get(self.predicate)
        if predicate is None:
            raise GoalError(f"unknown predicate {self.predicate!r}; valid: {choices(PREDICATES, 40)}")
        if (self.object is None) != (predicate.arity == 1):
            raise GoalError(f"{self.predicate} takes {predicate.arity} argument(s)")

    @property
    def place(self) -> Term:
        """The object: where the subject is to be. Errors: GoalError for a predicate of the subject alone."""
        if self.object is None:
            raise GoalError(f"{self.predicate} says nothing of a place")
        return self.object

    @property
    def needed(self) -> int:
        """How many subjects must satisfy it, as far as they are known."""
        return max(1, len(self.subject.ids)) if self.every else self.number

    def __str__(self) -> str:
        arguments = ", ".join(term.name for term in (self.subject, self.object) if term is not None)
        return f"{self.predicate}({arguments})"

    def in_words(self) -> str:
        """``2 x apple on table``."""
        relation = PREDICATES[self.predicate].relation
        held = relation.value if relation is not None else self.predicate.removeprefix("is_").removesuffix("_room")
        many = "all" if self.every else f"{self.number} x" if self.number > 1 else ""
        words = (many, self.subject.name, held.replace("_", " "), self.object.name if self.object is not None else "")
        return " ".join(word for word in words if word)


@dataclass(frozen=True)
class Question:
    """Something to be found out by looking: whether a thing is there, or whether a proposition holds."""

    text: str
    description: Description | None = None
    """is there such a thing?"""
    number: int = 1
    """are there so many?"""
    proposition: Proposition | None = None
    """does it hold?"""
    negated: bool = False
    tells: Literal["", "number", "things", "place"] = ""
    """what is told of such things in the end, in place of yes or no"""


@dataclass(frozen=True)
class Branch:
    """``if question then ... otherwise ...``; without either, something that was only asked."""

    question: Question
    then: tuple[int, ...] = ()
    """indices of the propositions that are asked for where the answer is yes"""
    otherwise: tuple[int, ...] = ()
    at: int = 0
    """it is answered before the proposition of this index is worked on"""


@dataclass(frozen=True)
class Goal:
    """Propositions, and pairs (earlier, later) of their indices."""

    propositions: tuple[Proposition, ...]
    order: tuple[tuple[int, int], ...] = ()
    substitutions: tuple[str, ...] = ()
    """``WORDS -> ID``: nouns that were mapped to something else that the graph holds"""
    notes: tuple[str, ...] = field(default=())
    """what was read into the words, for the user"""
    branches: tuple[Branch, ...] = ()
    different: tuple[tuple[int, ...], ...] = ()
    """indices of propositions that must be satisfied by different subjects: a fork next to each plate"""
    same_place: tuple[tuple[int, ...], ...] = ()
    """indices of propositions that must be satisfied at one and the same object: the cup and the plate on a table"""

    def in_words(self) -> str:
        """What is to be so, and what is to be found out, for the user: ``the mug on the table, the fridge closed``."""
        return ", ".join((*(branch.question.text for branch in self.branches),
                          *(proposition.in_words() for proposition in self.propositions)))

    def before(self, index: int) -> set[int]:
        """Indices that must have come true before `index`, directly or not."""
        direct = {a for a, b in self.order if b == index}
        return direct.union(*(self.before(a) for a in direct))

    def transient(self) -> set[int]:
        """Indices whose effect a later proposition undoes on purpose: opened then closed, here then there."""
        pairs = ((a, b) for b in range(len(self.propositions)) for a in self.before(b))
        undone = {a for a, b in pairs if undoes(self.propositions[b], self.propositions[a])
                  or _parts(self.propositions[b], self.propositions[a])}
        # A robot does not stay where it was sent when there is more to do.
        visits = {i for i, p in enumerate(self.propositions[:-1]) if p.subject.key == ROBOT}
        return undone | visits

    def map_terms(self, change: Callable[[Term], Term]) -> Goal:
        """The same goal with every term passed through `change`."""
        def changed(p: Proposition) -> Proposition:
            return replace(p, subject=change(p.subject), object=p.object and change(p.object),
                           instead=p.instead and changed(p.instead))
        return replace(self, propositions=tuple(map(changed, self.propositions)))

    def without(self, indices: Collection[int]) -> Goal:
        """The same goal less the propositions of these indices."""
        kept = [i for i in range(len(self.propositions)) if i not in indices]
        number = {old: new for new, old in enumerate(kept)}

        def renumbered(groups: Iterable[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
            """Those of which more than one proposition is left."""
            left = (tuple(number[i] for i in group if i in number) for group in groups)
            return tuple(group for group in left if len(group) > 1)
        order = {(a, b) for b in kept for a in self.before(b) if a in number} if indices else set(self.order)
        return replace(self, propositions=tuple(self.propositions[i] for i in kept),
                       order=tuple(sorted((number[a], number[b]) for a, b in order)),
                       different=renumbered(self.different), same_place=renumbered(self.same_place))

    def to_suite(self, undecided: Collection[int] = ()) -> dict[str, Any]:
        """As a suite file has it, less the propositions `undecided`. A thing not known yet appears by its category."""
        return self.without(undecided)._as_suite()

    def _as_suite(self) -> dict[str, Any]:
        constraints: list[dict[str, Any]] = []
        if self.order:
            constraints.append({"temporal": [list(pair) for pair in self.order]})
        transient = self.transient()
        if transient:
            constraints.append({"terminal": [i for i in range(len(self.propositions)) if i not in transient]})
        constraints += [{"different_arg": {"propositions": list(group), "arg": 0}} for group in self.different]
        constraints += [{"same_arg": {"propositions": list(group), "arg": 0}} for group in self._shared()]
        constraints += [{"same_arg": {"propositions": list(group), "arg": 1}} for group in self.same_place]
        after = {b: sorted(a for a, c in self.order if c == b) for b in sorted({b for _, b in self.order})}
        return {
            "propositions": [_proposition(p) for p in self.propositions],
            "dependencies": [{"propositions": [b], "depends_on": heads, "relation": "after_satisfied"}
                             for b, heads in after.items()],
            "constraints": constraints,
        }

    def _shared(self) -> list[tuple[int, ...]]:
        """Indices of propositions about one and the same thing, where there is a choice of it."""
        groups: dict[str, list[int]] = {}
        for i, p in enumerate(self.propositions):
            if len(p.subject.ids) != 1 and p.needed == 1 and p.subject.key != ROBOT:
                groups.setdefault(p.subject.key, []).append(i)
        return [tuple(group) for group in groups.values() if len(group) > 1]


def undoes(later: Proposition, earlier: Proposition) -> bool:
    """True if making `later` true makes `earlier` false: opened and closed, here and there."""
    if not set(later.subject.ids or [later.subject.key]) & set(earlier.subject.ids or [earlier.subject.key]):
        return False
    now, before = PREDICATES[later.predicate], PREDICATES[earlier.predicate]
    opposite = now.opposite == before.name
    places = before.family is Family.WHEREABOUTS and (now.family is Family.WHEREABOUTS or now.arity > 1)
    a, b = later.subject, earlier.subject
    moved = places and (a.key == b.key or a.ids == b.ids and len(a.ids) == 1) and b.key != ROBOT
    return opposite or moved


def _parts(later: Proposition, earlier: Proposition) -> bool:
    """True if what stood together first is then taken somewhere: next to each other here, later over there."""
    if PREDICATES[earlier.predicate].family is not Family.COMPANY or (
            PREDICATES[later.predicate].family is not Family.WHEREABOUTS):
        return False
    moved, several = later.subject, earlier.every or earlier.number > 1
    return any(moved.key == t.key or moved.ids == t.ids and len(t.ids) == 1 or several and moved.ids
               and set(moved.ids) <= set(t.ids) for t in (earlier.subject, earlier.object) if t is not None)


def _proposition(p: Proposition) -> dict[str, Any]:
    arguments = [list(term.ids or (term.description.categories if term.description else ()))
                 for term in (p.subject, p.object) if term is not None]
    out: dict[str, Any] = {p.predicate: arguments}
    if p.needed > 1:
        out["number"] = p.needed
    if p.same_target:
        out["same_target"] = True
    return out
