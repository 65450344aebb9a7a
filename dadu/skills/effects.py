"""What a skill does to the world graph: as expected of one that works, and as believed after an outcome, until memory
has heard of that."""

from __future__ import annotations

from dataclasses import replace

from dadu.house.states import content_states
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult
from dadu.skills.specification import MovesPart, StateValue, Takes
from dadu.skills.table import SKILLS, does, lets_go
from dadu.world.graph import ROBOT, Edge, Kind, Relation, WorldGraph
from dadu.world.handles import split_handle_path

_BESIDE = 0.05
"""[m] how far from a thing what is put next to it is taken to be; on which side, looking will tell"""
_TABLE = 0.75
"""[m]: height of a table"""


def apply(graph: WorldGraph, call: SkillCall, stamp: float | None = None) -> WorldGraph:
    """A copy of `graph` after `call`, with `stamp` [s] on what it changed, as the table of skills has its effects.
    Skills without a lasting effect change nothing."""
    after = graph.copy()
    if call.skill in SKILLS:
        SKILLS[call.skill].change(Expected(after, stamp), call.arguments)
    return after


def believed(graph: WorldGraph, call: SkillCall, result: SkillResult, stamp: float) -> WorldGraph:
    """A copy of `graph` after an outcome, failures included."""
    after = graph.copy()
    if result.code is Code.OBJECT_LOST:
        after.set_support(result.target, None)
        after.change(result.target, provenance="skill", stamp=stamp)
    elif result.code is Code.CONTAINER_CLOSED and result.target in graph:
        Expected(after, stamp).turn(result.target, open=False)
    elif result.ok:
        if lets_go(call.skill) and graph.held(ROBOT) is None:  # memory may have dropped the hold before
            after.set_support(result.target, Edge(result.target, Relation.HELD_BY, ROBOT))
        return apply(after, told(call, result), stamp)
    return after


def told(call: SkillCall, result: SkillResult) -> SkillCall:
    """`call` as its outcome tells of it: which thing was taken, which part was moved; others stand as they did."""
    moved = does(call.skill, MovesPart) and split_handle_path(result.target)[0] == call.arguments[0]
    return replace(call, arguments=(result.target,)) if result.target and (moved or does(call.skill, Takes)) else call


def subject(call: SkillCall, result: SkillResult) -> str:
    """The entity that an outcome changes; empty: none."""
    if lets_go(call.skill) or result.code is Code.OBJECT_LOST:
        return result.target
    changes = does(call.skill, Takes) or does(call.skill, MovesPart)
    return split_handle_path(told(call, result).arguments[0])[0] if changes else ""


def position_of(graph: WorldGraph, id: str) -> tuple[float, float, float]:
    """Where an entity is, or where what carries it is [m]."""
    edge = graph.support(id)
    carrier = graph.entities.get(edge.object) if edge is not None else None
    if carrier is not None and carrier.kind in (Kind.AGENT, Kind.OBJECT):
        return position_of(graph, carrier.id)
    return graph[id].position


class Expected:
    """A `dadu.skills.specification.Changing`: the graph as far as can be told beforehand."""

    def __init__(self, graph: WorldGraph, stamp: float | None) -> None:
        """`graph` is changed; `stamp` [s] is set on what changes, None: none is."""
        self._graph, self._stamp = graph, stamp

    def arrive(self, target: str) -> None:
        if target in self._graph and ROBOT in self._graph:
            x, y, _ = position_of(self._graph, target)
            self._graph.change(ROBOT, position=(x, y, 0.0))
        self._changed(ROBOT)

    def take(self, object: str) -> None:
        self._graph.set_support(object, Edge(object, Relation.HELD_BY, ROBOT))
        self._changed(object)

    def put(self, relation: str, receptacle: str, reference: str) -> None:
        graph, held = self._graph, self._graph.held(ROBOT)
        if held is None or receptacle not in graph:
            return
        piece = graph[receptacle]
        inside = relation == Relation.IN.value
        fit = (s for s in piece.surfaces if s.inside == inside and s.clearance > held.size[2])
        surface = min(fit, key=lambda s: abs(s.height - _TABLE), default=None)
        x, y, z = graph[reference if reference in graph else receptacle].position
        if reference in graph:
            x += _BESIDE
        elif surface is not None:
            pose = graph[receptacle].surface_pose(surface)
            x, y, z = pose.x, pose.y, surface.height + held.size[2] / 2
        graph.set_support(held.id, Edge(held.id, Relation(relation), receptacle))
        graph.change(held.id, position=(x, y, z))
        self._settle_in(receptacle)
        self._changed(held.id)

    def hand_over(self, agent: str) -> None:
        held = self._graph.held(ROBOT)
        if held is not None and agent in self._graph:
            self._graph.set_support(held.id, Edge(held.id, Relation.HELD_BY, agent))
            self._changed(held.id)

    def turn(self, path: str, open: bool) -> None:
        (id, part), share = split_handle_path(path), 1.0 if open else 0.0
        if id in self._graph:
            self._graph.change(id, parts=tuple(replace(p, value=share * p.range) if part in ("", p.name) else p
                                               for p in self._graph[id].parts))
            self._settle_in(id)
            self._changed(id)

    def give(self, id: str, state: StateValue) -> None:
        if id in self._graph:
            self._graph.change(id, states=self._graph[id].states | {state.name: state.value})
            self._settle_in(id)
            self._changed(id)

    def _settle_in(self, receptacle: str) -> None:
        """What furniture does to its contents once it is shut."""
        piece = self._graph[receptacle]
        change = content_states(piece) if piece.kind is Kind.FURNITURE else {}
        for thing in self._graph.contents(receptacle) if change else ():
            self._graph.change(thing.id, states=thing.states | change)

    def _changed(self, id: str) -> None:
        if self._stamp is not None and id in self._graph:
            self._graph.change(id, stamp=self._stamp, provenance="skill")
