"""The adapter over a strict stand-in for Stretch's driver: nothing that the driver would refuse, or hang over, reaches
it; and where the driver does not do its part, that is said, and gone on with once it does."""

import pytest
from geometry_msgs.msg import Twist, Vector3
from stand_in_stretch import HOME, StretchDriver
from std_msgs.msg import Bool
from stretch_rig import (
    ABORTED,
    SUCCESSFUL,
    arm_goal,
    begin,
    complaint,
    grasp,
    grip_goal,
    refused,
    send,
    stretch_rig,
)


@pytest.fixture(scope="module")
def rig(shared_graph):
    with stretch_rig(shared_graph, StretchDriver) as rig:
        yield rig


@pytest.fixture
def driver(rig):
    """At rest, in position mode, with nothing in the hand."""
    driver = rig.driver
    if driver.running:
        driver.kill()
    rig.spin(0.1)
    driver.joints, driver.aperture, driver.object_width = dict(HOME), 0.1, 0.0
    driver.x, driver.yaw, driver.stops = 0.0, 0.0, 0
    driver.deaf = driver.stuck = False
    begin(rig)
    return driver


def drive(rig, vx):
    return lambda: rig.base.publish(Twist(linear=Vector3(x=vx)))


def test_a_frame_that_the_real_robot_calls_otherwise_is_there(rig, driver):
    told = {(t.header.frame_id, t.child_frame_id) for message in rig.frames for t in message.transforms}
    assert told == {("link_grasp_center", "grasp_center")}


def test_base_arm_and_both_at_once(rig, driver):
    rig.until(lambda: driver.x > 0.05, every=drive(rig, 0.2))
    assert driver.mode == "navigation"
    drive(rig, 0.0)()
    start = driver.x
    done = send(rig, rig.arm, arm_goal({"joint_lift": 0.5, "wrist_extension": 0.2}, 2.0))
    rig.until(done.done, every=drive(rig, 0.1))
    assert done.result().result.error_code == SUCCESSFUL
    assert driver.joints["joint_lift"] == pytest.approx(0.5, abs=0.02)
    assert driver.x - start > 0.05, "the base went along with the arm, as far as it was told to meanwhile"
    rig.until(lambda: driver.mode == "navigation", every=drive(rig, 0.1))
    assert driver.errors == [], "the goal had ended before the mode was changed"


def test_the_fingers_close_on_a_thing_and_feel_it(rig, driver):
    assert grasp(rig, driver).position == pytest.approx(0.04, abs=0.002)
    newest = rig.joints[-1]
    index = newest.name.index("gripper_aperture")
    assert newest.position[index] == pytest.approx(0.04, abs=0.002) and newest.effort[index] > 10.0
    assert driver.errors == []


def test_closed_fingers_are_no_grip_before_they_were_told_to_close(rig, driver):
    driver.aperture = driver._grip = 0.0
    rig.until(lambda: driver.mode == "navigation", every=drive(rig, 0.1))
    rig.until(lambda: rig.joints[-1].position[rig.joints[-1].name.index("gripper_aperture")] < 0.01)
    driver.deaf = True
    done = send(rig, rig.gripper, grip_goal(0.0))
    rig.spin(0.3)
    assert not done.done(), "the driver has not changed its mode and knows of no command"
    rig.until(done.done)
    assert not done.result().result.reached_goal and not done.result().result.stalled


def test_a_thing_stays_in_the_hand_when_the_robot_is_stopped(rig, driver):
    grasp(rig, driver)
    arm = send(rig, rig.arm, arm_goal({"joint_lift": 0.9}, 6.0))
    rig.until(lambda: driver.joints["joint_lift"] > 0.32, every=drive(rig, 0.1))
    rig.stop.publish(Bool(data=True))
    rig.until(arm.done)
    at = driver.joints["joint_lift"], driver.x
    assert at[0] < 0.85, "stopped on the way"
    rig.spin(0.8, every=drive(rig, 0.1))
    assert driver.joints["joint_lift"] == pytest.approx(at[0], abs=0.03)
    assert driver.x == pytest.approx(at[1], abs=0.03), "the base, too, though it is still told to drive"
    assert driver.stops == 0 and driver.grip_effort < -50.0, "what it holds it holds"
    assert refused(rig, rig.arm, arm_goal({"joint_lift": 0.5}, 1.0))
    rig.stop.publish(Bool(data=False))
    rig.until(lambda: not refused(rig, rig.arm, arm_goal({"joint_lift": 0.5}, 1.0)))
    assert driver.errors == []


def test_with_an_empty_hand_the_driver_is_told_to_stop_too(rig, driver):
    rig.until(send(rig, rig.gripper, grip_goal(0.08)).done)
    send(rig, rig.arm, arm_goal({"joint_lift": 0.9}, 6.0))
    rig.until(lambda: driver.joints["joint_lift"] > 0.32)
    rig.stop.publish(Bool(data=True))
    rig.until(lambda: driver.stops)
    here = driver.joints["joint_lift"]
    rig.spin(0.6)
    assert driver.joints["joint_lift"] == pytest.approx(here, abs=0.05)  # it goes back to where it was last measured


def test_a_goal_beyond_the_limits_is_refused(rig, driver):
    assert refused(rig, rig.arm, arm_goal({"joint_lift": 2.0}, 1.0))


def test_a_driver_that_dies_in_the_middle_ends_the_goal_and_is_found_again(rig, driver):
    done = send(rig, rig.arm, arm_goal({"joint_lift": 0.9}, 6.0))
    rig.until(lambda: driver.joints["joint_lift"] > 0.35)
    driver.kill()
    rig.until(done.done)
    assert done.result().result.error_code == ABORTED and "silent" in done.result().result.error_string
    rig.until(lambda: "stretch_driver" in complaint(rig))
    assert refused(rig, rig.arm, arm_goal({"joint_lift": 0.5}, 1.0)), "nobody would carry it out"
    here = driver.joints["joint_lift"]
    driver.start()
    rig.spin(1.0)
    assert driver.joints["joint_lift"] == here, "what was asked of its predecessor is forgotten"
    done = send(rig, rig.arm, arm_goal({"joint_lift": here + 0.1}, 1.0))
    rig.until(done.done)
    assert done.result().result.error_code == SUCCESSFUL and driver.errors == []


def test_a_change_of_mode_that_is_never_answered_has_an_end(rig, driver):
    rig.until(lambda: driver.mode == "navigation", every=drive(rig, 0.1))
    driver.stuck = True
    done = send(rig, rig.arm, arm_goal({"joint_lift": 0.4}, 1.0))
    rig.until(done.done)
    assert done.result().result.error_code == ABORTED and "mode" in done.result().result.error_string
    driver.stuck = False
    rig.until(lambda: not complaint(rig))
    done = send(rig, rig.arm, arm_goal({"joint_lift": 0.4}, 1.0))
    rig.until(done.done)
    assert done.result().result.error_code == SUCCESSFUL


@pytest.mark.parametrize(("mode", "homed", "says"), [("runstopped", True, "runstop"), ("position", False, "homed")])
def test_what_the_operator_must_do_first_is_said(rig, driver, mode, homed, says):
    driver.mode, driver.homed = mode, homed
    rig.until(lambda: says in complaint(rig))
    rig.spin(0.3)
    driver.errors.clear()  # of what was on its way when the mode changed
    assert refused(rig, rig.arm, arm_goal({"joint_lift": 0.5}, 1.0))
    assert driver.errors == [] and driver.modes == []
