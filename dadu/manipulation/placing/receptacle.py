"""Where something is to be put: the receptacle's surfaces that fit, and what is known of the thing in the hand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dadu.core.errors import choices
from dadu.core.geometry import Pose2
from dadu.core.robot import Observation
from dadu.manipulation.placing.free_spots import Beside
from dadu.manipulation.support import surfaces
from dadu.robots import hand
from dadu.robots.body import Manipulator
from dadu.skills.outcome import Code, SkillFailed
from dadu.skills.scene import Scene
from dadu.world.claims import own_part
from dadu.world.graph import Entity, Kind, Surface, WorldGraph

UNSEEN = (0.09, 0.09, 0.2)
"""size of a held object of which none is known [m]"""
FARTHEST = 2.0
"""from here on a receptacle is not even looked at [m]"""


@dataclass(frozen=True)
class PlaceGoal:
    """What is put where."""

    name: str
    """of the held object, for messages"""
    category: str
    """of the held object, empty where unknown"""
    size: tuple[float, float, float]
    """of the held object [m]"""
    relation: str
    """on or in"""
    receptacle: Entity
    surfaces: tuple[Surface, ...]
    """candidates, the best first"""
    beside: Beside | None = None


def check_place(body: Manipulator, observation: Observation, scene: Scene, relation: str, receptacle_id: str,
                next_to: str) -> PlaceGoal:
    """Whatever rules the placing out before anything moves. Errors: SkillFailed."""
    graph = scene.graph
    if not hand.holding(observation, body.robot, body.settings.gripper):
        lost = graph.held()
        if lost is not None:
            raise SkillFailed(Code.OBJECT_LOST, f"{lost.id} is not in the hand any more; look for it and pick it again",
                              target=lost.id)
        raise SkillFailed(Code.HAND_EMPTY, "the hand is empty; pick something first")
    if receptacle_id not in graph:
        known = [entity.id for entity in graph.of(Kind.FURNITURE)]
        raise SkillFailed(Code.UNKNOWN_TARGET, f"no receptacle {receptacle_id!r} is known; known: {choices(known)}")
    receptacle, held = graph[receptacle_id], graph.held()
    if receptacle is held:
        raise SkillFailed(Code.NOT_INTERACTIVE, f"{receptacle_id} is in the hand; choose another receptacle")
    size = held.size if held is not None and min(held.size) > 0 else UNSEEN
    found = [own_part(graph, receptacle, surface) for surface in _surfaces(observation, receptacle, relation)]
    return PlaceGoal(held.id if held else "the object", held.category if held else "", size, relation, receptacle,
                     _fitting(body, observation, receptacle, found, size), _beside(graph, next_to))


def _surfaces(observation: Observation, receptacle: Entity, relation: str) -> list[Surface]:
    """Those that the relation means and a hand can get at. Errors: SkillFailed."""
    if relation not in ("on", "in"):
        raise SkillFailed(Code.UNKNOWN_ACTION, f"things are placed on or in something, not {relation!r}")
    wanted = relation == "in"
    every = list(surfaces(receptacle)) or _own_surface(receptacle, wanted)
    meant = [s for s in every if s.inside == wanted]
    if not meant:
        other = "on" if wanted else "in"
        able = f"; place it {other} {receptacle.id} or choose another" if every else "; choose another"
        raise SkillFailed(Code.NOT_INTERACTIVE, f"nothing can be put {relation} {receptacle.id}{able}")
    open_ = [s for s in meant if not s.part or _is_open(receptacle, s)]
    if not open_:
        raise SkillFailed(Code.CONTAINER_CLOSED, f"{receptacle.id} is closed; the hand must be empty to open it: put "
                          f"what is held down elsewhere, open({receptacle.id}), and come back")
    here = np.array(observation.base_pose[:2])
    away = min(float(np.linalg.norm(np.array(s.pose[:2]) - here)) - max(s.size) / 2 for s in open_)
    if away > FARTHEST:
        raise SkillFailed(Code.TOO_FAR, f"{receptacle.id} is {away:.1f} m away; go_to({receptacle.id}) first")
    return open_


def _fitting(body: Manipulator, observation: Observation, receptacle: Entity, found: list[Surface],
             size: tuple[float, float, float]) -> tuple[Surface, ...]:
    """At heights that the arm reaches and with room for the object; the most comfortable first. Errors: SkillFailed."""
    low, high = body.robot.reach_height
    fit = [s for s in found if low - 0.15 <= s.height <= high - 0.1 and s.clearance > size[2] + 0.03]
    if not fit:
        raise SkillFailed(Code.TOO_FAR, f"no place {'in' if found[0].inside else 'on'} {receptacle.id} is at a height "
                          "that suits the arm and the object; choose another receptacle")
    return tuple(sorted(fit, key=lambda s: (-min(s.clearance, 0.5), abs(s.height - 0.75))))


def _own_surface(receptacle: Entity, inside: bool) -> list[Surface]:
    """The upper side, or the inside, of an object that carries others, such as a tray or a basket."""
    x, y, z = receptacle.position
    length, width, height = receptacle.size
    if receptacle.kind is not Kind.OBJECT or min(length, width) < 0.12:
        return []
    level = z - height / 2 + 0.01 if inside else z + height / 2
    return [Surface("inside" if inside else "top", Pose2(x, y, receptacle.yaw), level, (length, width), 2.0, inside)]


def _is_open(receptacle: Entity, surface: Surface) -> bool:
    part = receptacle.part_of(surface)
    return part is None or part.open


def _beside(graph: WorldGraph, next_to: str) -> Beside | None:
    if not next_to:
        return None
    if next_to not in graph:
        known = [entity.id for entity in graph.of(Kind.OBJECT)]
        raise SkillFailed(Code.UNKNOWN_TARGET, f"no object {next_to!r} is known to place it beside; known: "
                          f"{choices(known)}")
    return Beside(graph[next_to].box, graph[next_to].kind is Kind.OBJECT)
