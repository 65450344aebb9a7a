"""Which unmet proposition comes next: the one that begins the way through all of them that costs least.

One number, in metres driven or what could be driven meanwhile. What has to wait for another is no matter of cost, and
is left out until that is done. What has to be searched waits for what can be begun, since it may be met with on the
way, and comes in the order of the words. The way is made anew after every outcome.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from dadu.goals.goal import Proposition, Term
from dadu.goals.predicates.predicate import Family
from dadu.goals.predicates.table import BRINGING, PREDICATES
from dadu.goals.progress import Progress
from dadu.planner.regression.knowledge import Knowledge
from dadu.skills.effects import position_of
from dadu.world.graph import ROBOT, Kind, Relation

_HANDLING = 13.0
"""putting down what is held and taking it again costs as much as driving so far, at half a metre a second [m]"""
_EXACT = 4
"""as many errands are tried in every order: 64 legs, a fraction of a millisecond"""

Point = tuple[float, float]


@dataclass(frozen=True)
class Errand:
    """What one proposition takes: to be at one of `first` and of `starts` with an empty hand, then at one of `ends`."""

    index: int
    ids: tuple[str, ...]
    """what is carried, any of them"""
    first: tuple[Point, ...]
    """what is shut and has to be opened before anything can go into it [m], map; empty: nothing"""
    starts: tuple[Point, ...]
    """where these are"""
    ends: tuple[Point, ...]
    """empty: where it starts"""
    needs_hand: bool
    keeps: bool
    """it is in the hand at the end"""


class Agenda:
    """Of the unmet propositions of one planning problem."""

    def __init__(self, progress: Progress, know: Knowledge, left: frozenset[int] = frozenset()) -> None:
        """`left`: indices of what others see to."""
        self._left = left
        self._progress, self._know, self._graph = progress, know, know.graph

    def next(self) -> int | None:
        """The index of the unmet proposition to work on; None where none is left."""
        progress = self._progress
        settled = progress.reached | progress.given_up.keys() | progress.left_out()
        unmet = [i for i in progress.unmet(self._graph) if progress.goal.before(i) <= settled and i not in self._left]
        free = [i for i in unmet if not any(self._waits(i, j) for j in unmet if j != i)] or unmet
        errands = [errand for i in free if (errand := self._errand(i)).starts]
        if not errands:
            return min(free, default=None)
        return min(errands, key=lambda e: (self._way(e, errands), e.index)).index

    def _waits(self, index: int, other: int) -> bool:
        """True if a proposition comes after another unmet one whatever either costs: it would be undone, is a part of
        that, or nobody knows yet where it is to be."""
        p, q = self._progress.proposition(index), self._progress.proposition(other)
        transient = self._progress.goal.transient()
        stays, passes = p.subject.key == ROBOT and index not in transient, q.subject.key == ROBOT
        if stays or passes:
            return stays and (not passes or other in transient)
        if any(other in group and index in group[group.index(other):] for group in self._progress.goal.different):
            return True  # it takes of what the earlier one leaves
        if p.predicate == "is_closed":
            return q.predicate != "is_closed" and self._may_be_used(p.subject.ids, q)
        if p.predicate == "is_in_room" and q.predicate in BRINGING and q.predicate != "is_in_room":
            return bool(p.subject.ids) and p.subject.ids == q.subject.ids and not q.every
        if PREDICATES[p.predicate].family is Family.COMPANY and p.object is not None:
            moves = q.predicate in BRINGING and PREDICATES[q.predicate].family is Family.WHEREABOUTS
            same = q.subject.key == p.object.key or len(p.object.ids) == 1 and p.object.ids == q.subject.ids
            return moves and same
        places = [term.ids for term in (p.object, q.object) if term is not None]
        together = len(places) == 2 and len(places[0]) == 1 and places[0] == places[1]
        return together and self._area(p) < self._area(q)

    def _area(self, p: Proposition) -> float:
        """What the smallest of what will do takes of a surface [m^2]: of what goes to one place the biggest goes first,
        as long as there is room for it."""
        sizes = [self._graph[id].size for id in self._known(p.subject)]
        return min((length * width for length, width, _ in sizes), default=0.0)

    def _may_be_used(self, containers: Iterable[str], q: Proposition) -> bool:
        """True if `q` may need one of these open: something is to go into it, is in it, or was not found yet."""
        if any(id in q.place.ids for id in containers if q.object is not None) or not self._known(q.subject):
            return True
        return any(self._know.rests_on(id, container) for id in q.subject.ids if id in self._graph
                   for container in containers)

    def _known(self, term: Term) -> list[str]:
        """Those of what will do whose place is known."""
        return [id for id in term.ids if id in self._graph
                and (self._graph[id].kind is not Kind.OBJECT or self._know.place_known(id))]

    def _errand(self, index: int) -> Errand:
        p = self._progress.proposition(index)
        if p.subject.key == ROBOT:
            return Errand(index, (), (), self._points(self._known(p.place)), (), False, False)
        known = self._known(p.subject)
        wanted = PREDICATES[p.predicate]
        needs_hand = bool(wanted.relation or wanted.maker) or p.predicate in (
            "is_held", "is_held_by", "is_open", "is_closed")
        maker = [e.id for e in self._graph.of(Kind.FURNITURE) if wanted.made_by(e.category)] if wanted.maker else []
        places = self._known(p.object) if p.object is not None else maker
        inside = wanted.relation is Relation.IN
        shut = [] if not inside or any(map(self._know.can_reach_inside, places)) else places
        starts = known if places or p.object is None or any(map(self._know.in_hand, known)) else []
        return Errand(index, tuple(known), self._points(shut), self._points(starts), self._points(places), needs_hand,
                      p.predicate == "is_held")

    def _points(self, ids: Iterable[str]) -> tuple[Point, ...]:
        return tuple(position_of(self._graph, self._approached(id))[:2] for id in ids)

    def _approached(self, id: str) -> str:
        """What the robot goes to for a thing: what it is shut in, as long as it is."""
        edge = self._graph.support(id)
        shut = edge is not None and edge.relation is Relation.IN and self._know.shut(edge.object, edge.part)
        return edge.object if edge is not None and shut else id

    def _way(self, first: Errand, errands: Sequence[Errand]) -> float:
        """What all errands cost where `first` is the first of them [m]."""
        held = self._graph.held(ROBOT)
        now = _Now(self._here(), held.id if held is not None else "", {})
        cost, now = _after(first, now)
        return cost + _rest([e for e in errands if e is not first], now)

    def _here(self) -> Point:
        """What the robot stands at, which is nearer than its own place tells."""
        at = self._know.situation.at[0] if self._know.situation.at is not None else ROBOT
        id = at if at in self._graph else ROBOT
        return position_of(self._graph, id)[:2] if id in self._graph else (0.0, 0.0)


@dataclass(frozen=True)
class _Now:
    """How it stands in the middle of a way."""

    here: Point
    hand: str
    moved: Mapping[tuple[str, ...], Point]
    """what errands have carried, and where it is since"""


def _rest(left: Sequence[Errand], now: _Now) -> float:
    """What the errands that are left cost in their best order; of many, the cheapest first until few are left [m]."""
    if not left:
        return 0.0
    tries = [(*_after(errand, now), errand) for errand in left]
    if len(left) > _EXACT:
        tries = [min(tries, key=lambda t: (t[0], t[2].index))]
    return min(cost + _rest([e for e in left if e is not errand], then) for cost, then, errand in tries)


def _after(errand: Errand, now: _Now) -> tuple[float, _Now]:
    """What an errand costs [m], and how it stands after it."""
    start, cost = now.here, 0.0
    in_hand = bool(now.hand) and now.hand in errand.ids and not errand.first
    if not in_hand:
        cost += _HANDLING if now.hand and errand.needs_hand else 0.0
        opened = _nearest(errand.first, now.here)
        start = now.moved[errand.ids] if errand.ids in now.moved else _nearest(errand.starts, opened)
        cost += math.dist(now.here, opened) + math.dist(opened, start)
    end = _nearest(errand.ends, start)
    hand = now.hand if in_hand or not errand.needs_hand else ""
    if errand.keeps:
        hand = hand or next(iter(errand.ids), "")
    elif errand.ends:
        hand = ""
    moved = {**now.moved, errand.ids: end} if errand.ends and errand.ids else now.moved
    return cost + math.dist(start, end), _Now(end, hand, moved)


def _nearest(points: Sequence[Point], here: Point) -> Point:
    return min(points, key=lambda point: math.dist(point, here), default=here)
