"""power_on and power_off: press a switch with the fingertips, or with what is held, until it gives no more."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import numpy as np

from dadu.core.geometry import transform, vector3
from dadu.core.robot import Command, Observation, RobotDescription
from dadu.house.furniture.entity import switch_of
from dadu.manipulation import sight
from dadu.manipulation.articulation.following import complete_path, enter, tool_now
from dadu.manipulation.articulation.parts import TIP
from dadu.manipulation.carry import is_folded, reach, retract
from dadu.motion.plan import ReachEntry
from dadu.robots import hand
from dadu.robots.body import Manipulator
from dadu.robots.gaze import look_at
from dadu.robots.kinematics import Posture
from dadu.robots.manipulator_settings import ManipulationSettings
from dadu.robots.motion import move
from dadu.skills.generator import Skill
from dadu.skills.outcome import Code, Detail, SkillFailed, SkillResult
from dadu.skills.scene import Scene
from dadu.world.graph import Articulation, Entity, Kind

BEFORE, BEYOND = 0.08, 0.03
"""the way of the fingertips, before and beyond where the switch is taken to be [m]"""
STEP = 0.02
"""between postures on it [m]"""
SPEED = 0.04
"""[m/s]"""
STILL, STILL_TIME = 0.002, 0.4
"""what moves less in that time is stopped by something [m, s]"""
NEARER, DEEPER = 0.025, 0.022
"""before, and beyond where it is taken to be, a stop that is the switch's [m]"""
TILTS = (np.pi / 2, np.pi / 3, np.pi / 4)
"""of fingers that press on a thing, below level [rad]"""
TOP = 0.02
"""of a thing, which is pressed from above [m]"""
_POWERED = "is_powered_on"


def press(robot: RobotDescription, scene: Scene, target_id: str, on: bool,
          settings: ManipulationSettings | None = None) -> Skill:
    """Switches furniture by its button, a thing by a touch from above; the base stands before it. SUCCEEDED once it is
    seen to be as wanted, UNCERTAIN where only the stop was felt."""
    body = Manipulator.from_description(robot, settings)
    observation = yield Command()
    try:
        target = _switched(scene, target_id)
        if target.states.get(_POWERED, False) is on:
            return SkillResult(Code.SUCCEEDED, f"{target_id} is {_word(on)} already", target=target_id)
        if not is_folded(body, observation):
            observation = yield from retract(body, observation)
        return (yield from _press(body, observation, scene, target, on))
    except SkillFailed as failure:
        return failure.about(target_id)


def _switched(scene: Scene, id: str) -> Entity:
    """Errors: SkillFailed (UNKNOWN_TARGET, NOT_INTERACTIVE)."""
    if id not in scene.graph:
        raise SkillFailed(Code.UNKNOWN_TARGET, f"{id!r} is not known; look for it first")
    target = scene.graph[id]
    if target.kind is Kind.FURNITURE and switch_of(target) is None:
        raise SkillFailed(Code.NOT_INTERACTIVE, f"{id} has no switch that this robot knows of")
    return target


def _press(body: Manipulator, observation: Observation, scene: Scene, target: Entity, on: bool) -> Skill:
    scene.phase = "look"
    known = switch_of(target) if target.kind is Kind.FURNITURE else None
    observation = yield from look_at(body, observation, target.position if known is None else known.handle)
    since = observation.stamp
    observation = yield from sight.fresh(observation, scene, since, body.settings.pick.look_time)
    scene.phase = "press"
    origin, holds = observation.base_pose, hand.holding(observation, body.robot, body.settings.gripper)
    switch, entry, onto = _way(body, observation, [known] if known is not None else _tops(body, observation, scene,
                                                                                         target, since))
    observation = yield from reach(body, observation, entry, None if holds else 0.0)
    stop = _Stop(body, switch)
    observation = yield from move(body, observation, onto, origin, patient=True, until=stop,
                                  least=(BEFORE + BEYOND) / SPEED)
    depth = stop.depth(observation)
    observation = yield from retract(body, observation, entry=entry, look=switch.handle)
    if not holds and not -NEARER <= depth <= DEEPER:
        early = depth < -NEARER
        what = "something stopped the hand before it" if early else "nothing was felt there"
        raise SkillFailed(Code.EXECUTION_FAILED, f"the switch of {target.id} was not pressed: {what}; go to it again "
                          "and retry", Detail.ARM_STALLED if early else Detail.NOT_THERE)
    return (yield from _confirm(body, observation, scene, target.id, on))


