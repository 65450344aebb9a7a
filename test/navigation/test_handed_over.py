"""Drives that somebody else carries out, and what Nav2's error codes mean."""

import pytest
from stand_in_robot import Plane, StandIn

from dadu.core.geometry import Pose2
from dadu.core.robot import Twist
from dadu.navigation.costmap import Costmap
from dadu.navigation.external_navigator import failure_of
from dadu.navigation.go_to import Drive, go_to
from dadu.robots import load_robot
from dadu.skills.generator import SkillRunner, run
from dadu.skills.outcome import Code, Detail, SkillResult
from dadu.skills.scene import Scene

ROBOT, GOAL = load_robot("stretch"), Pose2(2.0, 2.0, 0.0)


class Other:
    """A navigator that puts the robot somewhere, `wait` looks after it was asked, and says so."""

    def __init__(self, robot, result, there=GOAL, wait=3):
        self.robot, self.answer, self.there, self.wait = robot, result, there, wait
        self.arm, self.cancelled = None, False

    def send(self, pose):
        assert pose == GOAL
        self.arm = dict(self.robot.joints)

    def result(self):
        self.wait -= 1
        if self.wait:
            return None
        self.robot.pose = self.there
        return self.answer

    def cancel(self):
        self.cancelled = True


def drive_by(other):
    """A drive of the other's."""
    map = other.robot.plane.occupancy()
    return go_to(ROBOT, Scene(map=map), GOAL, Drive(Costmap(map, ROBOT), navigator=other))


@pytest.fixture
def robot():
    robot = StandIn(ROBOT, Plane.room(5, 4), Pose2(1.0, 1.0, 0.0))
    robot.joints["wrist_extension"] = 0.4
    return robot


def test_the_arm_is_folded_before_anybody_drives(robot):
    other = Other(robot, SkillResult(Code.SUCCEEDED, "there"))
    result = run(drive_by(other), robot, robot.advance)
    assert result.code is Code.SUCCEEDED and other.arm["wrist_extension"] == pytest.approx(0.0, abs=0.03)
    assert set(robot.twists) == {Twist()}, "the base is the navigator's"


def test_who_says_that_he_arrived_and_stands_elsewhere_has_not(robot):
    other = Other(robot, SkillResult(Code.SUCCEEDED, "there"), there=Pose2(2.0, 3.0, 0.0))
    result = run(drive_by(other), robot, robot.advance)
    assert result.code is Code.EXECUTION_FAILED and "1.0 m" in result.message


def test_a_failure_is_the_navigator_s_and_an_interruption_reaches_him(robot):
    other = Other(robot, failure_of(208, ""))
    result = run(drive_by(other), robot, robot.advance)
    assert (result.code, result.detail) == (Code.EXECUTION_FAILED, Detail.PATH_BLOCKED)

    other = Other(robot, failure_of(208, ""), wait=1000)
    runner = SkillRunner(drive_by(other))
    while other.arm is None:
        robot.act(runner.tick(robot.observe()))
        robot.advance(0.05)
    assert not other.cancelled
    runner.interrupt(Code.SAFETY_STOP, "stopped")
    runner.tick(robot.observe())
    assert other.cancelled and runner.result.code is Code.SAFETY_STOP


@pytest.mark.parametrize(("code", "outcome", "detail"), [
    (0, Code.EXECUTION_FAILED, ""), (102, Code.UNREACHABLE_BACKEND, ""),
    (105, Code.EXECUTION_FAILED, Detail.PATH_BLOCKED),
    (202, Code.UNREACHABLE_BACKEND, ""), (206, Code.EXECUTION_FAILED, Detail.PATH_BLOCKED), (207, Code.TIMED_OUT, ""),
    (308, Code.EXECUTION_FAILED, Detail.PATH_BLOCKED), (714, Code.EXECUTION_FAILED, Detail.PATH_BLOCKED),
    (1, Code.EXECUTION_FAILED, ""), (9002, Code.UNREACHABLE_BACKEND, ""), (12345, Code.EXECUTION_FAILED, ""),
])
def test_error_codes_become_outcomes(code, outcome, detail):
    result = failure_of(code, "the plugin's words")
    assert (result.code, result.detail) == (outcome, detail)
    assert str(code) in result.message and "the plugin's words" in result.message
