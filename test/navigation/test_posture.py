"""Folding for driving, on a body whose wrist something holds up."""

from dataclasses import replace

import pytest

from dadu.core.geometry import Pose2
from dadu.core.robot import Observation
from dadu.navigation.posture import stow
from dadu.robots import load_robot
from dadu.skills.outcome import Code, Detail

ROBOT = load_robot("stretch")


@pytest.mark.parametrize(("short", "code", "detail"), [
    (0.0, Code.SUCCEEDED, ""), (0.05, Code.SUCCEEDED, ""), (0.3, Code.EXECUTION_FAILED, Detail.ARM_STALLED)],
    ids=["free", "leans against something", "blocked"])
def test_an_arm_that_leans_against_something_is_folded_and_one_that_is_blocked_is_not(short, code, detail):
    observation = Observation(1.0, Pose2(0.0, 0.0, 0.0), joints={**ROBOT.stow, "joint_wrist_yaw": 0.0})
    skill = stow(ROBOT, observation, holding=False)
    command = next(skill)
    for _ in range(1000):
        joints = dict(observation.joints)
        if command.joints is not None:
            joints |= command.joints.waypoints[-1].positions
            joints["joint_wrist_yaw"] -= short
        observation = replace(observation, stamp=observation.stamp + 0.05, joints=joints)
        try:
            command = skill.send(observation)
        except StopIteration as ended:
            assert (ended.value.code, ended.value.detail) == (code, detail)
            return
    raise AssertionError("it never ended")
