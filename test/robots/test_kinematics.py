"""Properties of forward and inverse kinematics on the Stretch's URDF."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dadu.manipulation.carry import folded
from dadu.motion.plan import withdraw
from dadu.robots import ik, load_robot
from dadu.robots.body import Manipulator
from dadu.robots.gaze import look_joints
from dadu.robots.kinematics import Kinematics, Posture
from dadu.robots.poses import heading_of, tilt_of, tool_pose

ROBOT = load_robot("stretch")
BODY = Manipulator.from_description(ROBOT)


def posture_from(shares, drive=0.0) -> Posture:
    limits = [ROBOT.joints[name] for name in ROBOT.arm_joints]
    joints = {name: limit.lower + share * (limit.upper - limit.lower)
              for name, limit, share in zip(ROBOT.arm_joints, limits, shares, strict=True)}
    return Posture({**ROBOT.home, **joints}, drive)


def test_tool_and_camera_are_where_the_robot_has_them():
    kinematics = Kinematics(ROBOT)
    np.testing.assert_allclose(kinematics.tool({})[:3, 3], (-0.021, -0.415, 0.115), atol=1e-6)
    np.testing.assert_allclose(kinematics.camera({})[:3, 3], (0.045, -0.003, 1.322), atol=1e-6)


@given(x=st.floats(-0.25, 0.25), reach=st.floats(0.45, 0.92), z=st.floats(0.2, 1.1), turn=st.floats(-0.8, 0.8))
def test_inverse_reaches_every_level_pose_before_the_arm(x, reach, z, turn):
    goal = tool_pose((x, -reach, z), ROBOT.arm_direction, 0.0)
    if 0.55 < reach < 0.8:
        goal = tool_pose((x, -reach, z), ROBOT.arm_direction + turn, 0.0)
    found = BODY.solve(goal, BODY.reaching, (-0.6, 0.6))
    np.testing.assert_allclose(BODY.kinematics.tool_at(found), goal, atol=0.012)


@given(shares=st.lists(st.floats(0.0, 1.0), min_size=5, max_size=5), drive=st.floats(-0.3, 0.3))
def test_inverse_undoes_forward_from_nearby(shares, drive):
    posture = posture_from([0.1 + 0.8 * share for share in shares], drive)
    goal = BODY.kinematics.tool_at(posture)
    seed = Posture({name: value + 0.05 for name, value in posture.joints.items()}, drive)
    found = BODY.solve(goal, seed, (-0.4, 0.4))
    np.testing.assert_allclose(BODY.kinematics.tool_at(found), goal, atol=0.012)
    for name in ROBOT.arm_joints:
        limit = ROBOT.joints[name]
        assert limit.lower - 1e-9 <= found.joints[name] <= limit.upper + 1e-9


@pytest.mark.parametrize("position", [(0.0, -1.4, 0.8), (0.0, -0.7, 1.6), (0.9, -0.7, 0.8)])
def test_out_of_reach_is_said_with_the_place(position):
    with pytest.raises(ik.NoSolution, match="cannot bring the tool"):
        BODY.solve(tool_pose(position, ROBOT.arm_direction, 0.0), BODY.reaching, (-0.3, 0.3))


def test_the_base_helps_sideways_only_as_far_as_it_may():
    goal = tool_pose((0.25, -0.7, 0.8), ROBOT.arm_direction, 0.0)
    assert BODY.solve(goal, BODY.reaching, (-0.3, 0.3)).drive == pytest.approx(0.271, abs=0.005)
    with pytest.raises(ik.NoSolution):
        BODY.solve(goal, BODY.reaching, (-0.1, 0.1))


def test_jacobian_is_the_derivative_of_the_tool():
    posture = posture_from((0.5, 0.5, 0.4, 0.6, 0.5))
    J = BODY.kinematics.jacobian(posture.joints)
    for column, name in enumerate(ROBOT.arm_joints):
        step = posture.with_joints({name: posture.joints[name] + 1e-6})
        moved = (BODY.kinematics.tool(step.joints) - BODY.kinematics.tool(posture.joints))[:3, 3] / 1e-6
        np.testing.assert_allclose(J[:3, column], moved, atol=1e-4)


@given(x=st.floats(-1.0, 1.0), y=st.floats(-1.5, -0.4), z=st.floats(0.0, 1.2))
def test_the_camera_looks_at_the_point(x, y, z):
    joints = look_joints(BODY.kinematics, ROBOT.home, (x, y, z))
    T = BODY.kinematics.camera({**ROBOT.home, **joints})
    ray = np.array([x, y, z]) - T[:3, 3]
    assert T[:3, 2] @ ray / np.linalg.norm(ray) > np.cos(0.02)


@pytest.mark.parametrize("tilt", [0.0, 0.6, 1.0, 1.55])
def test_folding_keeps_the_hand_level_and_within_the_footprint(tilt):
    reach = BODY.solve(tool_pose((0.1, -0.6, 0.8), ROBOT.arm_direction, tilt), BODY.reaching, (-0.3, 0.3))
    T = BODY.kinematics.tool(folded(BODY, withdraw(BODY, reach)[-1]).joints)
    assert tilt_of(T) == pytest.approx(tilt, abs=0.03)
    assert np.linalg.norm(T[:2, 3]) < 0.3
    assert T[2, 3] == pytest.approx(0.5, abs=0.01)


def test_withdrawing_goes_straight_back():
    reach = BODY.solve(tool_pose((0.1, -0.8, 0.8), ROBOT.arm_direction, 0.0), BODY.reaching, (-0.3, 0.3))
    path = [BODY.kinematics.tool_at(posture) for posture in withdraw(BODY, reach)]
    np.testing.assert_allclose([T[0, 3] for T in path], 0.1, atol=2e-3)
    np.testing.assert_allclose([T[2, 3] for T in path], 0.8, atol=2e-3)
    assert path[-1][1, 3] > -0.46
    assert all(abs(heading_of(T) - ROBOT.arm_direction) < 0.02 for T in path)
