"""What nobody would ask for, though it can be carried out: from data about where people keep things and what they do to
them (`dadu/homes/things.yaml`, `dadu/knowledge/treatments.yaml`), never from cases."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache

from dadu.goals.predicates.predicate import Family
from dadu.goals.suite_goal import SuiteGoal, SuiteProposition
from dadu.homes.preferences import habits, room_wishes
from dadu.house.catalogue import object_categories
from dadu.house.format import Furniture
from dadu.house.furniture.model import Deck
from dadu.house.furniture.pieces import furniture_model
from dadu.house.states import affordances_of
from dadu.knowledge.commonsense import treatments
from dadu.knowledge.set_down_places import LEVEL
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.learning.plans.home import PlanHome
from dadu.world.graph import Kind, Relation

_RARELY, _OFTEN = 0.08, 0.35
"""shares of where people keep a thing: of less they do not speak; from there on it belongs on top of an appliance"""
_LIKELY = 0.1
"""share of where people keep a thing, each place weighed by how much alike that furniture holds to the one at hand: a
dining table to a counter 0.37, a coffee table to a side table 0.31, a desk to a dining table 0"""
_INSIDES = {"heat": "is_hot", "cool": "is_cold", "water": "is_clean"}
"""what furniture does to what is in it, and what for"""
_KEPT_ALIKE = 0.5
"""overlap of where things of different sorts are kept from which on people put them beside each other"""
_SAME_TREATMENT = {"is_powered_off": "is_powered_on", "is_dirty": "is_clean", "is_empty": "is_filled"}


def objection(goal: SuiteGoal, home: PlanHome) -> str:
    """Why nobody would want that in this home; empty where somebody might."""
    return next(filter(None, (_objection(p, home) for p in goal.propositions)), "")


def _objection(p: SuiteProposition, home: PlanHome) -> str:
    things = [name for name in p.arguments[0] if name in home.truth and home.truth[name].kind is Kind.OBJECT]
    kinds = {home.truth[name].category for name in things}
    if p.definition.relation is not None or p.predicate == "is_in_room":
        places = [pieces for target in p.arguments[1] if (pieces := _pieces(target, home))]
        if not all(any(_suits(kind, p, room, piece) for room, piece in pieces) for kind in kinds for pieces in places):
            return "nobody puts such a thing there"
    elif p.predicate == "is_next_to":
        beside = [name for name in p.arguments[1] if name in home.truth]
        if not all(_goes_with(kind, name, home) for kind in kinds for name in beside):
            return "nobody puts such things beside each other"
    elif p.definition.family is not Family.PART and not all(
            is_treated(home.truth[n].category, p.predicate) for n in p.arguments[0] if n in home.truth):
        return "nobody treats such a thing so"
    return ""


def _pieces(target: str, home: PlanHome) -> list[tuple[str, str]]:
    """The category of room and furniture: of a piece itself, or of all that stands in a room."""
    found = []
    for piece in home.layout.of(Kind.FURNITURE):
        room = home.layout.room_of(piece.id)
        if room is not None and target in (piece.id, room.id):
            found.append((room.category, piece.category))
    return found


def _suits(kind: str, p: SuiteProposition, room: str, piece: str) -> bool:
    inside = p.predicate == "is_inside"
    return suits(kind, room, piece, inside) or p.predicate == "is_in_room" and suits(kind, room, piece, True)


def _goes_with(kind: str, beside: str, home: PlanHome) -> bool:
    """True if things of the kind go where the other one is, and the two are kept together."""
    other, edge, room = home.truth[beside], home.truth.support(beside), home.truth.room_of(beside)
    if other.kind is not Kind.OBJECT or edge is None or room is None or edge.object not in home.layout:
        return False
    if not suits(kind, room.category, home.layout[edge.object].category, edge.relation is Relation.IN):
        return False
    return kept_together(kind, other.category)


@cache
def kept_together(one: str, other: str) -> bool:
    """True if they are of a sort that is kept together, or kept in the same places."""
    return bool(_sorts(one) & _sorts(other)) or overlap(one, other) >= _KEPT_ALIKE


def _sorts(kind: str) -> set[str]:
    """Its own category and the more general words that say where it is kept: fruit, but not bottle."""
    entry = object_categories().get(kind)
    return {kind, *(entry.hypernyms if entry is not None else ())} & habits().keys()


@cache
def overlap(one: str, other: str) -> float:
    """The share of where people keep the one that they keep the other, too."""
    a, b = kept(one), kept(other)
    return sum(min(a[at], b[at]) for at in a.keys() & b.keys())


@cache
def suits(kind: str, room: str, piece: str, inside: bool) -> bool:
    """True if people put such things on such furniture, or in it, in such a room: they keep them there; or, on a top
    that is no seat, mostly on other furniture of such rooms that holds much the same."""
    places = kept(kind)
    here, does = places.get((room, piece), places.get(("", piece), 0.0)), affordances_of(piece)
    if inside:
        treats = [predicate for affordance, predicate in _INSIDES.items() if affordance in does]
        belongs = here >= _OFTEN and "heat" not in does  # what belongs on a stove does not belong in its oven
        return here > 0 and (not treats or belongs or any(is_treated(kind, p) for p in treats))
    if does & {"power_on", "water"}:
        return here >= _OFTEN and _has_top(piece) and "water" not in does
    if any(deck.inside for deck in _decks(piece)) and not _has_top(piece):
        return False
    likely = sum(share * holds_alike(piece, other) for (where, other), share in kept(kind).items()
                 if (where or room) == room and other in furniture_of(room))
    return here > 0 or _has_top(piece) and not does & {"sit", "lie"} and likely >= _LIKELY


@cache
def kept(kind: str) -> Mapping[tuple[str, str], float]:
    """Where people keep things of that category: its share, by room, empty for any, and furniture."""
    entry = object_categories().get(kind)
    words = (kind, *(entry.hypernyms if entry is not None else ()))
    habit = next((habits()[word] for word in words if word in habits()), {})
    whole = sum(habit.values())
    return {(key.rpartition("/")[0], key.rpartition("/")[2]): weight / whole for key, weight in habit.items()
            if weight > _RARELY * whole}


@cache
def furniture_of(room: str) -> frozenset[str]:
    """Categories that may stand in such a room."""
    return frozenset(category for wish in room_wishes().get(room, ()) for category in wish.category)


@cache
def holds_alike(piece: str, other: str) -> float:
    """The cosine, 0 to 1, of what people keep on two kinds of furniture."""
    a, b = _held(piece), _held(other)
    product = sum(a[kind] * b[kind] for kind in a.keys() & b.keys())
    return product / math.hypot(*a.values()) / math.hypot(*b.values()) if product else 0.0


@cache
def _held(piece: str) -> Mapping[str, float]:
    """Categories of things by how often they are there."""
    found = {kind: sum(share for (_, at), share in kept(kind).items() if at == piece) for kind in object_categories()}
    return {kind: share for kind, share in found.items() if share > 0}


@cache
def _has_top(piece: str) -> bool:
    """True of one level top at a table's height."""
    tops = [deck for deck in _decks(piece) if not deck.inside]
    return len(tops) == 1 and LEVEL[0] <= tops[0].height <= LEVEL[1]


@cache
def _decks(piece: str) -> tuple[Deck, ...]:
    return furniture_model(Furniture(name=piece, category=piece, room="room", pose=(0, 0, 0))).decks


@cache
def is_treated(category: str, predicate: str) -> bool:
    """True if people bring things of that category into that state."""
    treatment = treatments().get(_SAME_TREATMENT.get(predicate, predicate))
    if treatment is None:
        return False
    is_a = default_vocabulary().is_a
    return any(is_a(category, w) for w in treatment.kinds) and not any(is_a(category, w) for w in treatment.without)
