"""What a purpose with a target means: which stances come into question, or why none does."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from dadu.core.geometry import Pose2
from dadu.core.robot import RobotDescription
from dadu.house.furniture.entity import switch_of
from dadu.navigation.footprint import Footprint
from dadu.navigation.standing.base_poses import (
    TAKEN_FROM_ABOVE,
    BasePoseCandidate,
    agent_base_poses,
    hinge_values,
    look_base_poses,
    part_base_poses,
    pick_base_poses,
    place_base_poses,
    surface_centre,
    top_grasp_base_poses,
    whole_view_base_poses,
)
from dadu.navigation.standing.open_parts import part_outline
from dadu.skills.outcome import Code, Detail, SkillResult
from dadu.skills.scene import Scene
from dadu.world.boxes import OrientedBox, overlap
from dadu.world.claims import own_part
from dadu.world.graph import ROBOT, Articulation, Entity, Kind, Relation, Surface, points_in_polygon

_STEP = 0.25  # [m]


def room_base_poses(room: Entity) -> Iterator[BasePoseCandidate]:
    """Poses all over the room, the middle preferred, facing the middle."""
    corners = np.array(room.polygon, float)
    if len(corners) < 3:
        yield BasePoseCandidate(room.pose, 0.0)
        return
    low, high = corners.min(axis=0), corners.max(axis=0)
    middle = (low + high) / 2
    for x in np.arange(low[0] + _STEP, high[0], _STEP):
        for y in np.arange(low[1] + _STEP, high[1], _STEP):
            if points_in_polygon(room.polygon, (x, y)):
                away = math.dist((x, y), middle)
                yaw = math.atan2(middle[1] - y, middle[0] - x) if away > 0.1 else 0.0
                yield BasePoseCandidate(Pose2(float(x), float(y), yaw), 0.5 * away)


_UNSEEN = (0.09, 0.09, 0.1)  # of what is held, where nothing is known of it [m]
_COARSE = 1.0  # between samples of an outline whose corners are all that is asked for [m]
_ON = 0.1  # between a surface and the underside of what stands on it, at most: sight errs [m]


def candidates(scene: Scene, robot: RobotDescription, target: Entity, purpose: str, relation: str, part: str,
                next_to: str, here: Pose2 | None) -> Iterable[BasePoseCandidate] | SkillResult:
    """Stances for `purpose`, or why there cannot be any. See `dadu.navigation.standing.base_placement.place_base`."""
    graph = scene.graph
    if target.kind is Kind.ROOM:
        return room_base_poses(target)
    if target.kind is Kind.SUSPECT:
        return whole_view_base_poses(robot, target)
    if target.kind is Kind.AGENT and target.id != ROBOT and purpose in ("look", "place"):
        return (agent_base_poses(robot, target) if purpose == "place"
                else look_base_poses(robot, target.position[:2], None, False))
    if target.kind not in (Kind.OBJECT, Kind.FURNITURE):
        return SkillResult(Code.UNKNOWN_TARGET, f"{target.id} is no place to go to; choose a room, a piece of "
                           "furniture or an object", target=target.id)
    furniture, surface = _support(scene, target)
    if purpose in ("open", "close"):
        return _part_candidates(robot, furniture, target, purpose, part)
    switch = switch_of(target) if purpose == "press" else None
    if switch is not None:
        return part_base_poses(robot, switch, True)
    inside = _looks_inside(furniture, surface)
    if target.kind is Kind.OBJECT and purpose == "pick":
        if target.position[2] > robot.reach_height[1] + 0.1:
            return SkillResult(Code.TOO_FAR, f"{target.id} is {target.position[2]:.1f} m up, out of the arm's reach; "
                               "choose something lower", target=target.id)
        point = _now(target, furniture, surface)
        stances = pick_base_poses(robot, point, furniture, inside, here)
        flat = 0.0 < target.size[2] < TAKEN_FROM_ABOVE
        return top_grasp_base_poses(robot, point, target.position[2], stances) if flat else stances
    if purpose in ("look", "press"):
        return look_base_poses(robot, target.position[:2], furniture, inside)
    if furniture is None:
        return SkillResult(Code.UNKNOWN_TARGET, f"it is not known what {target.id} stands on; look for it first",
                           target=target.id)
    beside = next_to if next_to in graph else target.id if target.kind is Kind.OBJECT else ""
    to_piece = relation if target.kind is Kind.FURNITURE else ""  # a bowl that something goes in stands on something
    return _surface_candidates(scene, robot, furniture, to_piece, beside)


def _support(scene: Scene, target: Entity) -> tuple[Entity | None, Surface | None]:
    """The furniture that `target` is, or is on or in, and the surface where an object stands, as far as known."""
    if target.kind is Kind.FURNITURE:
        return target, None
    edge = scene.graph.support(target.id)
    if edge is None:
        return None, None
    furniture = scene.graph.entities.get(edge.object)
    if furniture is None or furniture.kind is not Kind.FURNITURE:
        return None, None
    surface = next((s for s in furniture.surfaces if s.name == edge.part), None)
    if surface is None and edge.relation is Relation.IN:
        surface = next((s for s in furniture.surfaces if s.inside), None)
    return furniture, surface


def _looks_inside(furniture: Entity | None, surface: Surface | None) -> bool:
    """True if the inside of the furniture matters: for a thing in it, or where it stands open, or is all inside."""
    if surface is not None or furniture is None:
        return surface is not None and surface.inside
    return any(part.open for part in furniture.parts) or (
        bool(furniture.surfaces) and all(s.inside for s in furniture.surfaces))


def _now(target: Entity, furniture: Entity | None, surface: Surface | None) -> np.ndarray:
    """(2,) [m] in map where an object is: one last seen where its drawer used to be has moved along with it."""
    position = np.array(target.position[:2])
    if furniture is None or surface is None:
        return position
    centre = surface_centre(furniture, surface)
    moved = centre - surface.pose[:2]
    shift = float(np.linalg.norm(moved))
    left_behind = shift > 0.05 and (position - centre) @ moved < -shift * surface.size[0] / 2
    return position + moved if left_behind else position


def _part_candidates(robot: RobotDescription, furniture: Entity | None, target: Entity, purpose: str, name: str
             ) -> Iterable[BasePoseCandidate] | SkillResult:
    parts = [] if furniture is None else [p for p in furniture.parts if name in ("", p.name)]
    if furniture is None or not parts:
        return SkillResult(Code.NOT_INTERACTIVE, f"{target.id} has nothing to {purpose}", target=target.id)
    # Those that still have to move come first; with all in place already, any will do.
    waiting = [p for p in parts if (not p.open if purpose == "open" else not p.closed)] or parts
    return (stance for p in waiting for stance in _clear_of_sweep(robot, furniture, p, purpose == "open"))


def _clear_of_sweep(robot: RobotDescription, furniture: Entity, part: Articulation, opening: bool
                    ) -> Iterator[BasePoseCandidate]:
    """Poses whose base stays out of the way of the part as it moves."""
    stances = list(part_base_poses(robot, part, opening))
    values = np.array([part_outline(furniture, part, float(value)) for value in hinge_values(part, opening)])
    moved = part_outline(furniture, part, part.range)
    feet, outlines = [], []  # each of as many poses as there are values: a track may end earlier, or go on elsewhere
    for stance in stances:
        steps = [min(i, max(len(stance.track) - 1, 0)) for i in range(len(values))]
        feet.append([(stance.track or (stance.pose,))[i] for i in steps])
        outlines.append(values[steps] if stance.track else np.broadcast_to(moved, values.shape))
    if stances:
        footprint = Footprint(robot.footprint, _COARSE)
        bases = footprint.at(np.array(feet), footprint.polygon)
        hits = overlap(bases, np.array(outlines))
        yield from (stance for stance, hit in zip(stances, hits, strict=True) if not hit.any())


def _surface_candidates(scene: Scene, robot: RobotDescription, furniture: Entity, relation: str, beside: str
                 ) -> Iterable[BasePoseCandidate] | SkillResult:
    graph = scene.graph
    surfaces = [own_part(graph, furniture, s) for s in _meant(furniture, relation) if s.height < robot.reach_height[1]]
    if not surfaces and not furniture.surfaces and furniture.provenance == "detection":
        return SkillResult(Code.TOO_FAR, f"no surface of {furniture.id} has been seen yet; look at it from nearby",
                           Detail.UNSEEN, furniture.id)
    if not surfaces:
        return SkillResult(Code.TOO_FAR, f"{furniture.id} has no surface in reach of the arm; choose another",
                           target=furniture.id)
    others = [e.box for e in graph.contents(furniture.id) if e.kind is Kind.OBJECT]
    near = np.array(graph[beside].position[:2]) if beside else None
    load = graph.held()
    held = load.size if load is not None and min(load.size) > 0 else _UNSEEN
    return (stance for s in surfaces
            for stance in place_base_poses(robot, furniture, s, _standing_on(s, others), held, near))


def _standing_on(surface: Surface, things: Sequence[OrientedBox]) -> list[OrientedBox]:
    """Those of `things` that stand at the surface's height."""
    return [box for box in things if abs(box.bottom - surface.height) < _ON]


def _meant(furniture: Entity, relation: str) -> Sequence[Surface]:
    """Surfaces on or in furniture; without a relation the open ones, where there are any."""
    if relation:
        return [s for s in furniture.surfaces if relation == ("in" if s.inside else "on")]
    return [s for s in furniture.surfaces if not s.inside] or furniture.surfaces
