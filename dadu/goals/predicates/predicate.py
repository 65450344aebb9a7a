"""One row of the table of predicates: all that is known of a predicate, wherever it is needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from dadu.goals.predicates.view import Answer, WorldView
from dadu.house.catalogue import Affordance
from dadu.house.states import affordances_of
from dadu.skills.table import setting
from dadu.world.graph import Kind, Relation

Test = Callable[[WorldView, str, str], Answer]
"""view, subject, target (empty where there is none)"""
Instead = Callable[[WorldView, str, Sequence[str]], str]
"""view, subject, targets: how it stands with a thing of which the predicate should be true and is not, as a clause"""


class Family(Enum):
    """What a predicate speaks of."""

    WHEREABOUTS = "whereabouts"
    """where a thing is: being elsewhere makes it false"""
    COMPANY = "company"
    """what a thing is with"""
    STATE = "state"
    """how a thing is"""
    PART = "part"
    """how doors and drawers of a thing stand"""


@dataclass(frozen=True)
class Predicate:
    """What it means, how it is tested, and what makes it true."""

    name: str
    family: Family
    kinds: tuple[frozenset[Kind], ...]
    """what each argument may be: one for the subject, a second for the target if there is one"""
    test: Test
    instead: Instead
    means: str
    """when it holds, for the documentation"""
    opposite: str = ""
    """the predicate that makes this one false"""
    skill: str = ""
    """the last of those that make it true, as in the table of skills; empty where that table says which one sets the
    state, and where none does"""
    relation: Relation | None = None
    """with which `skill` puts the subject to the target"""
    maker: Affordance | None = None
    """of the furniture that gives things this state"""
    treated_by: Affordance | None = None
    """of the furniture that gives things this state while it is on: the way of who has no skill for it"""
    tolerance: float | None = None
    """[m]: the limit within which it holds"""
    lists: bool = False
    """a suite may give it any number of lists instead of its one argument"""
    presumed: bool = False
    """believed of an object of which it is not known"""

    @property
    def arity(self) -> int:
        return len(self.kinds)

    def skills(self, kind: Kind | None = None) -> tuple[str, ...]:
        """Names of skills that make it true of a thing of this kind (None: of any). Where none takes such things, those
        that do it to others: when tried, they say why not to this one."""
        return (self.skill,) if self.skill else self._setting(kind) or self._setting(None)

    def _setting(self, kind: Kind | None) -> tuple[str, ...]:
        return setting(self.name, True, kind) + setting(self.opposite, False, kind)

    def made_by(self, category: str) -> bool:
        """True if furniture of this category gives things the state."""
        maker = self.maker or self.treated_by
        return maker is not None and maker.value in affordances_of(category)

    def takes(self, at: int) -> str:
        """What argument number `at` may be, from 0: ``object or furniture``."""
        return " or ".join(kind.value for kind in Kind if kind in self._allowed(at))

    def fits(self, id: str, kind: Kind, at: int) -> bool:
        """True if a thing may be argument number `at`. A door may only of a predicate about doors."""
        return kind in self._allowed(at) and (self.family is Family.PART or "/" not in id)

    def _allowed(self, at: int) -> frozenset[Kind]:
        return self.kinds[0 if self.lists else at]

    def answer(self, view: WorldView, subject: str, target: str = "") -> Answer:
        """True if it holds in a world; of a predicate that takes lists, between two of its things. Of a thing that does
        not fit it never does."""
        ids = (subject, target)[:2 if self.lists else self.arity]
        kinds = [view.kind(id) for id in ids]
        if None in kinds:
            return view.unheard
        if not all(kind is not None and self.fits(id, kind, at) for at, (id, kind) in enumerate(zip(ids, kinds))):
            return False
        return self.test(view, subject, target)
