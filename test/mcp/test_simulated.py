"""Cancelling a simulated robot: it comes to rest in the middle of a skill, and can go on."""

import itertools

import pytest

from dadu.house.files import load_house
from dadu.mcp.robot import Simulated
from dadu.planner.loop.world import never
from dadu.planner.policies.make import make_planner
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code
from dadu.stacks.stack import Stack
from dadu.world.graph import Kind


@pytest.fixture(scope="module")
def robot():
    robot = Simulated(Stack(load_house("small_flat"), known="all"), make_planner)
    yield robot
    robot.close()


def after(ticks):
    """Cancelled from so many looks on."""
    count = itertools.count()
    return lambda: next(count) >= ticks


def test_a_skill_ends_where_it_is_and_the_next_one_works(robot):
    stack, target = robot._body, robot.graph().of(Kind.ROOM)[-1].id
    drive = SkillCall("go_to", (target,))
    result = robot.execute(drive, "look", after(20))
    assert result.code is Code.CANCELLED and 0.5 < stack.now() < 5.0
    stack.advance(1.0)
    before = stack.simulation.robot.observe().base_pose
    stack.advance(1.0)
    assert stack.simulation.robot.observe().base_pose == pytest.approx(before, abs=1e-3), "at rest"
    assert robot.execute(SkillCall("wait"), "", never).ok


def test_a_task_ends_after_the_skill_that_it_interrupts(robot):
    rooms = " and then to the ".join(e.id.replace("_", " ") for e in robot.graph().of(Kind.ROOM))
    report = robot.do(f"go to the {rooms}", lambda step: None, after(20))
    assert report.outcome.code is Code.CANCELLED
    assert [step.result.code for step in report.steps][-1] is Code.CANCELLED
