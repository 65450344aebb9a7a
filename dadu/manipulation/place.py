"""place: put what is held on or into a receptacle, lowered until it stands, verified by an empty hand and by sight."""

from __future__ import annotations

from dadu.core.robot import Command, Observation, RobotDescription
from dadu.manipulation.carry import is_folded, retract
from dadu.manipulation.failure_memory import FailureMemory
from dadu.manipulation.placing import planning, putting
from dadu.manipulation.placing.receptacle import PlaceGoal, check_place
from dadu.robots import hand
from dadu.robots.body import Manipulator
from dadu.robots.manipulator_settings import ManipulationSettings
from dadu.robots.motion import Motion
from dadu.skills.generator import Skill
from dadu.skills.outcome import Code, Detail, SkillFailed, SkillResult
from dadu.skills.scene import Scene

CLEAR = 0.06
"""straight up from what stalled the arm [m]"""


def place(robot: RobotDescription, scene: Scene, relation: str, receptacle_id: str, next_to: str = "", *,
          failures: FailureMemory | None = None, settings: ManipulationSettings | None = None) -> Skill:
    """Puts the held object ``on`` or ``in`` the receptacle, next to the object `next_to` where that is given.

    The base stands beside the receptacle already; it shifts along its x axis only. `failures` is read and written:
    a spot that the arm did not get to comes last. See `dadu.skills.outcome`.
    """
    body, failures = Manipulator.from_description(robot, settings), FailureMemory() if failures is None else failures
    observation = yield Command()
    try:
        goal = check_place(body, observation, scene, relation, receptacle_id, next_to)
        if not is_folded(body, observation):
            observation = yield from retract(body, observation)
        return (yield from _place(body, observation, scene, goal, failures))
    except SkillFailed as failure:
        return failure.about(receptacle_id)


def _back_out(body: Manipulator, plan: planning.PlacePlan) -> Motion:
    """Out of what stalled the arm, folded, what is held still in the hand: so that the base can drive again."""
    observation = yield Command.stop()
    try:
        return (yield from retract(body, observation, lift=CLEAR, entry=plan.entry))
    except SkillFailed:
        return observation  # what stalled it first is what the planner has to know


def _place(body: Manipulator, observation: Observation, scene: Scene, goal: PlaceGoal,
           failures: FailureMemory) -> Skill:
    scene.phase = "look"
    observation, frame = yield from putting.survey(body, observation, scene, goal)
    observation, plan = yield from planning.choose(body, observation, scene, goal, frame, failures)
    scene.phase = "extend"
    try:
        observation = yield from putting.reach_over(body, observation, goal, plan)
    except SkillFailed as failure:
        if failure.result.detail == Detail.ARM_STALLED:
            failures.stalled(plan.spot.position, plan.entry.origin)
        yield from _back_out(body, plan)
        raise
    failures.arrived()
    scene.phase = "lower"
    observation = yield from putting.lower(body, observation, goal, plan)
    scene.phase = "release"
    observation = yield from putting.release(body, observation, plan)
    scene.phase = "retract"
    observation = yield from retract(body, observation, entry=plan.entry, look=putting.standing(goal, plan))
    scene.phase = "look"
    observation, seen = yield from putting.confirm(body, observation, scene, goal, plan)
    where = f"{goal.relation} {goal.receptacle.id}"
    if hand.holding(observation, body.robot, body.settings.gripper):
        return SkillResult(Code.EXECUTION_FAILED, f"the fingers still feel {goal.name}, which is not {where}; place it "
                           "again", target=goal.name)
    if not seen:
        return SkillResult(Code.UNCERTAIN, f"{goal.name} was let go {where}, but is not seen there; look again",
                           target=goal.name)
    return SkillResult(Code.SUCCEEDED, f"{goal.name} stands {where}", target=goal.name)
