"""How a thing is: clean, full, on, sliced, hot. As in PARTNR, what the true world does not say of a thing is not so: it
is not clean (dirty), not filled (empty), not powered (off)."""

from __future__ import annotations

from collections.abc import Sequence

from dadu.goals.predicates.predicate import Family, Instead, Predicate, Test
from dadu.goals.predicates.view import Answer, WorldView, all_of, any_of, negated
from dadu.goals.predicates.whereabouts import containers
from dadu.house.catalogue import Affordance
from dadu.house.states import affordances_of
from dadu.world.graph import Kind

_OBJECT = frozenset((Kind.OBJECT,))
_THING = frozenset((Kind.OBJECT, Kind.FURNITURE))


def _is(name: str, opposite: str = "") -> Test:
    """The world says so, of the state or of its opposite."""
    return lambda view, subject, _: view.state(subject, name, opposite)


def _is_not(name: str, opposite: str) -> Test:
    """The opposite of a state."""
    return lambda view, subject, _: negated(view.state(subject, name, opposite))


def is_cold(view: WorldView, subject: str, _: str = "") -> Answer:
    """The world says so, or it is shut in furniture that cools."""
    return any_of((_shut_in_cold(view, subject), _told(view, subject, "is_cold", "is_hot")))


def is_hot(view: WorldView, subject: str, _: str = "") -> Answer:
    """The world says so, and nothing cools it."""
    return all_of((_told(view, subject, "is_hot", "is_cold"), negated(is_cold(view, subject))))


def _told(view: WorldView, subject: str, name: str, excludes: str) -> Answer:
    """What is said to be hot is not cold; what is said not to be hot may be neither."""
    own = view.state(subject, name)
    return False if own is None and view.state(subject, excludes) else own


def _shut_in_cold(view: WorldView, subject: str) -> Answer:
    pieces = containers(view, subject)
    if pieces is None:
        return None
    cold = (p for p in pieces if Affordance.COOL.value in affordances_of(view.category(p)))
    return any_of(_shut(view, p) for p in cold)


def _shut(view: WorldView, piece: str) -> Answer:
    parts = view.parts(piece)
    return None if parts is None else not any(part.open for part in parts)


def _but_is(word: str) -> Instead:
    def instead(view: WorldView, subject: str, _: Sequence[str]) -> str:
        return f"{subject} is {word}"
    return instead


def _state(name: str, word: str, opposite: str, opposite_word: str, presumed: bool = False,
           treated_by: Affordance | None = None) -> tuple[Predicate, Predicate]:
    """A state and its opposite, of which one is true of every thing; the opposite may be `presumed` of objects of which
    nobody has said either; `treated_by` as in `Predicate`."""
    return (
        Predicate(name, Family.STATE, (_THING,), _is(name, opposite), _but_is(opposite_word), opposite=opposite,
                  treated_by=treated_by, means=f"it is said to be {word}"),
        Predicate(opposite, Family.STATE, (_THING,), _is_not(name, opposite), _but_is(word), opposite=name,
                  presumed=presumed, means=f"it is not said to be {word}"),
    )


ROWS = (
    *_state("is_clean", "clean", "is_dirty", "dirty", presumed=True, treated_by=Affordance.WASH),
    *_state("is_filled", "full", "is_empty", "empty"),
    *_state("is_powered_on", "on", "is_powered_off", "off"),
    Predicate("is_sliced", Family.STATE, (_OBJECT,), _is("is_sliced"), _but_is("whole"),
              means="it is said to be sliced"),
    Predicate("is_hot", Family.STATE, (_OBJECT,), is_hot, _but_is("not hot"), opposite="is_cold", skill="power_on",
              maker=Affordance.HEAT, means="it is said to be hot, and it is not cold"),
    Predicate("is_cold", Family.STATE, (_OBJECT,), is_cold, _but_is("not cold"), opposite="is_hot", skill="close",
              maker=Affordance.COOL, means="it is said to be cold, or it is shut in furniture that cools"),
)
