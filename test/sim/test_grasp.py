"""Things are held by friction, and by nothing else."""

import numpy as np
import pytest
from small_worlds import CAN, TABLE, drive, grasp, grip, move, simulation, stretch_to

from dadu.core.geometry import apply, inverse
from dadu.core.robot import Command, JointTrajectory, Twist

MILK = {"name": "milk_0", "category": "milk_carton", "on": "table_0", "at": [0.1, 0.0]}
APPLE = {"name": "apple_0", "category": "apple", "on": "table_0", "at": [0.1, 0.0]}


def in_hand(sim, name):
    """The object's centre in the tool frame [m]."""
    tool = sim.body.link_pose(sim.snapshot(), "grasp_center")
    return apply(inverse(tool), sim.ground_truth().bodies[name].box.centre)


@pytest.mark.parametrize("thing", [CAN, MILK, APPLE], ids=lambda thing: thing["category"])
def test_a_grasp_survives_lifting_driving_and_turning(thing):
    name = thing["name"]
    sim = simulation(objects=[thing])
    grasp(sim, name)
    hand = sim.robot.observe()
    assert hand.aperture > 0.03 and hand.grip_effort == pytest.approx(20.0, abs=0.5)
    lift = hand.joints["joint_lift"]
    move(sim, {"joint_lift": lift + 0.15}, 2.0)
    assert sim.ground_truth().bodies[name].held
    before = in_hand(sim, name)
    move(sim, {"wrist_extension": 0.0}, 3.0)
    move(sim, {"joint_wrist_yaw": 2.8}, 3.0)
    for twist in (Twist(0.3, 0.6), Twist(0.3, -0.6), Twist(0.0, 0.6)):
        drive(sim, twist, 2.0)
    sim.advance(1.0)
    assert sim.ground_truth().bodies[name].held
    assert np.linalg.norm(in_hand(sim, name) - before) < 0.003


def test_an_object_that_is_let_go_stands_where_it_was_put():
    sim = simulation()
    grasp(sim, "can_0")
    lift = sim.robot.observe().joints["joint_lift"]
    move(sim, {"joint_lift": lift + 0.1}, 2.0)
    sim.robot.act(Command(joints=JointTrajectory.single_goal({"joint_lift": lift - 0.05}, 0.15 / 0.04)))
    sim.advance(0.5)
    baseline = sim.robot.observe().efforts["joint_lift"]
    while sim.robot.observe().efforts["joint_lift"] > baseline - 2.5:  # until the table carries the can
        sim.advance(0.05)
        assert sim.time < 60
    sim.robot.act(Command.stop())
    before = sim.ground_truth().bodies["can_0"].box
    grip(sim, 0.16, 1.0)
    after = sim.ground_truth().bodies["can_0"]
    assert not after.held and after.box.R[2, 2] > 0.999
    assert np.linalg.norm(after.box.centre - before.centre) < 0.005
    assert after.box.bottom == pytest.approx(TABLE["size"][2], abs=0.005)


def test_closing_on_nothing_shows_in_the_aperture():
    sim = simulation()
    grip(sim, 0.1)
    assert sim.robot.observe().aperture == pytest.approx(0.1, abs=1e-3)
    grip(sim, -0.01)
    hand = sim.robot.observe()
    assert hand.aperture < 0.002 and hand.grip_effort == pytest.approx(20.0, abs=0.5)


def test_opening_does_not_wait_for_the_squeeze_to_unwind():
    sim = simulation()
    grasp(sim, "can_0")
    width = sim.robot.observe().aperture
    grip(sim, 0.16, 0.3)
    assert sim.robot.observe().aperture > width + 0.015


def test_a_can_off_centre_is_not_held():
    sim = simulation()
    goal = stretch_to(sim, "can_0")
    grip(sim, 0.16, 0.0)
    move(sim, goal | {"wrist_extension": 0.0}, 6.0)
    move(sim, goal | {"wrist_extension": goal["wrist_extension"] - 0.1}, 3.0)
    grip(sim, -0.01)
    move(sim, {"joint_lift": goal["joint_lift"] + 0.1}, 2.0)
    assert not sim.ground_truth().bodies["can_0"].held and sim.robot.observe().aperture < 0.002
