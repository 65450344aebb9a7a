"""Which generator carries out which skill of the table, in process and in the nodes alike; `dadu.stacks.oracle` has the
oracle's functions. A test demands that each entry of the table is bound."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from dadu.core.errors import ConfigError
from dadu.core.plugins import find
from dadu.core.robot import RobotDescription
from dadu.manipulation.articulate import articulate
from dadu.manipulation.failure_memory import FailureMemory
from dadu.manipulation.handover import handover
from dadu.manipulation.operated import operated
from dadu.manipulation.pick import pick
from dadu.manipulation.place import place
from dadu.manipulation.policy.skill import follow_policy
from dadu.manipulation.press import press
from dadu.manipulation.recover_then import recover_then
from dadu.navigation.explore import explore
from dadu.navigation.go_to import Drive, go_to
from dadu.planner.loop.skill_context import SkillContext
from dadu.robots.manipulator_settings import ManipulationSettings
from dadu.skills.call import SkillCall
from dadu.skills.generator import Skill
from dadu.skills.outcome import Code, SkillResult
from dadu.skills.scene import Scene
from dadu.skills.table import SKILLS
from dadu.skills.wait import wait
from dadu.stacks.ways import PERSON, PLANNED, POLICY, SkillWays


@dataclass
class Equipment:
    """What the skills of one robot work with, from one skill to the next."""

    robot: RobotDescription
    scene: Scene
    drive: Drive | None = None
    """shared between drives; without one, each makes its own"""
    manipulation: ManipulationSettings | None = None
    failures: FailureMemory = field(default_factory=FailureMemory)
    ways: SkillWays = SkillWays()
    """how skills are carried out"""
    lock_step: bool = False
    """the world stands still while a skill thinks"""


Bound = Callable[[Equipment, SkillContext, Mapping[str, str]], Skill]
"""Makes the generator; the mapping holds the call's arguments by name."""


def _go_to(use: Equipment, skill_context: SkillContext, given: Mapping[str, str]) -> Skill:
    if skill_context.stance is None:
        raise ValueError("a go_to needs a stance: see choose_base_pose")
    looks = skill_context.purpose == "look"  # other skills look by themselves
    work = None if skill_context.work is None else np.array(skill_context.work)
    return go_to(use.robot, use.scene, skill_context.stance, use.drive, look=None if looks else (), work=work)


def _pick(use: Equipment, skill_context: SkillContext, given: Mapping[str, str]) -> Skill:
    return pick(use.robot, use.scene, given["object"], failures=use.failures, settings=use.manipulation)


def _place(use: Equipment, skill_context: SkillContext, given: Mapping[str, str]) -> Skill:
    return place(use.robot, use.scene, given["relation"], given["receptacle"], given.get("reference", ""),
                 failures=use.failures, settings=use.manipulation)


def _articulate(open: bool) -> Bound:
    def bound(use: Equipment, skill_context: SkillContext, given: Mapping[str, str]) -> Skill:
        return articulate(use.robot, use.scene, given["receptacle"], skill_context.part, open, use.manipulation)
    return bound


def _press(on: bool) -> Bound:
    def bound(use: Equipment, skill_context: SkillContext, given: Mapping[str, str]) -> Skill:
        return press(use.robot, use.scene, given["object"], on, use.manipulation)
    return bound


GENERATORS: Mapping[str, Bound] = {
    "go_to": _go_to, "pick": _pick, "place": _place, "open": _articulate(True), "close": _articulate(False),
    "handover": lambda use, skill_context, given: handover(use.robot, use.scene, given["agent"],
                                                           settings=use.manipulation),
    "explore": lambda use, skill_context, given: explore(use.robot, use.scene, given["room"], use.drive),
    "wait": lambda use, skill_context, given: wait(), "power_on": _press(True), "power_off": _press(False),
}
"""What a robot's body can carry out. Skills that are not here are the oracle's alone."""


def _by(way: str, planned: Bound, call: SkillCall) -> Bound:
    """Errors: ConfigError where a way of one's own is not found."""
    if way == PLANNED:
        return planned
    if way == PERSON:
        return lambda use, skill_context, given: operated(use.robot, use.scene, call, settings=use.manipulation)
    if way.startswith(POLICY):
        return lambda use, skill_context, given: follow_policy(
            use.robot, use.scene, call, way.removeprefix(POLICY), settings=use.manipulation, lock_step=use.lock_step)
    found: Bound = find(way)
    return found


def _told(skill: Skill, name: str, others: str) -> Skill:
    """The skill; its result says by which way it came about, and `others` where it failed."""
    result = yield from skill
    also = f"; also: {others}" if others and not result.ok else ""
    return replace(result, message=f"{result.message} (by {name}{also})", by=name)


ENDS = "done"
"""carried out by nobody: it ends the instruction"""


def begin(use: Equipment, call: SkillCall, skill_context: SkillContext | None = None) -> Skill | SkillResult:
    """The generator of `call`; UNKNOWN_ACTION where there is none. Errors: ValueError for a go_to without stance, which
    `dadu.stacks.standing` chooses."""
    bound = GENERATORS.get(call.skill)
    if bound is None:
        return SkillResult(Code.UNKNOWN_ACTION, f"this robot cannot {call.skill}")
    spec, skill_context = SKILLS[call.skill], skill_context or SkillContext()
    try:
        name, way = use.ways.named(call.skill, skill_context.by)
    except ConfigError as error:
        return SkillResult(Code.UNKNOWN_ACTION, str(error))
    skill = _by(way, bound, call)(use, skill_context, spec.named(call.arguments))
    known = use.ways.of(call.skill)
    if len(known) > 1 or way != PLANNED:
        skill = _told(skill, name, ", ".join(other for other in known if other != name))
    return recover_then(use.robot, use.scene, skill, use.manipulation, drives=spec.drives) if spec.action else skill
