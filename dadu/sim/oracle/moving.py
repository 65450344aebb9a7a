"""go_to, explore and wait in the oracle: ways of the right length and duration, and what is seen at their ends.

Each is a generator that stops for a moment after every stride, so that others can act by the time that has passed.
"""

from __future__ import annotations

import math

from dadu.core.errors import choices
from dadu.core.geometry import wrap
from dadu.sim.oracle import checks, traffic
from dadu.sim.oracle.sight import ALL_ROUND, DRIVING, RANGE, AgentView, facing
from dadu.sim.oracle.state import Paced, Point
from dadu.skills.outcome import Code, Detail, SkillFailed, SkillResult
from dadu.world.graph import ROBOT, Entity, Kind, Relation

UNKNOWN = "unknown"
WAIT = 1.0
"""[s]"""
GIVING = 0.7
"""between the middles of two agents of whom one gives the other something [m]"""
BEFORE = 0.45
"""how far before its front one stands at furniture [m]"""


def go_to(view: AgentView, target: str) -> Paced[SkillResult]:
    entity = checks.known(view, target)
    if entity.kind is Kind.ROOM:
        seen = yield from travel(view, entity.position[:2], entity.id, target)
        return seen or SkillResult(Code.SUCCEEDED, f"in {target}", target=target)
    edge = view.graph.support(target) if entity.kind is Kind.OBJECT else None
    if edge is not None and edge.relation is Relation.HELD_BY:
        entity = view.graph.entities[edge.object]
        if edge.object == ROBOT:
            return SkillResult(Code.SUCCEEDED, f"{target} is in the hand", target=target)
    if entity.kind is Kind.AGENT:
        seen = yield from travel(view, _beside(view, entity.position[:2]), view.world.room_at(entity.position[:2]),
                                 target, look_at=entity.position[:2])
        return seen or SkillResult(Code.SUCCEEDED, f"at {target}", target=target)
    room = view.world.room_of_piece.get(target) or view.world.room_at(entity.position[:2])
    near = _before(entity) if entity.kind is Kind.FURNITURE else entity.position[:2]
    seen = yield from travel(view, near, room, target, look_at=entity.position[:2])
    return seen or SkillResult(Code.SUCCEEDED, f"at {target}", target=target)


def explore(view: AgentView, name: str) -> Paced[SkillResult]:
    """Looks all round where it stands, if that is in the room; else, and if that is too far from something, in the
    room's middle; then before what is too far from there, always from the nearest next."""
    room, agent = _room_to_explore(view, name), view.agent
    left = [view.world.pieces[id].position[:2] for id, r in view.world.room_of_piece.items() if r == room.id]
    points = [agent.pose[:2], room.position[:2]] if agent.room == room.id else [room.position[:2]]
    looked = 0
    while looked == 0 or left:
        point = points[looked] if looked < len(points) else min(left, key=lambda p: math.dist(p, agent.pose[:2]))
        seen = yield from travel(view, point, room.id, room.id)
        if seen is not None:
            return seen
        agent.clock += 2 * math.pi / (agent.turn or 1.0)
        yield
        view.look(ALL_ROUND)
        looked += 1
        if (seen := view.found()) is not None:
            return seen
        left = [p for p in left if p != point and math.dist(p, agent.pose[:2]) > RANGE]
    return SkillResult(Code.SUCCEEDED, f"looked around {room.id} from {looked} places", target=room.id)


def wait(view: AgentView) -> Paced[SkillResult]:
    """A moment; in a team until there is news, making room for who wants to pass."""
    agent, until = view.agent, view.agent.clock + view.patience
    while True:
        agent.clock += WAIT
        agent.idle += WAIT
        yield
        if agent.clock >= until or view.news():
            return SkillResult(Code.SUCCEEDED, "waited")
        yield from traffic.make_room(view)


def travel(view: AgentView, near: tuple[float, float], room: str, target: str,
           look_at: tuple[float, float] | None = None) -> Paced[SkillResult | None]:
    """Goes to the free place nearest to a point, in its room, and looks ahead on the way; the outcome where it ends
    there, since what it is for has been seen. Errors: SkillFailed (path_blocked; TOO_FAR where the base is fixed)."""
    if view.agent.speed == 0.0:
        if room != view.agent.room:
            raise SkillFailed(Code.TOO_FAR, f"the base is fixed, and {target} is in another room; choose what is "
                              "nearer", target=target)
        view.look(ALL_ROUND)
        return None
    agent, ways, here = view.agent, view.world.ways(view.agent), view.agent.pose[:2]
    stop = ways.stop(near, room, here, traffic.taken(view))
    length = ways.length(here, stop) if stop is not None else math.inf
    if stop is None or not math.isfinite(length):
        raise SkillFailed(Code.EXECUTION_FAILED, f"no way leads to {target}; choose another target",
                          Detail.PATH_BLOCKED, target)
    pose = facing(stop, look_at if look_at is not None else near)
    turned = abs(wrap(pose.yaw - agent.pose.yaw)) if length == 0 else math.pi / 2
    agent.clock += turned / agent.turn
    agent.way = ways.path(here, stop)
    try:
        while True:
            if view.world.crowded:
                length = yield from traffic.clear_way(view, length, target)
            stride = traffic.next_stride(agent.way, traffic.stride(view))
            if stride is None:
                break
            point, onward, driven = stride
            view.world.advance(agent, facing(point, onward), driven)
            length -= driven
            yield
            view.look(DRIVING)
            if (seen := view.found()) is not None:
                return seen
        end = agent.way[-1]
        view.world.advance(agent, pose if end == stop else facing(end, look_at or near), length)
    finally:
        agent.way = []
    return None


def _before(piece: Entity) -> tuple[float, float]:
    """A point before the front of furniture [m]."""
    away = piece.size[0] / 2 + BEFORE
    return piece.position[0] + away * math.cos(piece.yaw), piece.position[1] + away * math.sin(piece.yaw)


def _beside(view: AgentView, other: Point) -> Point:
    """On this side of another agent, in reach of its hands and clear of its body [m]."""
    here = view.agent.pose[:2]
    share = min(1.0, GIVING / max(math.dist(here, other), 1e-6))
    return other[0] + share * (here[0] - other[0]), other[1] + share * (here[1] - other[1])


def _room_to_explore(view: AgentView, name: str) -> Entity:
    """A room by its name; for `UNKNOWN` the nearest that memory lacks, else the one seen longest ago."""
    world, here = view.world, view.agent.pose[:2]
    if name == UNKNOWN:
        ways = world.ways(view.agent)

        def newness(room: Entity) -> tuple[bool, float, float]:
            pieces = (id for id, r in world.room_of_piece.items() if r == room.id and id in view.graph)
            seen = [view.graph[id].stamp for id in pieces]
            return room.id in view.graph, max(seen, default=0.0), ways.length(here, room.position[:2])
        return min(world.rooms.values(), key=newness)
    rooms = [room.id for room in view.graph.of(Kind.ROOM)]
    if name not in rooms:
        raise SkillFailed(Code.UNKNOWN_TARGET, f"{name!r} is no room; rooms: {choices(rooms)}, or {UNKNOWN}",
                          target=name)
    return view.graph[name]
