"""The drivers of base, arm and gripper."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_worlds import drive, move, simulation
from tiers import examples

from dadu.core.geometry import Pose2
from dadu.core.robot import Command, GripperCommand, JointTrajectory, Twist, Waypoint
from dadu.robots import load_robot
from dadu.sim.mujoco.robot.joint_drive import InvalidTrajectory, JointDrive
from dadu.sim.mujoco.robot.motors import BaseDrive

ROBOT = load_robot("stretch")


def test_the_base_follows_a_twist_and_stops_half_a_second_after_the_last():
    sim = simulation()
    start = sim.body.base_pose(sim.data)
    drive(sim, Twist(0.2, 0.3), 2.0)
    moving = sim.body.base_twist(sim.data)
    assert moving.vx == pytest.approx(0.2, abs=0.004) and moving.wz == pytest.approx(0.3, abs=0.006)
    assert abs(moving.vy) < 0.003  # a differential base does not slide sideways
    sim.advance(0.4)
    assert sim.body.base_twist(sim.data).vx == pytest.approx(0.2, abs=0.004)
    sim.advance(0.1 + 0.2 / ROBOT.max_acceleration.vx + 0.1)
    rest = sim.body.base_pose(sim.data)
    sim.advance(2.0)
    assert sim.body.base_pose(sim.data) == pytest.approx(rest, abs=1e-4)
    arc = Pose2(*start).inverse() * rest
    assert arc.x > 0.3 and arc.yaw > 0.5


@given(st.lists(st.tuples(st.floats(-2, 2), st.floats(-4, 4)), min_size=1, max_size=30))
@examples(50)
def test_base_limits_hold_for_any_commands(commands):
    base, dt, before = BaseDrive(ROBOT, 0.5), 0.01, Twist()
    for i, (vx, wz) in enumerate(commands):
        base.command(Twist(vx, wz), i * dt)
        now = base.step(i * dt, dt)
        assert abs(now.vx) <= ROBOT.max_speed.vx + 1e-9 and abs(now.wz) <= ROBOT.max_speed.wz + 1e-9
        assert abs(now.vx - before.vx) <= ROBOT.max_acceleration.vx * dt + 1e-9 and now.vy == 0
        before = now


@given(st.dictionaries(st.sampled_from(list(ROBOT.joints)), st.floats(0, 1), min_size=1), st.floats(0.05, 4.0),
       st.floats(0, 1))
@examples(12)
def test_set_points_keep_speed_acceleration_and_goal(shares, duration, interruption):
    """Also when a trajectory asks for too much, and when another replaces it on the way."""
    drive, dt = JointDrive(ROBOT), 0.01
    drive.reset(ROBOT.home)
    limits = [ROBOT.joints[name] for name in drive.names]
    goal = {name: ROBOT.joints[name].lower + share * (ROBOT.joints[name].upper - ROBOT.joints[name].lower)
            for name, share in shares.items()}
    drive.follow(JointTrajectory.single_goal(goal, duration), 0.0)
    low, high = drive.position.copy(), drive.position.copy()
    slack, before = np.full(len(limits), 9.0), drive.velocity
    for i in range(1000):
        if i == int(interruption * 200):
            drive.follow(JointTrajectory.single_goal(goal, duration), i * dt)
        drive.step(drive.position, slack, i * dt, dt)
        assert (np.abs(drive.velocity) <= [limit.velocity + 1e-9 for limit in limits]).all()
        assert (np.abs(drive.velocity - before) <= [limit.acceleration * dt + 1e-9 for limit in limits]).all()
        before = drive.velocity
        low, high = np.minimum(low, drive.position), np.maximum(high, drive.position)
    ends = np.array([goal.get(name, ROBOT.home.get(name, 0.0)) for name in drive.names])
    start = np.array([ROBOT.home.get(name, 0.0) for name in drive.names])
    np.testing.assert_allclose(drive.position, ends, atol=2e-3)
    assert (low >= np.minimum(start, ends) - 0.01).all() and (high <= np.maximum(start, ends) + 0.01).all()
    assert drive.finished(1000 * dt)


def test_only_joints_on_their_way_or_pushed_away_are_driven():
    drive, dt, slack = JointDrive(ROBOT), 0.01, np.full(len(ROBOT.joints), 0.02)
    lift, yaw = drive.names.index("joint_lift"), drive.names.index("joint_wrist_yaw")
    assert drive.step(drive.position, slack, 0.0, dt) == set(range(len(drive.names)))  # all once, after a reset
    drive.follow(JointTrajectory.single_goal({"joint_lift": 0.1}, 1.0), dt)
    driven = [drive.step(drive.position, slack, i * dt, dt) for i in range(1, 200)]
    assert driven[0] == {lift} and driven[-1] == set() and drive.finished(2.0)
    pushed = drive.position
    pushed[yaw] += 0.5
    assert drive.step(pushed, slack, 2.0, dt) == {yaw} and drive.position[yaw] == pytest.approx(0.48)
    back = [drive.step(drive.position, slack, 2.0 + i * dt, dt) for i in range(200)]
    assert back[0] == {yaw} and back[-1] == set() and drive.position[yaw] == 0.0


def test_the_grip_has_its_force_again_after_a_reset():
    sim = simulation()
    sim.robot.act(Command(gripper=GripperCommand(-0.01, effort=5.0)))
    sim.advance(1.0)
    weak = sim.robot.observe().grip_effort
    sim.reset()
    sim.robot.act(Command(gripper=GripperCommand(-0.01)))
    sim.advance(1.0)
    assert weak == pytest.approx(5.0, rel=0.05)
    assert sim.robot.observe().grip_effort == pytest.approx(ROBOT.grip_force, rel=0.05)


def test_waypoints_beyond_the_goal_are_visited():
    drive, dt, seen = JointDrive(ROBOT), 0.01, []
    drive.reset({"joint_lift": 0.3})
    out_and_back = (Waypoint(3.0, {"joint_lift": 0.6}), Waypoint(5.0, {"joint_lift": 0.5}))
    drive.follow(JointTrajectory(out_and_back), 0.0)
    for i in range(600):
        drive.step(drive.position, np.full(len(drive.names), 9.0), i * dt, dt)
        seen.append(drive.position[drive.names.index("joint_lift")])
    assert max(seen) == pytest.approx(0.6, abs=0.01) and seen[-1] == pytest.approx(0.5, abs=1e-3)


def test_the_arm_arrives_where_its_trajectory_ends():
    sim = simulation()
    goal = {"joint_lift": 0.8, "wrist_extension": 0.3, "joint_wrist_yaw": 0.4, "joint_head_pan": -1.5}
    move(sim, goal, 5.0)
    joints = sim.robot.observe().joints
    assert {name: joints[name] for name in goal} == pytest.approx(goal, abs=2e-3)


def test_hold_brakes_and_stays():
    sim = simulation()
    sim.robot.act(Command(joints=JointTrajectory.single_goal({"joint_lift": 1.0}, 5.0)))
    sim.advance(2.0)
    sim.robot.act(Command.stop())
    sim.advance(0.8)
    rest = sim.robot.observe().joints["joint_lift"]
    sim.advance(1.0)
    assert 0.3 < rest < 0.8 and sim.robot.observe().joints["joint_lift"] == pytest.approx(rest, abs=1e-3)


@pytest.mark.parametrize("trajectory, complaint", [
    (JointTrajectory.single_goal({"joint_elbow": 0.0}, 1.0), "joint_elbow.*joint_lift"),
    (JointTrajectory.single_goal({"joint_lift": 2.0}, 1.0), "joint_lift = 2.000 is outside 0.00 to 1.10"),
    (JointTrajectory((Waypoint(1.0, {"joint_lift": 0.5}), Waypoint(0.5, {"joint_lift": 0.6}))), "times must increase"),
    (JointTrajectory(()), "at least one waypoint"),
])
def test_impossible_trajectories_are_refused(trajectory, complaint):
    with pytest.raises(InvalidTrajectory, match=complaint):
        simulation().robot.act(Command(joints=trajectory))


def pressing_on_the_table():
    """A simulation whose gripper stands on a table, told to go lower."""
    sim = simulation()
    move(sim, {"joint_lift": 0.75, "joint_wrist_yaw": 0.0}, 5.0)
    move(sim, {"wrist_extension": 0.3}, 3.0)
    sim.robot.act(Command(joints=JointTrajectory.single_goal({"joint_lift": 0.4}, 4.0)))
    sim.advance(6.0)
    return sim


def test_the_arm_pushes_with_limited_force_and_turns_back_at_once():
    sim = pressing_on_the_table()
    effort, height = sim.robot.observe().efforts["joint_lift"], sim.robot.observe().joints["joint_lift"]
    assert height > 0.6 and effort == pytest.approx(-70.0, abs=1.0)
    sim.robot.act(Command(joints=JointTrajectory.single_goal({"joint_lift": 0.75}, 2.0)))
    sim.advance(1.0)
    assert sim.robot.observe().joints["joint_lift"] > height + 0.02


def test_a_stop_pushes_no_more_against_what_is_in_the_way():
    sim = pressing_on_the_table()
    pushed = sim.robot.observe().efforts["joint_lift"]
    sim.robot.act(Command.stop())
    sim.advance(1.0)
    assert pushed < -60 and abs(sim.robot.observe().efforts["joint_lift"]) < 10
