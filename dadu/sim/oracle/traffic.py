"""How agents of the oracle keep clear of one another: they wait, go round, take another place, or make room.

Whoever acts is behind all others in time; so where each of these may be by then is known: on the newest leg of its way.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from dadu.core.geometry import Pose2
from dadu.sim.oracle.sight import AgentView, facing
from dadu.sim.oracle.state import Agent, Paced, Point
from dadu.sim.oracle.travel import APART, Leg, away
from dadu.skills.outcome import Code, Detail, SkillFailed

STRIDE = 0.5
"""how far apart on a way the pictures are that are taken in, and others are looked out for [m]"""
_NARROW = 0.05
"""the same where somebody lies dead, and ways round may lead close by: cell by cell [m]"""
_PAUSE = 0.5
"""between two looks whether the way is clear [s]"""
_DETOUR = 2.0
"""a way that is longer by this is taken rather than a wait [m]"""
_YIELDS = 3.0
"""who has waited so long, and has no precedence, gets out of the way [s]"""
_CORNER = 0.02
"""by which strides round a dead one may cut a corner [m]"""
_PATIENCE = 60.0
"""after which a way counts as blocked [s]"""
_AHEAD = 3.0
"""of another's way that is kept free for it by who only stands there [m]"""


def stride(view: AgentView) -> float:
    """How far it goes at once [m]."""
    return _NARROW if any(other.gone for other in _others(view)) else STRIDE


def next_stride(way: Sequence[Point], length: float = STRIDE) -> tuple[Point, Point, float] | None:
    """A point of a way a stride ahead, the one after it, and how far it is [m]; the way begins there from then on. None
    where there is none before its end."""
    driven = 0.0
    for i in range(1, len(way) - 1):
        driven += math.dist(way[i - 1], way[i])
        if driven >= length:
            point, onward = way[i], way[i + 1]
            if isinstance(way, list):
                del way[:i]
            return point, onward, driven
    return None


def taken(view: AgentView) -> dict[Leg, float]:
    """Where others stand, or are about to, and how far from there to keep [m]."""
    if not view.world.crowded:
        return {}
    places = (other.way[-1] if other.way else other.pose[:2] for other in _others(view))
    return {(place, place): APART for place in places}


def clear_way(view: AgentView, length: float, target: str) -> Paced[float]:
    """Until the next stride is clear, by `view.agent.way` as it is then; its length [m]. Errors: SkillFailed
    (path_blocked)."""
    agent, waited = view.agent, 0.0
    while (blocker := _blocker(view, agent.way)) is not None:
        ways, here, end = view.world.ways(agent), agent.pose[:2], agent.way[-1]
        if not blocker.way and math.dist(blocker.pose[:2], end) < APART:  # another place beside it will do
            end = ways.stop(end, view.world.room_at(end), here, taken(view)) or end
        round_ = ways.path_around(here, end, _clearances(view))
        longer = _length(round_) - length if round_ else math.inf
        if longer <= _DETOUR or (longer < math.inf and (waited >= _YIELDS or blocker.gone)):
            agent.way, length = round_, _length(round_)
            if _blocker(view, agent.way) is None:
                break
        if waited >= _PATIENCE or (blocker.gone and not round_):
            raise SkillFailed(Code.EXECUTION_FAILED, f"{blocker.name} stands in the way to {target}; try again later",
                              Detail.PATH_BLOCKED, target)
        # Who has no speed to spare goes first: people, who are asked for nothing, before robots; then by name.
        if waited >= _YIELDS and blocker.way and (blocker.speed, blocker.name) > (agent.speed, agent.name):
            yield from _retreat(view, blocker)
            agent.way = ways.path(agent.pose[:2], end)
            length = _length(agent.way)
        agent.clock += _PAUSE
        agent.idle += _PAUSE
        waited += _PAUSE
        yield
    return length


def make_room(view: AgentView) -> Paced[None]:
    """Who only stands there goes out of the way of those that want to pass."""
    here = np.array([view.agent.pose[:2]])
    for other in _others(view) if view.world.crowded else ():
        near = _legs(_driven(other.way), _AHEAD)
        if any(away(here, leg)[0] < APART for leg in near):
            yield from _retreat(view, other)
            return


