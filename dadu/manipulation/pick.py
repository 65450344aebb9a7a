"""pick: take an object by friction, verified by what the gripper feels, and draw it in for driving."""

from __future__ import annotations

from dadu.core.robot import Command, Observation, RobotDescription
from dadu.manipulation.carry import is_folded, retract
from dadu.manipulation.failure_memory import FailureMemory
from dadu.manipulation.grasp import grasping
from dadu.manipulation.grasp.target import Target, check_known, check_reach, locate
from dadu.robots import hand
from dadu.robots.body import Manipulator
from dadu.robots.manipulator_settings import ManipulationSettings
from dadu.robots.motion import Motion
from dadu.skills.generator import Skill
from dadu.skills.outcome import Code, Detail, SkillFailed, SkillResult
from dadu.skills.scene import Scene


def pick(robot: RobotDescription, scene: Scene, object_id: str, *, failures: FailureMemory | None = None,
         settings: ManipulationSettings | None = None) -> Skill:
    """Looks for the object, grasps it, lifts it clear of its support and folds the arm with it.

    The base stands beside the furniture already; it shifts along its x axis only. `failures` is read and written: what
    failed in an earlier pick is not simply done again. See `dadu.skills.outcome`.
    """
    body, failures = Manipulator.from_description(robot, settings), FailureMemory() if failures is None else failures
    observation = yield Command()
    try:
        check_known(body, observation, scene, object_id)
        if not is_folded(body, observation):
            observation = yield from retract(body, observation)
        return (yield from _pick(body, observation, scene, object_id, failures))
    except SkillFailed as failure:
        return failure.about(object_id)


def _pick(body: Manipulator, observation: Observation, scene: Scene, object_id: str, failures: FailureMemory) -> Skill:
    attempt = 0
    while True:
        attempt += 1
        scene.phase = "look"
        observation, target = yield from locate(body, observation, scene, object_id)
        check_reach(body, observation, target)
        observation, plan = yield from grasping.choose(body, observation, scene, target, failures)
        try:
            observation = yield from _take(body, observation, scene, target, plan)
            failures.forget(object_id)
            how = ", known by its place and size alone: the detector did not name it" if target.unnamed else ""
            return SkillResult(Code.SUCCEEDED, f"{object_id} is in the hand{how}", target=object_id)
        except SkillFailed:
            failures.failed(object_id, target.place, plan.grasp, plan.entry.origin)
            observation = yield from _recover(body, scene, plan, open=scene.phase != "approach")
            if attempt >= body.settings.pick.attempts:
                raise


def _take(body: Manipulator, observation: Observation, scene: Scene, target: Target,
          plan: grasping.GraspPlan) -> Motion:
    """Reach, close, lift, draw in; after each of the last three the object must still be in the hand."""
    scene.phase = "approach"
    observation = yield from grasping.reach_in(body, observation, plan)
    scene.phase = "close"
    observation = yield from hand.close_hand(body, observation)
    _must_hold(body, observation, target, Detail.NO_GRASP, "the fingers closed on nothing")
    scene.phase = "lift"
    observation = yield from grasping.lift_out(body, observation, plan)
    _must_hold(body, observation, target, Detail.GRASP_SLIPPED, "it slipped from the fingers when lifted")
    scene.phase = "retract"
    observation = yield from retract(body, observation, entry=plan.entry, over=plan.over)
    if not hand.holding(observation, body.robot, body.settings.gripper):
        raise SkillFailed(Code.OBJECT_LOST, f"{target.id} fell from the hand while the arm was drawn in; look for it "
                          f"near {target.support or 'here'} and pick it again", Detail.GRASP_SLIPPED)
    return observation


def _recover(body: Manipulator, scene: Scene, plan: grasping.GraspPlan, open: bool) -> Motion:
    """After a failed grasp: let go, back out, fold, so that the next attempt, or driving, can begin. Fingers that
    never closed are left as they are, to `open` them there could push against what is in the way."""
    scene.phase = "recover"
    observation = yield Command.stop()
    if open:
        observation = yield from hand.open_hand(body, observation, plan.opening)
    else:
        observation = yield from hand.relax(observation)
    observation = yield from retract(body, observation, lift=0.02, entry=plan.entry)
    return (yield from hand.close_hand(body, observation))


def _must_hold(body: Manipulator, observation: Observation, target: Target, detail: str, what: str) -> None:
    if not hand.holding(observation, body.robot, body.settings.gripper):
        raise SkillFailed(Code.EXECUTION_FAILED, f"{target.id} was not taken: {what}; try again, or from another place",
                          detail)
