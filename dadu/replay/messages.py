"""Messages as the library's types. Only field names matter: it is the same for ROS and for a bag read without it."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ParamSpec, TypeVar

import numpy as np

from dadu.core.errors import NotUsable, choices
from dadu.core.geometry import Pose2, is_pose, rotation, transform
from dadu.core.robot import JointTrajectory, Waypoint
from dadu.incoming.numbers import plausible
from dadu.skills.call import SkillCall
from dadu.skills.outcome import SkillResult, known_code
from dadu.team.messages import Act, TeamMessage
from dadu.team.world import SharedSights
from dadu.world.bars import bars_from_text
from dadu.world.detection import Detection, DetectionFrame, Exemplar, from_text
from dadu.world.graph import Articulation, Edge, Entity, Kind, Relation, Surface, WorldGraph

SEEN_HERE, MAY_BE = "seen here: ", "may be: "
"""what attributes of an Entity message begin with that are its `seen_here` and `may_be`: category and number"""
_WORDS = 1000
"""letters of a team's message at most"""
_STANDS = (Relation.ON, Relation.IN, Relation.HELD_BY)


def seconds(stamp: Any) -> float:
    """[s], of a Time or Duration."""
    return stamp.sec + stamp.nanosec * 1e-9


def joints(message: Any) -> tuple[Mapping[str, float], Mapping[str, float]]:
    """Positions and efforts by joint name."""
    return dict(zip(message.name, map(float, message.position))), dict(zip(message.name, map(float, message.effort)))


def trajectory(message: Any) -> JointTrajectory:
    """Unchecked."""
    names = message.joint_names
    return JointTrajectory(tuple(Waypoint(seconds(p.time_from_start), dict(zip(names, map(float, p.positions))))
                                 for p in message.points))


P = ParamSpec("P")
T = TypeVar("T")


def _checked(convert: Callable[P, T]) -> Callable[P, T]:
    """`convert`, for which what no such message can hold is `NotUsable`."""
    @functools.wraps(convert)
    def checked(*message: P.args, **named: P.kwargs) -> T:
        try:
            return convert(*message, **named)
        except (ValueError, OverflowError) as error:
            raise NotUsable(str(error)) from None
    return checked


def call(message: Any) -> SkillCall:
    return SkillCall(message.skill, tuple(message.arguments))


def result(message: Any) -> SkillResult:
    by = getattr(message, "by", "")  # bags made before skills had several ways
    return SkillResult(known_code(message.code), message.message, message.detail, message.target, by)


@_checked
def detections(m: Any) -> DetectionFrame:
    """Errors: NotUsable for numbers that are none, and a camera that is none."""
    K = np.array(m.k, float).reshape(3, 3)
    seen = len(m.depth) or len(m.detections)  # who has seen nothing needs no camera
    if not np.isfinite(K).all() or (seen and not (K[0, 0] > 0 and K[1, 1] > 0)):
        raise ValueError("the camera that things were seen by has no focal lengths")
    return DetectionFrame(
        stamp=seconds(m.header.stamp), T_map_camera=_matrix(m.camera), K=K, width=m.width, height=m.height,
        depth=np.nan_to_num(np.array(m.depth, np.float32).reshape(-1, max(1, m.depth_width)), posinf=0.0, neginf=0.0),
        detections=tuple(_detection(d) for d in m.detections), detector=m.detector)


@_checked
def graph(m: Any) -> WorldGraph:
    """Errors: NotUsable for what no world graph can hold: kinds and relations that nobody knows, a place that is no
    number, a thing that in the end stands on itself."""
    graph = WorldGraph((_entity(e) for e in m.entities),
                       (Edge(e.subject, Relation(e.relation), e.object, e.part) for e in m.edges))
    under = {edge.subject: edge.object for edge in graph.edges if edge.relation in _STANDS}
    for thing in under:
        passed, below = {thing}, under[thing]
        while below in under and below not in passed:
            passed.add(below)
            below = under[below]
        if below in passed:
            raise ValueError(f"{below} stands on itself")
    return graph


@_checked
def team_message(m: Any) -> TeamMessage:
    """Errors: NotUsable for an act that nobody knows, and words without end."""
    if len(m.job) + len(m.reason) > _WORDS:
        raise ValueError(f"{len(m.job) + len(m.reason)} letters are no short message; at most {_WORDS}")
    acts = {getattr(m, act.name): act for act in Act}
    if m.act not in acts:
        raise ValueError(f"{m.act} is no act of a message; valid: {choices(f'{n} {a.name}' for n, a in acts.items())}")
    return TeamMessage(seconds(m.stamp), m.sender, acts[m.act], m.job, m.to, m.reason)


