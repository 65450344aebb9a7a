"""From an entity of the world graph to what the camera sees of it now."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace

import numpy as np

from dadu.core.errors import choices
from dadu.core.robot import Command, Observation
from dadu.manipulation import sight
from dadu.manipulation.grasp.by_shape import standing, whole
from dadu.manipulation.grasp.shape import UprightBox, fit_box
from dadu.manipulation.support import barrier, surface_below, surfaces
from dadu.robots import hand
from dadu.robots.body import Manipulator
from dadu.robots.gaze import look_at
from dadu.skills.outcome import Code, Detail, SkillFailed
from dadu.skills.scene import Scene
from dadu.world.detection import Detection, DetectionFrame
from dadu.world.graph import Entity, Kind, Surface

BEYOND = 0.05
"""the fingers may close this much short of a thing's centre [m]"""
FARTHEST = 2.5
"""from here on a target is not even looked at [m]"""
_MATCH_DISTANCE = 0.35
"""a detection this near to where memory has the object may be it [m]"""


@dataclass(frozen=True)
class Target:
    """One object as it stands there now."""

    id: str
    box: UprightBox
    frame: DetectionFrame
    """the picture it was seen in"""
    support: str = ""
    """furniture it stands on or in, or empty"""
    surface: Surface | None = None
    unnamed: bool = False
    """known by its place and size alone: the detector did not name it"""

    @property
    def place(self) -> tuple[float, float, float]:
        """The middle of its underside [m, map]."""
        return float(self.box.centre[0]), float(self.box.centre[1]), self.box.bottom


def check_known(body: Manipulator, observation: Observation, scene: Scene, object_id: str) -> None:
    """Whatever rules a pick out before anything moves. Errors: SkillFailed."""
    if hand.holding(observation, body.robot, body.settings.gripper):
        held = scene.graph.held()
        raise SkillFailed(Code.HAND_FULL, f"the hand holds {held.id if held else 'something'}; place it first")
    known = [entity.id for entity in scene.graph.of(Kind.OBJECT)]
    if object_id not in known:
        raise SkillFailed(Code.UNKNOWN_TARGET, f"no object {object_id!r} is known; known: {choices(known)}")
    shut = barrier(scene.graph, scene.graph[object_id])
    if shut is not None:
        raise SkillFailed(Code.CONTAINER_CLOSED, f"{object_id} is in {shut[0].id}, which is closed; "
                          f"open({shut[0].id}) first", target=object_id)
    away = _distance(observation, scene.graph[object_id])
    if away > FARTHEST:
        raise SkillFailed(Code.TOO_FAR, f"{object_id} is {away:.1f} m away; go_to({object_id}) first")


def locate(body: Manipulator, observation: Observation, scene: Scene, object_id: str,
           ) -> Generator[Command, Observation, tuple[Observation, Target]]:
    """Looks at the object until a picture shows it; where none does, but something of its size stands at its place, it
    is that. Errors: SkillFailed (UNKNOWN_TARGET, not_there or not_seen)."""
    pick, frame, first = body.settings.pick, None, None
    for place, distance in _places(scene, scene.graph[object_id], _MATCH_DISTANCE):
        observation = yield from look_at(body, observation, place)
        observation, frame = yield from _watch_for(observation, scene, scene.graph[object_id], distance, pick.look_time)
        seen = sight.match(frame, scene.graph[object_id], distance)
        if frame is not None and seen is not None:
            return observation, _target(body, scene, object_id, seen, frame)
        first = first or frame
    if first is not None and (points := standing(first, scene.graph, scene.graph[object_id])) is not None:
        return observation, replace(target_of(scene, object_id, points, first), unnamed=True)
    raise _unseen(scene, scene.graph[object_id], frame)


def _watch_for(observation: Observation, scene: Scene, entity: Entity, distance: float, longest: float,
               ) -> Generator[Command, Observation, tuple[Observation, DetectionFrame | None]]:
    """Waits for a picture with the entity in it; the newest there is otherwise."""
    since = observation.stamp
    observation = yield from sight.fresh(observation, scene, since, longest,
                                         lambda frame: sight.match(frame, entity, distance) is not None)
    return observation, sight.current(scene, since)