def _retreat(view: AgentView, other: Agent) -> Paced[None]:
    """To the nearest place that is not on another's way."""
    agent, ways = view.agent, view.world.ways(view.agent)
    legs = _clearances(view)
    place = ways.refuge(agent.pose[:2], legs, _driven(other.way))
    way = ways.path_around(agent.pose[:2], place, legs) if place is not None else []
    while len(way) > 1:
        if _blocker(view, way) is not None:
            return
        point, _, driven = next_stride(way, stride(view)) or (way[-1], None, _length(way))
        way = way if point != way[-1] else []
        view.world.advance(agent, Pose2(*point, facing(agent.pose[:2], point).yaw), driven)
        yield


def _others(view: AgentView) -> Iterator[Agent]:
    return (other for other in view.world.agents.values() if other is not view.agent)


def _apart(view: AgentView, other: Agent) -> float:
    """Between their middles [m]: who moves no more is an obstacle like furniture."""
    return view.agent.radius + other.radius if other.gone else APART


def _clearances(view: AgentView) -> dict[Leg, float]:
    """Of a way round all others. On a grid, it cuts corners a little."""
    return {other.leg: _apart(view, other) + _CORNER * other.gone for other in _others(view)}


def _blocker(view: AgentView, way: Sequence[Point]) -> Agent | None:
    """Who may come too near on the next stride, other than by standing no nearer than now."""
    leg = _ahead(way, stride(view))
    if leg is None:
        return None
    for other in _others(view):
        now = float(away(np.array([leg[0]]), other.leg)[0])
        # Smallest distance between two legs [m].
        samples = np.linspace(0, 1, 11)[:, None]
        points = np.array(leg[0]) + samples * (np.array(leg[1]) - np.array(leg[0]))
        if float(away(points, other.leg).min()) < min(_apart(view, other), now) - 1e-6:
            return other
    return None


def _ahead(way: Sequence[Point], length: float) -> Leg | None:
    """The next stride of a way, taken as straight; None where it is at its end."""
    if len(way) < 2:
        return None
    onward = next_stride(tuple(way), length)
    return way[0], onward[0] if onward is not None else way[-1]


def _driven(way: Sequence[Point]) -> list[Point]:
    """A way as it is driven, from stride to stride: it cuts corners."""
    left = list(way)
    points = left[:1]
    while next_stride(left) is not None:
        points.append(left[0])
    return [*points, *left[-1:]]


def _legs(way: Sequence[Point], ahead: float) -> Iterator[Leg]:
    """Of a way, as far as `ahead` [m]."""
    for a, b in zip(way, way[1:]):
        if ahead <= 0:
            return
        ahead -= math.dist(a, b)
        yield a, b


def _length(way: Sequence[Point]) -> float:
    return sum(math.dist(a, b) for a, b in zip(way, way[1:]))


def collisions(agents: Sequence[Agent], step: float = 0.1) -> int:
    """How often two agents came nearer to each other than their half widths together, by what they have driven, looked
    at every `step` [s]: an account of its own, which knows nothing of how they avoid it."""
    return sum(_meetings(a, b, step) for i, a in enumerate(agents) for b in agents[i + 1:])


def _meetings(a: Agent, b: Agent, step: float) -> int:
    times = np.arange(0.0, max(a.clock, b.clock), step)
    near = np.hypot(*(_positions(a, times) - _positions(b, times)).T) < a.radius + b.radius
    return int((near & ~np.roll(near, 1)).sum() if len(near) else 0)


def _positions(agent: Agent, times: np.ndarray) -> np.ndarray:
    """(N, 2) where an agent was at `times` (N,) [s], map [m]."""
    if not agent.track:
        return np.repeat([agent.pose[:2]], len(times), axis=0)
    stamps = np.array([t for leg in agent.track for t in leg[:2]])
    points = np.array([p for leg in agent.track for p in leg[2:]])
    return np.stack([np.interp(times, stamps, points[:, i]) for i in (0, 1)], axis=1)
