"""What outcomes of skills teach memory, failures included."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from dadu.core.geometry import Pose2, vector3
from dadu.memory import hand
from dadu.memory.association.associator import Associator, ObserverPose
from dadu.memory.association.furniture import derive_open_state
from dadu.skills.call import SkillCall
from dadu.skills.effects import told
from dadu.skills.outcome import Code, Detail, SkillResult
from dadu.skills.specification import MovesPart, StateValue, Takes
from dadu.skills.table import SKILLS
from dadu.world.graph import ROBOT, UNIDENTIFIED, Articulation, Edge, Entity, Kind, Relation, Surface, WorldGraph
from dadu.world.handles import nearest_part, split_handle_path

UNCERTAIN = 0.6
"""confidence in what a skill did but could not confirm"""

AJAR = 0.35
"""share of its range at which a part counts as neither open nor closed"""
_DID_NOT_FOLLOW = (Detail.DOOR_STUCK, Detail.GRASP_SLIPPED, Detail.ARM_STALLED)
"""of a part that was pulled"""


def learn(associator: Associator, call: SkillCall, result: SkillResult, stamp: float, body: ObserverPose) -> None:
    """Changes the graph by what `call` came to. Calls that change nothing in the world (go_to, explore...) teach only
    by what the camera sees on the way; nor do calls that are no valid instruction."""
    spec = SKILLS.get(call.skill)
    if spec is None or len(call.arguments) < spec.required:
        return
    if result.ok:
        spec.change(_Lesson(associator, result, stamp, body), told(call, result).arguments)
        return
    for effect in spec.effects:
        if isinstance(effect, MovesPart) and _broke_off(result):
            _left_ajar(associator, result.target or spec.named(call.arguments)[effect.receptacle], effect.open, body)
        if isinstance(effect, MovesPart) and effect.open and result.detail in _DID_NOT_FOLLOW:
            # It did not follow the hand: where nobody told of it, it may open another way.
            id, name = split_handle_path(result.target)
            if id in associator.graph and any(part.name == name for part in associator.graph[id].parts):
                associator.graph.put(associator.articulations.did_not_open(associator.graph[id], name))
    _learn_from_failure(associator, call, result, stamp, body)


def _learn_from_failure(associator: Associator, call: SkillCall, result: SkillResult, stamp: float, body: ObserverPose
                        ) -> None:
    takes, puts = SKILLS[call.skill].does(Takes), SKILLS[call.skill].lets_go
    if result.code is Code.CONTAINER_CLOSED:
        entity = associator.graph.entities.get(split_handle_path(result.target)[0])
        if entity is not None and entity.parts:
            parts = tuple(replace(part, value=0.0) for part in entity.parts)
            associator.graph.put(derive_open_state(replace(entity, parts=parts)))
    if body.gripped:  # whatever came of it, the fingers have something
        if takes and result.code is not Code.HAND_FULL:
            # It ended after the fingers had closed: it was interrupted, or its server died.
            id = result.target or call.arguments[0]
            held = associator.graph.held()
            if held is None or held.category == UNIDENTIFIED:
                associator.recover(id)
                if id in associator.graph:
                    hand.hold(associator, id, stamp, body, UNCERTAIN)
        if puts and result.target not in call.arguments:  # else it names where nothing could be put
            _kept(associator, result.target, stamp, body)
        return
    if result.code in (Code.OBJECT_LOST, Code.HAND_EMPTY) or result.detail == Detail.GRASP_SLIPPED:
        hand.let_go(associator, stamp, body)
    if takes and (result.code in (Code.UNKNOWN_TARGET, Code.OBJECT_LOST) or result.detail == Detail.NOT_THERE):
        _doubt(associator, result.target or call.arguments[0])


def _broke_off(result: SkillResult) -> bool:
    """True if a part may stand anywhere: the hand may have moved it, and nobody has looked since."""
    ended = result.code >= Code.TIMED_OUT and result.detail != Detail.BODY_IN_USE  # else it never began
    return ended or result.detail in (Detail.ARM_STALLED, Detail.GRASP_SLIPPED)


def let_go_if_empty(associator: Associator, stamp: float, body: ObserverPose, closed: float = 0.002) -> None:
    """Fingers that have met [m] hold nothing, whatever memory says."""
    if body.aperture is not None and body.aperture < closed:
        hand.let_go(associator, stamp, body)


def _kept(associator: Associator, id: str, stamp: float, body: ObserverPose) -> None:
    """What was to be put down is in the hand again: the fingers had opened, and closed about it once more."""
    held, thing = associator.graph.held(), associator.graph.entities.get(id)
    if thing is not None and thing.kind is Kind.OBJECT and (held is None or held.category == UNIDENTIFIED):
        hand.hold(associator, id, stamp, body, thing.confidence)


@dataclass(frozen=True)
class _Lesson:
    """A skill that succeeded changes what the associator knows; a `dadu.skills.specification.Changing`."""

    associator: Associator
    result: SkillResult
    stamp: float
    body: ObserverPose

    @property
    def graph(self) -> WorldGraph:
        return self.associator.graph

    @property
    def confidence(self) -> float:
        return 1.0 if self.result.code is Code.SUCCEEDED else UNCERTAIN

    def arrive(self, target: str) -> None:
        """Where the robot is others tell."""

    def take(self, object: str) -> None:
        # The camera may have seen its place empty while the hand drew it in: then it counts as lost until now.
        self.associator.recover(object)
        if object in self.graph and ROBOT in self.graph:
            hand.hold(self.associator, object, self.stamp, self.body, self.confidence)

    def put(self, relation: str, receptacle: str, reference: str) -> None:
        associator, graph, held = self.associator, self.graph, self.graph.held()
        # The skill draws the empty hand back and shuts it before it reports: by then nothing is held any more.
        id = held.id if held is not None else associator.released
        known = id in graph and graph[id].kind is Kind.OBJECT and receptacle in graph
        if not known or relation not in (Relation.ON.value, Relation.IN.value):
            return
        if self.body.gripped and self.result.code is Code.UNCERTAIN:
            return  # the fingers have it still
        support = graph.support(id)
        if graph[id].provenance == "detection" and support is not None and support.object == receptacle:
            return  # the camera has told more exactly
        associator.graph.edges -= {e for e in associator.graph.edges if e.subject == id}
        surface = _surface_used(graph[receptacle], relation, self.body)
        graph.set_support(id, Edge(id, Relation(relation), receptacle, surface.name if surface else ""))
        position = vector3(self.body.hand) if held is not None else graph[id].position
        if surface is not None:
            x, y = _onto(graph[receptacle].surface_pose(surface), surface, position[:2])
            position = (x, y, surface.height + graph[id].size[2] / 2)
        graph.change(id, provenance="skill", stamp=self.stamp, confidence=self.confidence, position=position)

    def hand_over(self, agent: str) -> None:
        held = self.graph.held()
        id = held.id if held is not None else self.associator.released
        if id in self.graph and agent in self.graph:
            self.graph.edges -= {e for e in self.graph.edges if e.subject == id}
            self.graph.set_support(id, Edge(id, Relation.HELD_BY, agent))
            self.graph.change(id, provenance="skill", stamp=self.stamp, confidence=self.confidence)

    def turn(self, path: str, open: bool) -> None:
        id, part_name = split_handle_path(path)
        entity = self.graph.entities.get(id)
        if entity is None or not entity.parts:
            return
        names = {part_name} if part_name else {p.name for p in entity.parts}
        if open and not part_name:
            # Which one was opened is not said: the first, unless one is known to be open already.
            names = set() if any(p.open for p in entity.parts) else {entity.parts[0].name}
        parts = tuple(_turned(p, open) if p.name in names else p for p in entity.parts)
        self.graph.put(derive_open_state(replace(
            entity, parts=parts, provenance="skill" if parts != entity.parts else entity.provenance,
            stamp=self.stamp)))

    def give(self, id: str, state: StateValue) -> None:
        entity = self.graph.entities.get(id)
        if entity is not None:
            verified = self.result.code is Code.SUCCEEDED
            self.associator.states.done(id, state.name, state.value, verified, self.stamp)
            self.graph.put(replace(entity, states=entity.states | {state.name: state.value}, provenance="skill",
                                   stamp=self.stamp, confidence=self.confidence))


def _turned(part: Articulation, open: bool) -> Articulation:
    """Shut, or open as far as was seen; where that is not known, all the way."""
    if open:
        return part if part.open else replace(part, value=part.range)
    return replace(part, value=0.0)


def _left_ajar(associator: Associator, target: str, opening: bool, body: ObserverPose) -> None:
    """The part `target`, else the one nearest to the hand, was being opened or closed: unless it is seen to have moved,
    it counts as neither."""
    id, name = split_handle_path(target)
    entity = associator.graph.entities.get(id)
    if entity is None or not entity.parts:
        return
    near = entity.parts[0] if body.tool is None else nearest_part(entity, np.asarray(body.tool))
    part = next((p for p in entity.parts if p.name == name), near)
    if part.closed if opening else part.open:
        parts = tuple(replace(p, value=AJAR * p.range) if p is part else p for p in entity.parts)
        associator.graph.put(derive_open_state(replace(entity, parts=parts)))


def _doubt(associator: Associator, id: str) -> None:
    """A thing was not found where memory has it; often enough, and it counts as gone."""
    entity = associator.graph.entities.get(id)
    if entity is None or entity.kind is not Kind.OBJECT:
        return
    forgetting = associator.settings.forgetting
    confidence = entity.confidence * forgetting.doubt
    associator.graph.change(id, confidence=confidence)
    if confidence < forgetting.floor:
        associator.lose(id)


def _surface_used(receptacle: Entity, relation: str, body: ObserverPose) -> Surface | None:
    """The surface of the right kind that is nearest below the hand, the first where the hand's place is not known."""
    fitting = [s for s in receptacle.surfaces if s.inside == (relation == "in")]
    if body.tool is None or not fitting:
        return fitting[0] if fitting else None
    height = body.tool[2]
    return min(fitting, key=lambda s: (s.height > height, abs(height - s.height)))


def _onto(pose: Pose2, surface: Surface, xy: ArrayLike) -> tuple[float, float]:
    """The point of a surface nearest to a point (2,) of the map [m]."""
    local = pose.inverse().apply(xy)
    half = np.array(surface.size) / 2
    x, y = pose.apply(np.clip(local, -half, half))
    return float(x), float(y)
