"""What the adapter asks of Stretch's driver, over a driver of a few lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiers import examples

from dadu.core.robot import JointTrajectory, Twist, Waypoint
from dadu.robots import load_robot
from dadu.robots.drivers.stretch_commands import APERTURE, ROTATE, TRANSLATE, DriverRequest, Mode, StretchCommands
from dadu.robots.drivers.stretch_joints import JointSettings, joint_states

ROBOT = load_robot("stretch")
TICK = 0.05


class Driver:
    """Joints and base go to the last point at its speeds."""

    def __init__(self):
        self.joints, self.goal, self.speed = {"joint_lift": 0.3, "wrist_extension": 0.0}, {}, {}
        self.x, self.left, self.points = 0.0, 0.0, []

    def take(self, point):
        self.points.append(point)
        self.goal = {n: p for n, p in point.positions.items() if n in self.joints}
        self.speed = dict(point.speeds)
        self.left = point.positions.get(TRANSLATE, 0.0)

    def step(self, dt):
        for name, goal in self.goal.items():
            reach = self.speed[name] * dt
            self.joints[name] += min(max(goal - self.joints[name], -reach), reach)
        reach = self.speed.get(TRANSLATE, 0.0) * dt
        moved = min(max(self.left, -reach), reach)
        self.x, self.left = self.x + moved, self.left - moved


def run(commands, driver, duration, twist=None):
    """Ticks for `duration` [s]; returns the requests."""
    seen = []
    for i in range(round(duration / TICK)):
        now = i * TICK
        if twist is not None:
            commands.drive(twist, now)
        seen.append(request := commands.next(now, driver.joints))
        if request.point is not None:
            driver.take(request.point)
            commands.handed(now)
            commands.taken(request.point)
        driver.step(TICK)
    return seen


@given(lift=st.floats(0.1, 0.9), out=st.floats(0.0, 0.5), vx=st.floats(-0.12, 0.12))
@examples(25)
def test_arm_and_base_move_at_once_in_position_mode(lift, out, vx):
    commands, driver = StretchCommands(ROBOT), Driver()
    end = 6.0
    goal = JointTrajectory((Waypoint(end / 2, {"joint_lift": (0.3 + lift) / 2, "wrist_extension": out / 2}),
                            Waypoint(end, {"joint_lift": lift, "wrist_extension": out})))
    commands.move(goal, 0.0, driver.joints)
    requests = run(commands, driver, end, Twist(vx=vx))
    assert {request.mode for request in requests} == {Mode.POSITION}
    assert all(request.twist is None for request in requests)
    assert driver.joints["joint_lift"] == pytest.approx(lift, abs=0.03)
    assert driver.joints["wrist_extension"] == pytest.approx(out, abs=0.03)
    assert driver.x == pytest.approx(vx * end, abs=0.03)
    assert len(driver.points) <= end / 0.25 + 1
    assert all(0.0 < point.speeds[n] <= ROBOT.joints[n].velocity for point in driver.points
               for n in driver.joints if n in point.speeds)


def test_the_base_alone_drives_in_navigation_mode_and_rest_needs_no_switch():
    commands, driver = StretchCommands(ROBOT), Driver()
    assert run(commands, driver, 0.2)[-1].mode is None
    request = run(commands, driver, 0.2, Twist(vx=0.2, wz=-0.4))[-1]
    assert (request.mode, request.twist) == (Mode.NAVIGATION, Twist(vx=0.2, wz=-0.4))
    assert commands.next(0.8, driver.joints).twist == Twist(), "the watchdog stops it"
    assert commands.next(5.0, driver.joints) == DriverRequest(), "a robot at rest costs nothing"


def test_the_base_halts_as_soon_as_nothing_drives_it_among_an_arms_points():
    commands, driver = StretchCommands(ROBOT), Driver()
    commands.move(JointTrajectory.single_goal({"joint_lift": 0.9}, 6.0), 0.0, driver.joints)
    run(commands, driver, 1.0, Twist(vx=0.1))
    assert 0.1 < driver.points[-1].positions[TRANSLATE] / 0.1 < 1.0
    commands.stop(1.0, driver.joints)
    halt = commands.next(1.0, driver.joints).point
    assert 0.0 < halt.positions[TRANSLATE] < 1e-3, "an increment of nought makes the driver fail"
    commands.taken(halt)
    commands.handed(1.0)
    assert commands.next(1.3, driver.joints).point is None


def test_a_gripper_command_waits_until_the_driver_has_taken_it():
    commands, driver = StretchCommands(ROBOT), Driver()
    commands.grip(0.0)
    for now in (0.0, 0.3):
        refused = commands.next(now, driver.joints).point
        assert refused.positions[APERTURE] < 0.0 and commands.gripper_waits
        commands.handed(now)
    commands.taken(refused)
    assert not commands.gripper_waits and commands.grips
    commands.grip(0.08)
    commands.forget()
    assert commands.next(9.0, driver.joints).point is None, "the driver that it was for is gone"


@given(delays=st.lists(st.tuples(st.floats(0.0, 0.4), st.floats(0.0, 0.4)), min_size=20, max_size=20))
@examples(50)
def test_however_long_points_and_answers_are_on_their_way_the_driver_gets_at_most_five_a_second(delays):
    commands, driver = StretchCommands(ROBOT), Driver()
    commands.move(JointTrajectory.single_goal({"joint_lift": 0.9}, 60.0), 0.0, driver.joints)
    now, taken = 0.0, []
    for there, back in delays:
        while commands.next(now, driver.joints).point is None:
            now += TICK
        commands.handed(now)
        taken.append(now + there)
        now += there + back
        commands.answered(now)
    assert all(later - earlier > 0.2 - 1e-9 for earlier, later in zip(taken, taken[1:]))


def test_an_emergency_stop_waits_for_nothing():
    commands, driver = StretchCommands(ROBOT), Driver()
    commands.move(JointTrajectory.single_goal({"joint_lift": 0.9}, 6.0), 0.0, driver.joints)
    commands.handed(1.0)
    commands.answered(1.0)
    commands.stop(1.01, driver.joints)
    assert commands.next(1.01, driver.joints).point is not None


def test_the_gripper_is_a_joint_once_and_squeezes_beyond_closed():
    commands, driver = StretchCommands(ROBOT), Driver()
    commands.grip(-0.03)
    run(commands, driver, 1.0)
    (point,) = driver.points
    assert set(point.positions) == {APERTURE} and point.positions[APERTURE] < -0.03
    commands.grip(1.0)
    assert commands.next(9.0, driver.joints).point.positions[APERTURE] == ROBOT.aperture_max


def test_a_turn_on_the_way_is_an_increment_of_its_own():
    commands, driver = StretchCommands(ROBOT), Driver()
    commands.move(JointTrajectory.single_goal({"joint_lift": 0.8}, 4.0), 0.0, driver.joints)
    commands.drive(Twist(wz=0.1), 0.0)
    point = commands.next(0.0, driver.joints).point
    assert point.positions[ROTATE] == pytest.approx(0.05) and TRANSLATE not in point.positions


def test_hold_keeps_the_arm_where_it_is():
    commands, driver = StretchCommands(ROBOT), Driver()
    commands.move(JointTrajectory.single_goal({"joint_lift": 0.9}, 8.0), 0.0, driver.joints)
    run(commands, driver, 2.0)
    here = driver.joints["joint_lift"]
    commands.hold(2.0, driver.joints)
    assert commands.next(2.0, driver.joints).point.positions["joint_lift"] == pytest.approx(here)


@given(rad=st.floats(-0.3, 0.6), percent=st.floats(-100, 100))
def test_the_aperture_comes_from_the_finger_and_efforts_are_newtons(rad, percent):
    given_joints = {"joint_lift": 0.4, "joint_gripper_finger_left": rad, "joint_head_pan": 0.1}
    efforts = {"joint_lift": percent, "joint_gripper_finger_left": percent, "joint_head_pan": 3.0}
    positions, forces = joint_states(given_joints, efforts, JointSettings())
    assert positions[APERTURE] == pytest.approx(max(0.0, 2 * 0.171 * rad))
    assert forces["joint_lift"] == pytest.approx(0.7 * percent)
    assert forces[APERTURE] == pytest.approx(max(0.0, -percent) / 2), "closing pulls, and is negative"
    assert "joint_head_pan" not in forces, "a percentage is no torque"
