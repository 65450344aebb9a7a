"""What came of a frame: propositions in the making, with what hangs together, and what was spoken of by then."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from dadu.goals.belief import holds
from dadu.goals.goal import Description, Proposition, Question, Term
from dadu.language.discourse import Discourse, Referent
from dadu.language.grounding.scene import Setting
from dadu.language.refusal import Refusal
from dadu.skills.outcome import Code
from dadu.world.graph import ROBOT as ROBOT_ID
from dadu.world.graph import Kind

ROBOT = Term(ROBOT_ID, (ROBOT_ID,))
ASKED = "@asked"
"""marks the place to which something is fetched: where the instruction was given"""


@dataclass(frozen=True)
class Want:
    """One proposition and the question on which it depends."""

    proposition: Proposition
    question: Question | None = None
    otherwise: bool = False
    passing: bool = False
    """only for the time being: into the microwave, to be heated"""
    one_place: bool = False
    """the place is one, if there are several to choose from"""
    tentative: bool = False
    """unless what follows says where to: take the cushions off the sofa"""


@dataclass(frozen=True)
class PartialGoal:
    """What is asked for so far. Numbers in `order`, `different` and `together` are indices of `wants`."""

    said: Discourse
    wants: tuple[Want, ...] = ()
    order: frozenset[tuple[int, int]] = frozenset()
    different: tuple[tuple[int, ...], ...] = ()
    """by different subjects"""
    together: tuple[tuple[int, ...], ...] = ()
    """at one and the same object"""
    notes: tuple[str, ...] = ()
    substitutions: tuple[str, ...] = ()
    questions: tuple[tuple[Question, int], ...] = ()
    """not answered yet, with the number of wants that come before"""

    def want(self, predicate: str, thing: Referent, place: Term | None = None, *, passing: bool = False,
             same_target: bool = False) -> PartialGoal:
        """The thing as subject, in its number."""
        return self.put(proposition_about(predicate, thing, place, same_target), passing=passing)

    def put(self, proposition: Proposition, *, passing: bool = False) -> PartialGoal:
        where = proposition.object.ids if proposition.object is not None else ()
        said = self.said.put(proposition.subject.key, where) if where else self.said
        return replace(self, said=said, wants=(*self.wants, Want(proposition, passing=passing)))

    def note(self, *texts: str) -> PartialGoal:
        return replace(self, notes=(*self.notes, *texts))

    def ask(self, question: Question) -> PartialGoal:
        """Once all that is wanted so far is done."""
        return replace(self, questions=(*self.questions, (question, len(self.wants))))

    def told(self, things: Iterable[Referent]) -> PartialGoal:
        """What grounding had to say of these things."""
        things = tuple(things)
        return replace(self, notes=(*self.notes, *(n for t in things for n in t.notes)),
                       substitutions=(*self.substitutions, *(t.substitution for t in things if t.substitution)))

    def now(self, said: Discourse) -> PartialGoal:
        return replace(self, said=said)

    def one_place(self, start: int) -> PartialGoal:
        """What was asked for from index `start` on is to be at one and the same object."""
        group = tuple(i for i in range(start, len(self.wants)) if (o := self.wants[i].proposition.object) is not None
                      and len(o.ids) > 1)
        return replace(self, together=(*self.together, group)) if len(group) > 1 else self

    def apart(self, start: int) -> PartialGoal:
        """What was asked for from index `start` on is asked of different things."""
        group = tuple(range(start, len(self.wants)))
        return replace(self, different=(*self.different, group)) if len(group) > 1 else self

    def then(self, later: PartialGoal, *, after: bool = False) -> PartialGoal:
        """Both; the later one only `after` the earlier one is done."""
        n = len(self.wants)

        def moved(groups: Iterable[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
            return tuple(tuple(n + i for i in group) for group in groups)
        order = self.order | {(n + a, n + b) for a, b in later.order}
        if after:
            order |= {(a, n + b) for a in range(n) for b in range(len(later.wants))}
        return PartialGoal(later.said, self.wants + later.wants, order, self.different + moved(later.different),
                    self.together + moved(later.together), self.notes + later.notes,
                    self.substitutions + later.substitutions,
                    self.questions + tuple((q, n + at) for q, at in later.questions))

    def only_if(self, question: Question, otherwise: bool) -> PartialGoal:
        """The same where the answer is yes, or no."""
        return replace(self, wants=tuple(
            w if w.question is not None else replace(w, question=question, otherwise=otherwise) for w in self.wants))


def proposition_about(predicate: str, thing: Referent, place: Term | None = None, same_target: bool = False
                      ) -> Proposition:
    """A proposition with `thing` as subject, in its number. Errors: Refusal of none."""
    if thing.number < 1:
        raise Refusal(f"there is nothing to do with {thing.term.name!r}", [thing.term.name], Code.UNKNOWN_ACTION)
    some = thing.number > 1 and thing.phrase.quantity.number is None
    return Proposition(predicate, thing.term, place, thing.number, thing.every,
                       same_target and not thing.single, some)


def not_so_yet(proposition: Proposition, scene: Setting) -> Proposition:
    """"An apple to the table" means one that is not there yet, where there is such a one."""
    p = proposition
    if p.every or len(p.subject.ids) <= p.number or scene.graph[p.subject.ids[0]].kind is not Kind.OBJECT:
        return p
    rest = tuple(id for id in p.subject.ids if not holds(narrowed(replace(p, number=1), (id,)), scene.graph))
    return narrowed(p, rest) if len(rest) >= p.number else p


def less(term: Term, other: Term) -> Term:
    """Without what the other one stands for, now and once more of them are found."""
    told = term.description
    if told is not None:
        told = replace(told, without=(*told.without, Description(other.name, Kind.OBJECT, (), ids=other.ids)))
    return replace(term, ids=tuple(id for id in term.ids if id not in other.ids), description=told)


def narrowed(p: Proposition, ids: tuple[str, ...]) -> Proposition:
    """The same about fewer subjects."""
    return replace(p, subject=replace(p.subject, ids=ids))


def ready(things: Iterable[Referent], part: PartialGoal, scene: Setting, but: str = "") -> PartialGoal:
    """What is to be in or on the things goes there first; and they are brought into the state that their adjectives ask
    for: a washed cup, where what is so already will do. `but`: the predicate that a hot apple need not be, for it to be
    heated."""
    for thing in things:
        part = ready(thing.carried, part, scene)
        for inside in thing.carried:
            predicate = "is_on_top" if scene.is_a(
                scene.categories(thing.term.ids, thing.term.description), "plate", "tray") else "is_inside"
            part = part.want(predicate, inside, thing.term)
        asked = {(w.proposition.predicate, w.proposition.subject.key) for w in part.wants}
        for state in thing.requires:
            if state != but and (state, thing.term.key) not in asked:
                part = part.want(state, thing)
    return part
