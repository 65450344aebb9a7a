"""A skill as a learned policy moves it: asked again and again, held to limits, ended by what is sensed."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import suppress
from typing import Any

import numpy as np

from dadu.core.geometry import Pose2
from dadu.core.robot import Command, GripperCommand, JointTrajectory, Observation, RobotDescription, Twist, Waypoint
from dadu.manipulation.carry import retract
from dadu.manipulation.grasp.shape import UprightBox
from dadu.manipulation.policy.chunk import ServerFacts, Steps, read_chunk, read_metadata
from dadu.manipulation.policy.client import PolicyClient, PolicyGone, PolicyUnusable
from dadu.manipulation.policy.verdict import VERDICTS, SensedVerdict
from dadu.manipulation.room import SIDE, obstacles, scanned
from dadu.motion.model import body_model
from dadu.motion.scene import CollisionScene
from dadu.perception.upright import quarter_turns, turned
from dadu.robots.body import Manipulator
from dadu.robots.kinematics import Posture
from dadu.robots.manipulator_settings import ManipulationSettings
from dadu.robots.motion import Motion
from dadu.robots.vectors import effort, state
from dadu.skills.call import SkillCall
from dadu.skills.generator import Skill
from dadu.skills.outcome import Code, Detail, SkillFailed
from dadu.skills.scene import Scene
from dadu.skills.spoken import spoken
from dadu.world.boxes import OrientedBox

LONGEST = 60.0
"""[s] for a policy at one skill: thrice what the slowest planned one takes"""
_BLOCKED = 3
"""chunks on end that would run into something at their first step"""
_FINER = 1e-3
"""[m] by which an aperture has to change to be commanded anew"""
_FOR_EVER = 3600.0


def follow_policy(robot: RobotDescription, scene: Scene, call: SkillCall, url: str, *,
                  settings: ManipulationSettings | None = None, lock_step: bool = False) -> Skill:
    """Has the policy at `url` move the body until what `call` wants is felt, it says that it is done, or its time is
    over; then draws the arm in. `lock_step`: the world stands still while it is waited for.

    Whatever it commands, the outcome is what is sensed: see `dadu.manipulation.policy.verdict`.
    """
    body = Manipulator.from_description(robot, settings)
    observation = yield Command()
    verdict = VERDICTS[call.skill](body, scene, call)
    try:
        verdict.check(observation)
        try:
            observation = yield from _steered(body, observation, verdict, url, lock_step)
        except SkillFailed:
            observation = yield Command.stop()
            with suppress(SkillFailed):  # what went wrong is said, not that the arm cannot be drawn in either
                yield from retract(body, observation, lift=body.settings.pick.lift)
            raise
        scene.phase = "retract"
        return (yield from verdict.conclude(observation))
    except SkillFailed as failure:
        return failure.about(verdict.target)


def _steered(body: Manipulator, observation: Observation, verdict: SensedVerdict, url: str, lock_step: bool) -> Motion:
    """Errors: SkillFailed."""
    client, end, blocked = PolicyClient(url), observation.stamp + LONGEST, 0
    prompt = spoken(verdict.call, verdict.scene.graph)
    wait = _FOR_EVER if lock_step else 0.0
    verdict.scene.phase, moving = "policy", Twist()
    try:
        observation, metadata = yield from _heard(client, observation, wait)
        facts = read_metadata(metadata, body.robot)
        while observation.stamp < end:
            client.ask(_shown(observation, body.robot, prompt, facts))
            asked = observation
            observation, answer = yield from _heard(client, observation, wait)
            moving = moving if observation is asked else Twist()  # it stood meanwhile
            steps = read_chunk(answer, facts, body.robot, observation, body.settings.motion, moving)
            free = free_steps(body, observation, verdict.scene, steps, verdict.box())
            blocked = 0 if free or not steps.joints else blocked + 1
            if blocked >= _BLOCKED:
                raise SkillFailed(Code.EXECUTION_FAILED, "the policy would run into something; try another way",
                                  Detail.PATH_BLOCKED)
            observation = yield from _carried_out(observation, steps, free, verdict)
            moving = steps.twists[free - 1] if free else Twist()
            if verdict.reached(observation) or steps.done:
                return (yield Command.stop())
        raise SkillFailed(Code.TIMED_OUT, f"the policy came to no end within {LONGEST:.0f} s; try another way")
    except PolicyGone as error:
        raise SkillFailed(Code.UNREACHABLE_BACKEND, str(error)) from None
    except PolicyUnusable as error:
        raise SkillFailed(Code.EXECUTION_FAILED, str(error), Detail.POLICY_UNUSABLE) from None
    finally:
        client.close()


def _heard(client: PolicyClient, observation: Observation, wait: float
           ) -> Generator[Command, Observation, tuple[Observation, Mapping[str, Any]]]:
    """The next answer; meanwhile the robot stands. Errors: PolicyGone, PolicyUnusable."""
    while (answer := client.answer(wait)) is None:
        observation = yield Command(base=Twist())
    return observation, answer


def _carried_out(observation: Observation, steps: Steps, count: int, verdict: SensedVerdict) -> Motion:
    """The first `count` steps, or those until the verdict is reached."""
    if not count:
        return (yield Command.stop())
    start, gripped = observation.stamp, None
    joints = JointTrajectory(tuple(Waypoint((i + 1) * steps.dt, steps.joints[i]) for i in range(count)))
    sent: JointTrajectory | None = joints
    while (at := int((observation.stamp - start) / steps.dt + 1e-6)) < count:
        aperture, gripper = steps.apertures[at], None
        if gripped is None or abs(aperture - gripped) > _FINER:
            gripped, gripper = aperture, GripperCommand(aperture)
        observation = yield Command(steps.twists[at], sent, gripper)
        sent = None
        if verdict.reached(observation):
            break
    return observation


def _shown(observation: Observation, robot: RobotDescription, prompt: str, facts: ServerFacts) -> dict[str, Any]:
    """An observation, named as demonstrations name it (`dadu data episodes`)."""
    shown: dict[str, Any] = {"observation.state": state(observation, robot),
                             "observation.effort": effort(observation, robot), "prompt": prompt}
    if observation.camera is not None:
        picture = turned(observation.camera.rgb, quarter_turns(observation.camera.T_map_camera[:3, :3]), facts.width)
        shown["observation.images.camera"] = np.ascontiguousarray(picture)
    return shown


_DEEPER = 1e-4
"""[m] by which something comes nearer, and not by rounding"""


def free_steps(body: Manipulator, observation: Observation, scene: Scene, steps: Steps, target: OrientedBox) -> int:
    """How many steps can be done before the arm would touch what the last picture shows, other than the target, or the
    base what the laser sees. What is touched already holds nothing up: the way out of it may be asked for."""
    around = None
    if scene.frame is not None:
        points = obstacles(body, observation, scene.graph, scene.frame, _prism(target))
        around = CollisionScene(body_model(body.kinematics), points=points)
    met = scanned(observation)
    here, place = body.posture(observation), Pose2(0.0, 0.0, 0.0)
    touches = around is not None and not around.free([here], observation.aperture)
    for count, (joints, aperture, twist) in enumerate(zip(steps.joints, steps.apertures, steps.twists, strict=True)):
        ahead = _moved(place, twist, steps.dt)
        if twist != Twist() and _deepest(body, met, ahead) > _deepest(body, met, place) + _DEEPER:
            return count
        place = ahead
        posture = Posture({**here.joints, **joints}, place.x)
        if around is not None and not touches and not around.free([posture], max(aperture, 0.0)):
            return count
    return len(steps.joints)


def _prism(box: OrientedBox) -> UprightBox:
    x, y, z = box.centre
    return UprightBox(np.array([x, y]), float(np.arctan2(box.R[1, 0], box.R[0, 0])), (box.size[0], box.size[1]),
                      z - box.size[2] / 2, z + box.size[2] / 2)


def _deepest(body: Manipulator, met: np.ndarray, place: Pose2) -> float:
    """How far within the base, and `SIDE` about it, the laser's points of where the steps begin are at `place` [m]."""
    there = place.inverse().apply(met) if len(met) else met
    low, high = body.robot.footprint.min(axis=0) - SIDE, body.robot.footprint.max(axis=0) + SIDE
    return float(np.minimum(there - low, high - there).min(axis=1).max(initial=0.0))


def _moved(place: Pose2, twist: Twist, dt: float) -> Pose2:
    return place * Pose2(twist.vx * dt, twist.vy * dt, twist.wz * dt)