def _target(body: Manipulator, scene: Scene, object_id: str, seen: Detection, frame: DetectionFrame) -> Target:
    """The whole thing, where that goes between the fingers; else what was seen of it, which may be its handle."""
    target = target_of(scene, object_id, whole(frame, scene.graph, seen), frame)
    return target if min(target.box.size) < body.robot.aperture_max else target_of(scene, object_id, seen.points, frame)


def target_of(scene: Scene, object_id: str, points: np.ndarray, frame: DetectionFrame) -> Target:
    """The box around the object's points (N, 3) [m, map], on the support that the graph knows."""
    lowest, middle = float(points[:, 2].min()), points.mean(axis=0)
    below = surface_below(scene.graph, (*middle[:2], lowest))
    # A support far below is not its support: it stands on something the graph does not know.
    if below is not None and lowest - below[1].height > 0.5 * max(0.1, float(np.ptp(points[:, 2]))) + 0.05:
        below = None
    bottom = below[1].height if below else lowest
    box = fit_box(points, frame.T_map_camera[:3, 3], bottom)
    return Target(object_id, box, frame, below[0].id if below else "", below[1] if below else None)


def check_reach(body: Manipulator, observation: Observation, target: Target) -> None:
    """Errors: SkillFailed (TOO_FAR, TOO_CLOSE), naming by how much."""
    robot = body.robot
    x, y = observation.base_pose.inverse().apply(target.box.centre)
    along = np.array([np.cos(robot.arm_direction), np.sin(robot.arm_direction)])
    distance, aside = float(along @ (x, y)), float(np.array([-along[1], along[0]]) @ (x, y))
    if distance > robot.reach[1] + BEYOND or abs(aside) > body.settings.pick.max_drive + 0.25:
        raise SkillFailed(Code.TOO_FAR, f"{target.id} is {distance:.2f} m along the arm and {abs(aside):.2f} m aside, "
                          f"the arm reaches {robot.reach[1]:.2f} m; go_to({target.id}) first")
    if distance < 0.3 * robot.reach[0]:
        raise SkillFailed(Code.TOO_CLOSE, f"{target.id} is too near the robot for the arm to reach it; "
                          f"go_to({target.id}) to stand better")


def _places(scene: Scene, entity: Entity, distance: float) -> Iterator[tuple[tuple[float, float, float], float]]:
    """Points (3,) [m, map] to look at, and how far from its known place the object may be seen [m]."""
    yield entity.position, distance
    below = surface_below(scene.graph, entity.position)
    edge = scene.graph.support(entity.id)
    if edge is not None and edge.object in scene.graph:
        furniture = scene.graph[edge.object]
        found = [s for s in surfaces(furniture) if s.name == edge.part]
        # A drawer carries things along; what was pushed aside is still on its support.
        for surface in found or ([below[1]] if below else []):
            yield (surface.pose.x, surface.pose.y, surface.height), distance + max(surface.size) / 2


def _unseen(scene: Scene, entity: Entity, frame: DetectionFrame | None) -> SkillFailed:
    if frame is None:
        return SkillFailed(Code.EXECUTION_FAILED, "no picture came from the camera; try again", Detail.NOT_SEEN)
    seen = sorted({f"{d.label}" for d in frame.detections})
    edge = scene.graph.support(entity.id)
    where = f"{edge.relation.value} {edge.object}" if edge else "where it was"
    return SkillFailed(Code.UNKNOWN_TARGET, f"{entity.id} is not seen {where}; seen here: {choices(seen)}; "
                       f"explore to find it, or go_to another side", Detail.NOT_THERE)


def _distance(observation: Observation, entity: Entity) -> float:
    return float(np.hypot(entity.position[0] - observation.base_pose.x, entity.position[1] - observation.base_pose.y))