def _way(body: Manipulator, observation: Observation, switches: Sequence[Articulation]
         ) -> tuple[Articulation, ReachEntry, list[Posture]]:
    """The first of them that the arm gets to, to before it, and on beyond it. Errors: SkillFailed (ik_failed)."""
    *others, last = switches
    for switch in others:
        with suppress(SkillFailed):
            return _onto(body, observation, switch)
    return _onto(body, observation, last)


def _onto(body: Manipulator, observation: Observation, switch: Articulation
          ) -> tuple[Articulation, ReachEntry, list[Posture]]:
    """Errors: SkillFailed."""
    origin, outs = observation.base_pose, np.linspace(BEFORE, -BEYOND, round((BEFORE + BEYOND) / STEP) + 1)
    poses = [_fingertips(body, observation, switch, float(out)) for out in outs]
    entry = enter(body, observation, origin, poses[0])
    return switch, entry, complete_path(body, origin, poses[1:], entry.goal)


def _confirm(body: Manipulator, observation: Observation, scene: Scene, id: str, on: bool) -> Skill:
    scene.phase = "look"
    observation = yield from sight.fresh(observation, scene, observation.stamp, body.settings.pick.look_time)
    seen = id in scene.graph and scene.graph[id].states.get(_POWERED, False) is on
    return SkillResult(Code.SUCCEEDED if seen else Code.UNCERTAIN, f"{id} is {_word(on)}", target=id)


def _tops(body: Manipulator, observation: Observation, scene: Scene, thing: Entity, since: float
          ) -> list[Articulation]:
    """The upper end of a thing, as seen now, else as remembered: pressed straight down, else more and more from the
    robot's side."""
    seen = sight.match(sight.current(scene, since), thing, 0.3)
    x, y, z = thing.position[0], thing.position[1], thing.position[2] + thing.size[2] / 2
    if seen is not None:
        points = seen.points[seen.points[:, 2] > seen.points[:, 2].max() - TOP]
        x, y, z = points.mean(axis=0)
    point, heading = vector3((x, y, z)), observation.base_pose.yaw + body.robot.arm_direction
    ahead, down = np.array([np.cos(heading), np.sin(heading), 0.0]), np.array([0.0, 0.0, -1.0])
    axes = [vector3(np.cos(tilt) * ahead + np.sin(tilt) * down) for tilt in TILTS]
    return [Articulation("top", "slide", point, axis, point, (0.0, 0.0, 1.0), vector3(-np.array(axis)), TOP)
            for axis in axes]


def _fingertips(body: Manipulator, observation: Observation, switch: Articulation, out: float) -> np.ndarray:
    """T_map_tool (4, 4): the fingertips `out` [m] before the switch, pointing along its axis, side by side."""
    x = np.array(switch.axis, float)
    heading = observation.base_pose.yaw + body.robot.arm_direction
    level = np.array([-np.sin(heading), np.cos(heading), 0.0])
    y = level - x * (x @ level)
    y /= np.linalg.norm(y)
    return transform(np.column_stack([x, y, np.cross(x, y)]), np.array(switch.handle) - (out + TIP) * x)


class _Stop:
    """Called with every observation of the way: true once the hand, under way, is held up."""

    def __init__(self, body: Manipulator, switch: Articulation) -> None:
        self._body, self._switch = body, switch
        self._began: float | None = None
        self._last: tuple[float, float] | None = None

    def __call__(self, observation: Observation) -> bool:
        depth = self.depth(observation)
        self._began = depth if self._began is None else self._began
        if self._last is None or abs(depth - self._last[1]) > STILL:
            self._last = observation.stamp, depth
        return depth - self._began > STEP and observation.stamp - self._last[0] > STILL_TIME

    def depth(self, observation: Observation) -> float:
        """Of the fingertips beyond where the switch is taken to be [m]."""
        T = tool_now(self._body, observation)
        axis = np.array(self._switch.axis)
        return float(axis @ (T[:3, 3] + TIP * T[:3, 0] - np.array(self._switch.handle)))


def _word(on: bool) -> str:
    return "on" if on else "off"