@_checked
def told(m: Any) -> SharedSights:
    """Errors: NotUsable as `graph`."""
    if len(m.gone) != len(m.gone_at):
        raise ValueError(f"{len(m.gone)} things are gone, at {len(m.gone_at)} times")
    return SharedSights(m.agent, graph(m.seen), dict(zip(m.gone, map(seconds, m.gone_at))))


def examples(m: Any) -> Sequence[Exemplar]:
    """What `Encoder.examples` made, those without a look left out."""
    return [Exemplar(one.label, look / np.linalg.norm(look))
            for one, look in ((one, np.array(one.embedding, np.float32)) for one in m.detections)
            if len(look) and 0 < np.linalg.norm(look) < np.inf]


def _detection(m: Any) -> Detection:
    said = dict(zip(m.attribute_names, m.attribute_values))
    attributes, states = from_text(said)
    points = np.array(m.points, np.float32).reshape(-1, 3)
    if not (plausible((*_xyz(m.centroid), *_xyz(m.size), m.score)) and np.isfinite(points).all()):
        raise ValueError(f"the place, size or score of {m.label or 'a thing'} is no number")
    return Detection(
        label=m.label, score=m.score, box=(m.box.x_offset, m.box.y_offset, m.box.width, m.box.height),
        pixels=m.pixels, points=points, centroid=np.array(_xyz(m.centroid)),
        size=np.array(_xyz(m.size)), attributes=attributes, states=states, bars=bars_from_text(said),
        embedding=np.array(m.embedding, np.float32) if len(m.embedding) else None, instance=m.instance,
        truncated=m.truncated, others=tuple(zip(m.other_labels, map(float, m.other_scores))))


def _entity(m: Any) -> Entity:
    attributes = dict(zip(m.attribute_names, m.attribute_values))
    seen, may_be = ({name.removeprefix(begin): float(attributes.pop(name)) for name in list(attributes)
                     if name.startswith(begin)} for begin in (SEEN_HERE, MAY_BE))
    drawn = ((p.x, p.y) for p in m.polygon)
    if not plausible((*_xyz(m.position), m.yaw, *_xyz(m.size), *itertools.chain(*drawn))):
        raise ValueError(f"place or size of {m.id or 'a thing'} is no number")
    return Entity(
        id=m.id, kind=Kind(m.kind), category=m.category, position=_xyz(m.position), yaw=m.yaw, size=_xyz(m.size),
        aliases=tuple(m.aliases), attributes=attributes,
        states={name: bool(value) for name, value in zip(m.state_names, m.state_values)},
        polygon=tuple((float(p.x), float(p.y)) for p in m.polygon),
        surfaces=tuple(_surface(s) for s in m.surfaces), parts=tuple(_part(p) for p in m.parts),
        provenance=m.provenance, stamp=seconds(m.stamp), confidence=m.confidence, pixels=m.pixels,
        may_be=may_be, seen_here=seen)


def attributes_of(e: Entity) -> dict[str, str]:
    """Attributes as an Entity message has them."""
    numbers = {f"{begin}{category}": f"{number:.3g}" for begin, by_category in
               ((SEEN_HERE, e.seen_here), (MAY_BE, e.may_be)) for category, number in by_category.items()}
    return {**e.attributes, **numbers}


def _surface(m: Any) -> Surface:
    if not plausible((m.pose.x, m.pose.y, m.pose.theta, m.height, m.length, m.width)) or math.isnan(m.clearance):
        raise ValueError(f"the surface {m.name} has a number that is none")
    return Surface(m.name, Pose2(m.pose.x, m.pose.y, m.pose.theta), m.height, (m.length, m.width), m.clearance,
                   m.inside, m.part)


def _part(m: Any) -> Articulation:
    vectors = (m.origin, m.axis, m.handle, m.handle_axis, m.normal)
    if not plausible((*itertools.chain(*map(_xyz, vectors)), m.range, m.value)):
        raise ValueError(f"the part {m.name} has a number that is none")
    return Articulation(m.name, m.kind, _xyz(m.origin), _xyz(m.axis), _xyz(m.handle), _xyz(m.handle_axis),
                        _xyz(m.normal), m.range, m.value)


def _matrix(pose: Any) -> np.ndarray:
    q = pose.orientation
    if not is_pose(_xyz(pose.position), turned := (q.x, q.y, q.z, q.w)):
        raise ValueError("the camera that things were seen by is nowhere")
    return transform(rotation(turned), _xyz(pose.position))


def _xyz(p: Any) -> tuple[float, float, float]:
    return p.x, p.y, p.z
