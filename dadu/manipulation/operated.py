"""A skill as a person at the controls carries it out: the robot asks, watches, and says what became of it."""

from __future__ import annotations

from dadu.core.robot import Command, RobotDescription
from dadu.manipulation.policy.verdict import VERDICTS
from dadu.robots.body import Manipulator
from dadu.robots.manipulator_settings import ManipulationSettings
from dadu.skills.call import SkillCall
from dadu.skills.generator import Skill
from dadu.skills.outcome import Code, SkillFailed
from dadu.skills.scene import Scene
from dadu.skills.spoken import spoken

LONGEST = 120.0
"""[s] for a person to come to the controls and do it: within a skill's deadline"""


def operated(robot: RobotDescription, scene: Scene, call: SkillCall, *,
             settings: ManipulationSettings | None = None) -> Skill:
    """Commands nothing until what `call` wants is felt and the controls are let go of, or its time is over; then draws
    the arm in. The outcome is what is sensed, as with a policy: nobody is believed."""
    body = Manipulator.from_description(robot, settings)
    observation = yield Command()
    verdict = VERDICTS[call.skill](body, scene, call)
    try:
        verdict.check(observation)
        scene.phase, scene.by_person = f"a person is asked to {spoken(call, scene.graph)} (dadu teleop)", True
        end = observation.stamp + LONGEST
        while not (verdict.reached(observation) and not scene.driven):
            if observation.stamp > end:
                raise SkillFailed(Code.TIMED_OUT, f"no person has done it within {LONGEST:.0f} s; try another way")
            observation = yield Command()
        scene.phase, scene.by_person = "retract", False
        return (yield from verdict.conclude(observation))
    except SkillFailed as failure:
        return failure.about(verdict.target)
    finally:
        scene.by_person = False
