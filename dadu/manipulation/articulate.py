"""open and close: a hinged door or a drawer, by its handle, verified by where the hand went and by sight."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace

import numpy as np

from dadu.core.errors import choices
from dadu.core.robot import Command, Observation, RobotDescription
from dadu.manipulation.articulation import part_sense
from dadu.manipulation.articulation.pulling import pull, push
from dadu.manipulation.articulation.widening import draw_shut, widen
from dadu.manipulation.carry import is_folded, retract
from dadu.robots import hand
from dadu.robots.body import Manipulator
from dadu.robots.manipulator_settings import ManipulationSettings
from dadu.skills.generator import Skill
from dadu.skills.outcome import Code, Detail, SkillFailed, SkillResult
from dadu.skills.scene import Scene
from dadu.world.graph import Articulation, Entity
from dadu.world.handles import path_of

WIDE = 0.75
"""a door that stands open by less than this share of its range is pulled again: the arm wants room"""
_WAYS = {(True, True): (pull, widen, pull), (False, True): (pull, pull),
         (True, False): (push, draw_shut, push), (False, False): (push, push)}
"""by whether a part is hinged, and opened, in the order in which they are tried: a second pull or push starts where
the first one left it"""


@dataclass(frozen=True)
class ArticulateResult(SkillResult):
    """Adds where the part stood at the end."""

    value: float = 0.0
    """as sensed [rad or m]"""


def articulate(robot: RobotDescription, scene: Scene, receptacle_id: str, part: str = "", open: bool = True,
               settings: ManipulationSettings | None = None) -> Skill:
    """Opens or closes `part` of the receptacle; without a name the only one, or the nearest still to be moved.

    The base stands beside the front; it drives along its x axis while a door turns. The result's target is the part,
    as `dadu.world.handles.path_of` has it, once one was chosen.
    """
    body = Manipulator.from_description(robot, settings)
    observation = yield Command()
    concerned = receptacle_id
    try:
        chosen = choose_part(body, observation, scene, receptacle_id, part, open)
        concerned = path_of(receptacle_id, chosen.name)
        if not is_folded(body, observation):
            observation = yield from retract(body, observation)
        return (yield from _articulate(body, observation, scene, receptacle_id, chosen, open))
    except SkillFailed as failure:
        return failure.about(concerned)


def choose_part(body: Manipulator, observation: Observation, scene: Scene, receptacle_id: str, name: str,
                opening: bool) -> Articulation:
    """Errors: SkillFailed (HAND_FULL, UNKNOWN_TARGET, NOT_INTERACTIVE, TOO_FAR)."""
    verb = "open" if opening else "close"
    if hand.holding(observation, body.robot, body.settings.gripper):
        held = scene.graph.held()
        raise SkillFailed(Code.HAND_FULL, f"the hand holds {held.id if held else 'something'}; place it before you "
                          f"{verb} anything")
    if receptacle_id not in scene.graph:
        known = [entity.id for entity in scene.graph if entity.parts]
        raise SkillFailed(Code.UNKNOWN_TARGET, f"{receptacle_id!r} is not known; to {verb}: {choices(known)}")
    entity = scene.graph[receptacle_id]
    parts = [p for p in entity.parts if name in ("", p.name)]
    if not parts:
        raise SkillFailed(Code.NOT_INTERACTIVE, _nothing_to_move(scene, entity, name, verb))
    here = np.array(observation.base_pose[:2])
    waiting = [p for p in parts if not (p.open if opening else p.closed)] or parts
    part = min(waiting, key=lambda p: float(np.linalg.norm(np.array(p.handle[:2]) - here)))
    away = float(np.linalg.norm(np.array(part.handle[:2]) - here))
    if away > 2.0:
        raise SkillFailed(Code.TOO_FAR, f"{receptacle_id} is {away:.1f} m away; go_to({receptacle_id}) first")
    return part


def _articulate(body: Manipulator, observation: Observation, scene: Scene, receptacle_id: str, part: Articulation,
                opening: bool) -> Skill:
    verb, done = ("open", "opened") if opening else ("close", "closed")
    target = path_of(receptacle_id, part.name)
    scene.phase = "look"
    observation, seen = yield from part_sense.look(body, observation, scene, part, part.value)
    if seen is not None and _surely_reached(part, seen.value, opening):
        return _result(Code.SUCCEEDED, f"{receptacle_id} is {done} already", target, seen.value)
    moved = yield from _move(body, observation, scene, part, seen, opening)
    if _reached(part, moved.value, opening):
        sure = moved.seen and _surely_reached(part, moved.value, opening)
        return _result(Code.SUCCEEDED if sure else Code.UNCERTAIN, f"{receptacle_id} is {done}", target, moved.value)
    raise moved.failure or SkillFailed(
        Code.EXECUTION_FAILED, f"{receptacle_id} did not {verb}: it stands at {100 * moved.value / part.range:.0f} %; "
        f"go_to({receptacle_id}) and try again", Detail.DOOR_STUCK)


@dataclass(frozen=True)
class _Moved:
    """What became of a part."""

    value: float
    """where it stands, as seen, or as the hand went [rad or m]"""
    seen: bool
    failure: SkillFailed | None
    """of the last way that failed"""


def _move(body: Manipulator, observation: Observation, scene: Scene, part: Articulation,
          seen: part_sense.PartSighting | None,
          opening: bool) -> Generator[Command, Observation, _Moved]:
    """One way after the other, with a look after each, until the part stands as it should. `seen`: before."""
    failure: SkillFailed | None = None
    value = part.value if seen is None else seen.value
    for way in _WAYS[part.kind == "hinge", opening]:
        scene.phase = way.__name__
        try:
            observation, value = yield from way(body, observation, seen.part if seen else part, value)
        except SkillFailed as error:
            failure = error
            observation = yield Command.stop()
        observation = yield from retract(body, observation, look=part.handle_at(value))
        scene.phase = "look"
        observation, seen = yield from part_sense.look(body, observation, scene, part, value)
        value = value if seen is None else seen.value
        if _surely_reached(part, value, opening) and not (opening and value < WIDE * part.range):
            break
    return _Moved(value, seen is not None, failure)


def _reached(part: Articulation, value: float, opening: bool) -> bool:
    moved = replace(part, value=value)
    return moved.open if opening else moved.closed


def _surely_reached(part: Articulation, value: float, opening: bool) -> bool:
    moved = replace(part, value=value)
    return moved.surely_open if opening else moved.surely_closed


def _result(code: Code, message: str, target: str, value: float) -> ArticulateResult:
    return ArticulateResult(code, message, target=target, value=value)


def _nothing_to_move(scene: Scene, entity: Entity, name: str, verb: str) -> str:
    if entity.parts:
        return f"{entity.id} has no part {name!r}; it has: {choices(p.name for p in entity.parts)}"
    others = [other.id for other in scene.graph if other.parts]
    return f"{entity.id} has nothing to {verb}; what can be: {choices(others)}"
