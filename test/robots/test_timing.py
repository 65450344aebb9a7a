"""Timed paths keep the robot's limits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dadu.robots import load_robot
from dadu.robots.kinematics import Posture
from dadu.robots.manipulator_settings import MotionSettings
from dadu.robots.motion import Pace
from dadu.robots.timing import one_by_one, time_path
from dadu.sim.mujoco.robot.joint_drive import JointDrive

ROBOT, MOTION = load_robot("stretch"), MotionSettings()
share = st.floats(0.0, 1.0)


def path_through(rows, drives) -> list[Posture]:
    limits = {name: ROBOT.joints[name] for name in ROBOT.arm_joints}
    return [Posture({name: limit.lower + s * (limit.upper - limit.lower)
                     for (name, limit), s in zip(limits.items(), row, strict=True)}, drive)
            for row, drive in zip(rows, drives, strict=True)]


@given(rows=st.lists(st.tuples(share, share, share, share, share), min_size=2, max_size=5), drive=st.floats(-0.5, 0.5))
def test_speeds_stay_within_limits_and_ends_are_met(rows, drive):
    path = path_through(rows, np.linspace(0, drive, len(rows)))
    timed = time_path(ROBOT, path, MOTION)
    steps = np.diff(timed.times)
    for name, values in timed.joints.items():
        assert np.all(np.abs(np.diff(values)) <= ROBOT.joints[name].velocity * MOTION.speed * steps + 1e-6)
        assert values[0] == pytest.approx(path[0].joints[name], abs=1e-9)
        assert values[-1] == pytest.approx(path[-1].joints[name], abs=1e-6)
    assert np.all(np.abs(np.diff(timed.drives)) <= MOTION.drive_speed * steps + 1e-6)
    assert timed.drives[-1] == pytest.approx(drive, abs=1e-6)


def test_a_path_may_be_stretched_in_time():
    path = path_through([(0.2,) * 5, (0.3,) * 5], (0, 0))
    assert time_path(ROBOT, path, MOTION, least=9.0).duration == pytest.approx(9.0, abs=0.01)


def test_standing_still_is_no_trajectory():
    path = path_through([(0.2,) * 5, (0.2,) * 5], (0, 0))
    assert time_path(ROBOT, path, MOTION).trajectory.waypoints == ()


def test_pace_follows_a_late_arm():
    timed = time_path(ROBOT, path_through([(0.1, 0.1, 0.5, 0.5, 0.5), (0.8, 0.9, 0.5, 0.5, 0.5)], (0, 0)), MOTION)
    pace, late = Pace(timed), 0.4
    for elapsed in np.arange(0.05, timed.duration, 0.05):
        t = pace.at(timed.joints_at(max(0.0, elapsed - late)), float(elapsed))
    assert t == pytest.approx(timed.duration - late, abs=0.15)


def test_pace_goes_on_though_something_holds_a_joint():
    """As a door held the wrist, the base waited for it, which then could not turn."""
    timed = time_path(ROBOT, path_through([(0.5, 0.7, 0.6, 0.5, 0.5), (0.5, 0.2, 0.4, 0.5, 0.5)], (0, 0.4)), MOTION)
    held = timed.joints_at(0.0)["joint_wrist_yaw"]
    pace = Pace(timed)
    for elapsed in np.arange(0.05, timed.duration, 0.05):
        t = pace.at({**timed.joints_at(float(elapsed)), "joint_wrist_yaw": held}, float(elapsed))
    assert t == pytest.approx(timed.duration, abs=0.3)


def test_a_joint_that_turns_back_on_its_way_does_not_overshoot():
    ur3 = load_robot("ur3")
    elbow = [2.09, 2.43, 2.34, 2.24, 2.12, 2.0]  # lowering the hand, then reaching straight out
    timed = time_path(ur3, [Posture({**ur3.stow, "elbow_joint": angle}) for angle in elbow], MOTION)
    drive = JointDrive(ur3)
    drive.reset({**ur3.stow, "elbow_joint": elbow[0]})
    drive.follow(timed.trajectory, 0.0)
    farthest = 0.0
    for now in np.arange(0.01, timed.duration + 1.0, 0.01):
        drive.step(drive.position, np.ones(len(drive.names)), float(now), 0.01)
        farthest = max(farthest, drive.position[drive.names.index("elbow_joint")])
    assert farthest < max(elbow) + 0.04
    assert drive.finished(timed.duration + 1.0)


def test_drivers_keep_up_with_a_joint_that_turns_back_while_others_go_on():
    """Half of what counts as a stall may be missing: an arm that lagged behind its plan was taken for blocked."""
    ur3, elbow = load_robot("ur3"), (1.17, 1.51, 1.53, 1.54, 1.52, 1.49, 1.44, 1.38, 1.29, 1.18, 1.05)
    timed = time_path(ur3, [Posture({**ur3.stow, "elbow_joint": angle, "shoulder_lift_joint": lift})
                            for angle, lift in zip(elbow, np.linspace(-1.9, -1.3, len(elbow)), strict=True)], MOTION)
    drive = JointDrive(ur3)
    drive.reset({name: values[0] for name, values in timed.joints.items()})
    drive.follow(timed.trajectory, 0.0)
    for now in np.arange(0.01, timed.duration, 0.01):
        drive.step(drive.position, np.ones(len(drive.names)), float(now), 0.01)
        planned = timed.joints_at(now)
        np.testing.assert_allclose(drive.position, [planned[name] for name in drive.names], atol=MOTION.stall_error / 2)


def test_what_is_quick_is_there_while_the_rest_still_moves():
    joints = {"joint_lift": 0.9, "joint_head_pan": -1.5, "joint_wrist_yaw": 2.8}
    way = one_by_one(ROBOT, joints, {"joint_lift": 0.3, "joint_head_pan": 0.0, "joint_wrist_yaw": 2.8}, MOTION)
    assert set(way.waypoints[-1].positions) == {"joint_lift", "joint_head_pan"}
    assert way.waypoints[-1].positions == pytest.approx({"joint_lift": 0.3, "joint_head_pan": 0.0}, abs=1e-6)
    looks = next(waypoint for waypoint in way.waypoints if abs(waypoint.positions["joint_head_pan"]) < 0.01)
    assert looks.time < 0.4 * way.waypoints[-1].time
    JointDrive(ROBOT).check(way)


def test_where_nothing_has_to_move_there_is_no_trajectory():
    assert one_by_one(ROBOT, {"joint_lift": 0.3}, {"joint_lift": 0.3, "joint_head_pan": 0.0}, MOTION) is None
