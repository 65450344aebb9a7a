"""Set-points: what trajectories, one replacing the other, command of a joint at any moment."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dadu.core.robot import Command, GripperCommand, JointTrajectory, Waypoint
from dadu.robots.set_points import APERTURE, SetPoints, trajectories

LIFT = "joint_lift"


def test_a_trajectory_is_followed_replaced_and_held():
    points = SetPoints()
    points.move(1.0, JointTrajectory((Waypoint(1.0, {LIFT: 1.0}),)), {LIFT: 0.0})
    points.move(1.5, JointTrajectory((Waypoint(1.0, {LIFT: 0.0}),)), {})
    points.hold(2.0, {LIFT: 0.3})
    assert np.allclose(points.at(LIFT, np.array([0.0, 1.0, 1.25, 1.5, 1.75, 2.5])), [0, 0, 0.25, 0.5, 0.375, 0.3])


def test_fingers_are_commanded_at_once_and_keep_their_grip():
    points = SetPoints()
    for trajectory in trajectories(Command(gripper=GripperCommand(-0.03, 15.0))):
        points.move(1.0, trajectory, {APERTURE: 0.1})
    points.hold(2.0, {APERTURE: 0.04})
    assert np.allclose(points.at(APERTURE, np.array([0.9, 1.1, 3.0])), [0.1, -0.03, -0.03])


@given(st.lists(st.tuples(st.floats(0.01, 2), st.floats(0, 2), st.floats(-1, 1), st.booleans()), max_size=8))
def test_set_points_stay_between_what_was_commanded_and_measured(sent):
    points, now = SetPoints(), 0.0
    points.move(0.0, JointTrajectory((Waypoint(0.0, {LIFT: 0.0}),)), {})
    for pause, duration, goal, hold in sent:
        now += pause
        if hold:
            points.hold(now, {LIFT: goal})
        else:
            points.move(now, JointTrajectory((Waypoint(duration, {LIFT: goal}),)), {})
    values = points.at(LIFT, np.linspace(-1, now + 3, 200))
    goals = [0.0, *(goal for _, _, goal, _ in sent)]
    assert min(goals) - 1e-9 <= values.min() and values.max() <= max(goals) + 1e-9
    assert not sent or abs(values[-1] - sent[-1][2]) < 1e-9
