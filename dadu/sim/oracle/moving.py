"""go_to, explore and wait in the oracle: ways of the right length and duration, and what is seen at their ends."""

from __future__ import annotations

import math

from dadu.core.errors import choices
from dadu.core.geometry import wrap
from dadu.sim.oracle import checks
from dadu.sim.oracle.failure import Failed
from dadu.sim.oracle.sight import RANGE, AgentView, facing
from dadu.skills.outcome import Code, Detail, SkillResult
from dadu.world.graph import Entity, Kind, Relation

UNKNOWN = "unknown"
WAIT = 1.0
"""[s]"""
BEFORE = 0.45
"""how far before its front one stands at furniture [m]"""


def go_to(view: AgentView, target: str) -> SkillResult:
    entity = checks.known(view, target)
    if entity.kind is Kind.ROOM:
        travel(view, entity.position[:2], entity.id, target)
        return SkillResult(Code.SUCCEEDED, f"in {target}", target=target)
    edge = view.graph.support(target) if entity.kind is Kind.OBJECT else None
    if edge is not None and edge.relation is Relation.HELD_BY:
        entity = view.graph.entities[edge.object]
        if edge.object == "robot":
            return SkillResult(Code.SUCCEEDED, f"{target} is in the hand", target=target)
    room = view.world.room_of_piece.get(target) or view.world.room_at(entity.position[:2])
    travel(view, _before(entity) if entity.kind is Kind.FURNITURE else entity.position[:2], room, target,
            look_at=entity.position[:2])
    return SkillResult(Code.SUCCEEDED, f"at {target}", target=target)


def explore(view: AgentView, name: str) -> SkillResult:
    room = _room_to_explore(view, name)
    points = [room.position[:2]]
    pieces = [view.world.pieces[id].position for id, r in view.world.room_of_piece.items() if r == room.id]
    looked = 0
    while points:
        travel(view, points.pop(0), room.id, room.id)
        view.agent.clock += 2 * math.pi / view.agent.turn
        view.look(all_round=True)
        looked += 1
        if (seen := view.found()) is not None:
            return seen
        pieces = [p for p in pieces if math.dist(p[:2], view.agent.pose[:2]) > RANGE]
        if pieces:
            points.append(pieces.pop(0)[:2])
    return SkillResult(Code.SUCCEEDED, f"looked around {room.id} from {looked} places", target=room.id)


def wait(view: AgentView) -> SkillResult:
    view.agent.clock += WAIT
    return SkillResult(Code.SUCCEEDED, "waited")


def travel(view: AgentView, near: tuple[float, float], room: str, target: str,
            look_at: tuple[float, float] | None = None) -> None:
    """Goes to the free place nearest to a point, in its room. Errors: Failed (path_blocked)."""
    agent, world = view.agent, view.world
    ways, here = world.ways(agent), (agent.pose.x, agent.pose.y)
    stop = ways.stop(near, room, here)
    length = ways.length(here, stop) if stop is not None else math.inf
    if stop is None or not math.isfinite(length):
        raise Failed(Code.EXECUTION_FAILED, f"no way leads to {target}; choose another target", Detail.PATH_BLOCKED,
                     target)
    pose = facing(stop, look_at if look_at is not None else near)
    turned = abs(wrap(pose.yaw - agent.pose.yaw)) if length == 0 else math.pi / 2
    agent.clock += length / agent.speed + turned / agent.turn
    agent.travelled += length
    agent.pose, agent.room = pose, world.room_at(stop)
    world.follow(agent)


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
