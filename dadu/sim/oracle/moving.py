"""go_to, explore and wait in the oracle: ways of the right length and duration, and what is seen at their ends."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from dadu.core.errors import choices
from dadu.core.geometry import Pose2, wrap
from dadu.sim.oracle import checks
from dadu.sim.oracle.failure import Failed
from dadu.sim.oracle.sight import ALL_ROUND, DRIVING, RANGE, AgentView, facing
from dadu.skills.outcome import Code, Detail, SkillResult
from dadu.world.graph import ROBOT, Entity, Kind, Relation

UNKNOWN = "unknown"
WAIT = 1.0
"""[s]"""
BEFORE = 0.45
"""how far before its front one stands at furniture [m]"""
STRIDE = 0.5
"""how far apart on a way the pictures are that are taken in [m]"""


def go_to(view: AgentView, target: str) -> SkillResult:
    entity = checks.known(view, target)
    if entity.kind is Kind.ROOM:
        return travel(view, entity.position[:2], entity.id, target) or \
            SkillResult(Code.SUCCEEDED, f"in {target}", target=target)
    edge = view.graph.support(target) if entity.kind is Kind.OBJECT else None
    if edge is not None and edge.relation is Relation.HELD_BY:
        entity = view.graph.entities[edge.object]
        if edge.object == ROBOT:
            return SkillResult(Code.SUCCEEDED, f"{target} is in the hand", target=target)
    room = view.world.room_of_piece.get(target) or view.world.room_at(entity.position[:2])
    near = _before(entity) if entity.kind is Kind.FURNITURE else entity.position[:2]
    return travel(view, near, room, target, look_at=entity.position[:2]) or \
        SkillResult(Code.SUCCEEDED, f"at {target}", target=target)


def explore(view: AgentView, name: str) -> SkillResult:
    """Looks all round where it stands, if that is in the room; else, and if that is too far from something, in the
    room's middle; then before what is too far from there, always from the nearest next."""
    room, agent = _room_to_explore(view, name), view.agent
    left = [view.world.pieces[id].position[:2] for id, r in view.world.room_of_piece.items() if r == room.id]
    points = [agent.pose[:2], room.position[:2]] if agent.room == room.id else [room.position[:2]]
    looked = 0
    while looked == 0 or left:
        point = points[looked] if looked < len(points) else min(left, key=lambda p: math.dist(p, agent.pose[:2]))
        seen = travel(view, point, room.id, room.id)
        if seen is not None:
            return seen
        agent.clock += 2 * math.pi / agent.turn
        view.look(ALL_ROUND)
        looked += 1
        if (seen := view.found()) is not None:
            return seen
        left = [p for p in left if p != point and math.dist(p, agent.pose[:2]) > RANGE]
    return SkillResult(Code.SUCCEEDED, f"looked around {room.id} from {looked} places", target=room.id)


def wait(view: AgentView) -> SkillResult:
    view.agent.clock += WAIT
    return SkillResult(Code.SUCCEEDED, "waited")


def travel(view: AgentView, near: tuple[float, float], room: str, target: str,
           look_at: tuple[float, float] | None = None) -> SkillResult | None:
    """Goes to the free place nearest to a point, in its room, and looks ahead on the way; the outcome where it ends
    there, since what it is for has been seen. Errors: Failed (path_blocked)."""
    agent, world = view.agent, view.world
    ways, here = world.ways(agent), (agent.pose.x, agent.pose.y)
    stop = ways.stop(near, room, here)
    length = ways.length(here, stop) if stop is not None else math.inf
    if stop is None or not math.isfinite(length):
        raise Failed(Code.EXECUTION_FAILED, f"no way leads to {target}; choose another target", Detail.PATH_BLOCKED,
                     target)
    pose = facing(stop, look_at if look_at is not None else near)
    turned = abs(wrap(pose.yaw - agent.pose.yaw)) if length == 0 else math.pi / 2
    agent.clock += turned / agent.turn
    left = length
    for point, onward, driven in _strides(ways.path(here, stop)):
        _advance(view, facing(point, onward), driven)
        left -= driven
        view.look(DRIVING)
        if (seen := view.found()) is not None:
            return seen
    _advance(view, pose, left)
    return None


def _advance(view: AgentView, pose: Pose2, driven: float) -> None:
    """The agent is at `pose` now, `driven` [m] farther on its way."""
    agent, world = view.agent, view.world
    agent.clock += driven / agent.speed
    agent.travelled += driven
    agent.pose, agent.room = pose, world.room_at(pose[:2])
    world.follow(agent)


def _strides(path: Sequence[tuple[float, float]]) -> Iterator[tuple[tuple[float, float], tuple[float, float], float]]:
    """Points of a way some strides apart, without its end: the point, the next one, and how far it is from the last
    [m]."""
    driven = 0.0
    for last, point, onward in zip(path, path[1:], path[2:]):
        driven += math.dist(last, point)
        if driven >= STRIDE:
            yield point, onward, driven
            driven = 0.0


def _before(piece: Entity) -> tuple[float, float]:
    """A point before the front of furniture [m]."""
    away = piece.size[0] / 2 + BEFORE
    return piece.position[0] + away * math.cos(piece.yaw), piece.position[1] + away * math.sin(piece.yaw)


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
        raise Failed(Code.UNKNOWN_TARGET, f"{name!r} is no room; rooms: {choices(rooms)}, or {UNKNOWN}", target=name)
    return view.graph[name]
