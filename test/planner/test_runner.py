"""A task between the loop and a body whose parts are silent for a while, or in a person's hands."""

import asyncio

from episodes import FLAT, INSTRUCTION, EffectWorld

from dadu.planner.loop.runner import TaskRunner
from dadu.planner.loop.world import Body
from dadu.planner.policies.make import make_planner
from dadu.skills.outcome import Code, Detail, SkillResult


class Robot(EffectWorld, Body):
    """`silent`, `blind`, `taken`: how often it has to be waited for its driver, a picture, and a person."""

    def __init__(self, silent=0, blind=0, taken=0):
        super().__init__(FLAT)
        self.left, self.waited, self.learnt = {"silent": silent, "blind": blind, "taken": taken}, [], []
        self.during = lambda call, over: None

    def _still(self, what):
        self.left[what] -= self.left[what] > 0
        return self.left[what] > 0

    async def wait(self, seconds, why):
        self.waited.append((seconds, why))

    def pose(self):
        return None

    def driver_silent(self):
        return self._still("silent")

    def pictured(self):
        return not self._still("blind")

    def interruption(self):
        return SkillResult(Code.OPERATOR_OVERRIDE, "a person is driving") if self._still("taken") else None

    async def carry_out(self, call, approach, over):
        ended = self.during(call, over)
        return ended if ended is not None else self.execute(call)

    def learn(self, step):
        self.learnt.append(step)


def run(robot, instruction=INSTRUCTION, **options):
    return asyncio.run(TaskRunner(instruction, make_planner(), robot, **options).run())


def test_every_outcome_is_told_to_memory_once():
    robot, told = Robot(), []
    report = run(robot, trace=told.append)
    assert report.success and robot.learnt == list(report.steps)
    assert [step for step in told if step.result is not None] == robot.learnt and len(told) == 2 * len(robot.learnt)
    assert robot.waited == []


def test_a_silent_driver_is_waited_for_longer_each_time_and_costs_no_step():
    robot = Robot(silent=8)
    assert len(run(robot).steps) == len(run(Robot()).steps)
    assert [seconds for seconds, _ in robot.waited] == [0.2, 0.4, 0.8, 1.6, 3.0, 3.0, 3.0]


def test_a_person_who_has_the_robot_is_waited_for_until_the_task_is_cancelled():
    robot = Robot(taken=4)
    assert run(robot).success and len(robot.waited) == 3
    robot = Robot(taken=1000)
    report = run(robot, cancelled=lambda: len(robot.waited) > 5)
    assert report.outcome.code is Code.CANCELLED and len(robot.waited) == 6


def test_after_a_skill_that_no_picture_came_for_one_is_waited_for():
    robot = Robot(blind=5)
    failed = []

    def once(call, over):
        failed.append(call)
        return SkillResult(Code.EXECUTION_FAILED, "no picture", Detail.NOT_SEEN) if len(failed) == 1 else None
    robot.during = once
    report = run(robot)
    assert report.success and [step.outcome.detail for step in report.steps].count(Detail.NOT_SEEN) == 1
    assert robot.waited and {why for _, why in robot.waited} == {"no pictures come: waiting for one"}


def test_a_skill_under_way_is_over_once_the_task_is_cancelled():
    robot, ends = Robot(), []
    robot.during = lambda call, over: ends.append(over()) or over()
    report = run(robot, cancelled=lambda: bool(ends))
    assert ends == [None] and [step.outcome.code for step in report.steps] == [Code.CANCELLED]
    assert report.outcome.code is Code.CANCELLED


def test_a_drive_is_over_when_its_load_has_not_been_felt_for_a_while():
    robot, ends = Robot(), []

    def slip(call, over):
        if call.skill == "go_to" and robot.known.held("robot") is not None and not ends:
            robot.holding = lambda: False
            for _ in range(11):
                robot.clock += 0.05
                ends.append(over())
            del robot.holding
            return ends[-1]
    robot.during = slip
    run(robot)
    assert ends[:9] == [None] * 9 and ends[-1].code is Code.CANCELLED


def test_a_task_whose_policy_thinks_on_after_it_was_cancelled_is_abandoned():
    robot, told = Robot(), []

    async def think(work, cancelled):
        robot.late = work
    robot.think = think
    report = run(robot, trace=told.append)
    robot.late()
    assert report.outcome.code is Code.CANCELLED and told == [] and robot.learnt == []
