"""What holds of every body in config/robots, be it new: its arm gets where its file says, and stays clear of itself."""

import math

import mujoco
import numpy as np
import pytest

from dadu.core.geometry import Pose2
from dadu.manipulation.carry import folded
from dadu.motion.model import body_model
from dadu.motion.plan import NARROW, raised, tool_at_height
from dadu.motion.scene import CollisionScene
from dadu.robots import list_robots, load_robot
from dadu.robots.body import Manipulator
from dadu.robots.kinematics import Posture
from dadu.robots.poses import tool_pose
from dadu.sim.mujoco.robot.body import RobotBody
from dadu.sim.mujoco.robot.model import attach_robot


@pytest.fixture(scope="module", params=list_robots())
def body(request):
    return Manipulator.from_description(load_robot(request.param))


def test_the_arm_reaches_the_middle_of_what_its_file_says(body):
    robot = body.robot
    distance, height = np.mean(robot.reach), np.mean(robot.reach_height)
    place = distance * math.cos(robot.arm_direction), distance * math.sin(robot.arm_direction), height
    found = body.solve(tool_pose(place, robot.arm_direction, 0.0), body.reaching, (-0.3, 0.3))
    np.testing.assert_allclose(body.kinematics.tool_at(found)[:3, 3], place, atol=0.005)


def test_it_is_clear_of_itself_stowed_drawn_in_and_with_something_in_the_hand(body):
    itself = CollisionScene(body_model(body.kinematics))
    held = folded(body, body.reaching)
    for posture in (Posture(dict(body.robot.stow)), body.reaching, held):
        assert itself.contact(posture, NARROW) is None
    assert body.kinematics.tool_at(held)[2, 3] == pytest.approx(body.robot.carry_height, abs=0.01)


def test_the_tool_goes_up_by_lift_or_arm(body):
    height = body.kinematics.tool(body.reaching.joints)[2, 3]
    assert body.kinematics.tool_at(raised(body, body.reaching, 0.1))[2, 3] == pytest.approx(height + 0.1, abs=0.01)
    assert raised(body, body.reaching, 0.0) == body.reaching
    lower = tool_at_height(body, body.reaching, height - 0.15)
    assert body.kinematics.tool_at(lower)[2, 3] == pytest.approx(height - 0.15, abs=0.08)


def test_no_posture_reaches_farther_than_the_longest_reach(body):
    random, limits = np.random.default_rng(0), body.robot.joints
    farthest = max(math.hypot(*body.kinematics.tool({name: random.uniform(limit.lower, limit.upper)
                                                     for name, limit in limits.items()})[:2, 3]) for _ in range(100))
    assert farthest <= body.kinematics.longest_reach


def test_its_drives_hold_it_for_a_second(body):
    world = mujoco.MjSpec()
    attach_robot(world, body.robot, fov=42.0)
    model = world.compile()
    data, simulated = mujoco.MjData(model), RobotBody(model, body.robot)
    simulated.place(data, Pose2(1.0, 2.0, 0.5), body.robot.home)
    goal = [body.robot.home.get(name, body.robot.stow.get(name, 0.0)) for name in simulated.joints]
    data.ctrl[simulated.joint_drive] = goal
    while data.time < 1.0:
        mujoco.mj_step(model, data)
    np.testing.assert_allclose(simulated.positions(data), goal, atol=0.02)
    np.testing.assert_allclose(simulated.base_pose(data), (1.0, 2.0, 0.5), atol=0.01)
