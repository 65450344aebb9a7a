"""Motions keep to where the joints are, whatever the clock says."""

import numpy as np
import pytest

from dadu.core.geometry import Pose2
from dadu.core.robot import Observation
from dadu.robots import load_robot
from dadu.robots.body import Manipulator
from dadu.robots.kinematics import Posture
from dadu.robots.motion import move
from dadu.skills.outcome import Detail, SkillFailed

BODY = Manipulator.from_description(load_robot("stretch"))
ORIGIN = Pose2(0.0, 0.0, 0.0)


class Arm:
    """A driver that begins with a trajectory `delay` [s] after it is sent, and stops at `stuck` [s] of it."""

    def __init__(self, joints, delay=0.1, stuck=np.inf):
        self.joints, self.delay, self.stuck = dict(joints), delay, stuck
        self.trajectory, self.sent = None, 0.0

    def act(self, command, now):
        if command.joints is not None:
            self.trajectory, self.sent, self.start = command.joints, now, dict(self.joints)

    def at(self, now):
        if self.trajectory is not None:
            t = min(max(0.0, now - self.sent - self.delay), self.stuck)
            for name in self.trajectory.waypoints[0].positions:
                times = [0.0, *(w.time for w in self.trajectory.waypoints)]
                values = [self.start[name], *(w.positions[name] for w in self.trajectory.waypoints)]
                self.joints[name] = float(np.interp(t, times, values))
        return Observation(now, ORIGIN, dict(self.joints))


def lift(arm: Arm, planning: float = 0.0, tick: float = 0.05) -> float:
    """Raises the arm, with a look every `tick` [s]; `planning` [s] passed since the observation that the motion was
    planned from. Returns how long it took [s]."""
    now = planning
    goal = Posture({**arm.joints, "joint_lift": 0.9})
    skill = move(BODY, arm.at(0.0), [goal], ORIGIN)
    command = next(skill)
    while True:
        arm.act(command, now)
        now += tick
        try:
            command = skill.send(arm.at(now))
        except StopIteration as end:
            return end.value.stamp - planning


def test_the_time_that_planning_took_is_no_lag():
    joints = {**BODY.robot.home}
    assert lift(Arm(joints), planning=2.5) == pytest.approx(lift(Arm(joints)), abs=0.06)


def test_a_driver_that_begins_late_has_not_stalled():
    prompt, late = lift(Arm(BODY.robot.home, delay=0.1)), lift(Arm(BODY.robot.home, delay=2.0))
    assert late - prompt == pytest.approx(1.9, abs=0.2)


@pytest.mark.parametrize("tick", [0.5, 0.8, 1.1])
def test_an_arm_that_is_seldom_seen_has_not_stalled(tick):
    assert lift(Arm(BODY.robot.home), tick=tick) == pytest.approx(lift(Arm(BODY.robot.home)), abs=3 * tick)


def test_a_driver_that_never_begins_has_stalled():
    with pytest.raises(SkillFailed):
        lift(Arm(BODY.robot.home, delay=100.0))


def test_an_arm_that_stops_on_its_way_has_stalled():
    with pytest.raises(SkillFailed) as failure:
        lift(Arm(BODY.robot.home, stuck=1.0))
    assert failure.value.result.detail == Detail.ARM_STALLED
