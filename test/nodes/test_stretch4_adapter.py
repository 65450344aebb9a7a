"""The adapter over a strict stand-in for Stretch 4's driver, where that differs from the one before it."""

import pytest
from geometry_msgs.msg import Twist, Vector3
from stand_in_stretch4 import HOME, StretchDriver
from std_msgs.msg import Bool
from stretch_rig import ABORTED, SUCCESSFUL, arm_goal, begin, complaint, grasp, grip_goal, refused, send, stretch_rig

ROS_ARGUMENTS = ["--ros-args", "-p", "stretch_adapter:robot:=stretch4"]


@pytest.fixture(scope="module")
def rig(shared_graph):
    with stretch_rig(shared_graph, StretchDriver, "/stretch_adapter/cmd_vel") as rig:
        yield rig


@pytest.fixture
def driver(rig):
    """At rest, in navigation mode, with nothing in the hand."""
    driver = rig.driver
    if driver.running:
        driver.kill()
    rig.spin(0.1)
    driver.joints, driver.percent, driver.object_width = dict(HOME), 100.0, 0.0
    driver.stops = 0
    begin(rig)
    drive(rig)()  # what the test before asked for lasts half a second
    rig.until(lambda: driver.heard and driver.twist == Twist())
    driver.pose = [0.0, 0.0, 0.0]
    return driver


def drive(rig, vx=0.0, vy=0.0):
    return lambda: rig.base.publish(Twist(linear=Vector3(x=vx, y=vy)))


def joint(rig, name):
    newest = rig.joints[-1]
    return newest.position[newest.name.index(name)]


def test_its_frames_are_below_ours(rig, driver):
    told = {(t.header.frame_id, t.child_frame_id) for message in rig.frames for t in message.transforms}
    assert told == {("odom", "wheel_odom"), ("grasp_center_link", "grasp_center")}


def test_arm_and_base_go_beside_each_other_any_way_and_no_mode_is_changed(rig, driver):
    done = send(rig, rig.arm, arm_goal({"lift_joint": 0.5, "arm_joint": 0.2}, 1.5))
    rig.until(done.done, every=drive(rig, 0.1, -0.1))
    assert done.result().result.error_code == SUCCESSFUL
    assert driver.joints["lift_joint"] == pytest.approx(0.5, abs=0.02)
    assert joint(rig, "arm_joint") == pytest.approx(0.2, abs=0.02), "from what its parts report"
    assert driver.pose[0] > 0.05 and driver.pose[1] < -0.05
    assert driver.modes == [] and driver.errors == []


def test_the_base_stands_when_nothing_drives_it_though_its_driver_would_go_on(rig, driver):
    rig.until(lambda: driver.pose[0] > 0.03, every=drive(rig, 0.2))
    rig.until(lambda: driver.twist == Twist())
    rig.until(lambda: driver.twist != Twist(), every=drive(rig, 0.2))
    driver.mute = True
    rig.until(lambda: driver.twist == Twist(), every=drive(rig, 0.2))
    assert driver.running, "silent, not gone: it must be told"
    driver.mute = False
    rig.until(lambda: not complaint(rig))
    rig.until(lambda: driver.twist != Twist(), every=drive(rig, 0.2))
    rig.adapter.close()
    rig.until(lambda: driver.twist == Twist())


def test_another_mode_is_left_for_navigation_by_parameter(rig, driver):
    driver.mode = "position"
    rig.until(lambda: driver.pose[0] > 0.02, every=drive(rig, 0.2))
    assert driver.modes == ["navigation"]


def test_the_fingers_close_on_a_thing_and_a_cancelled_arm_does_not_let_it_go(rig, driver):
    assert grasp(rig, driver).position == pytest.approx(0.04, abs=0.004)
    arm = rig.arm.send_goal_async(arm_goal({"lift_joint": 0.9}, 5.0))
    rig.until(lambda: driver.joints["lift_joint"] > 0.32)
    arm.result().cancel_goal_async()
    rig.spin(0.5)
    assert driver.grips and driver.joints["lift_joint"] < 0.85


@pytest.mark.parametrize("held", [True, False])
def test_a_stop_stops_all_but_the_hand_that_holds(rig, driver, held):
    """At once after it closed, too, while the driver takes that goal for unfinished."""
    if held:
        grasp(rig, driver)
    else:
        rig.until(send(rig, rig.gripper, grip_goal(0.08)).done)
    arm = send(rig, rig.arm, arm_goal({"lift_joint": 0.9}, 5.0))
    rig.until(lambda: driver.joints["lift_joint"] > 0.32, every=drive(rig, 0.1))
    rig.stop.publish(Bool(data=True))
    rig.until(arm.done)
    rig.until(lambda: driver.stops or held)
    at, gone = driver.joints["lift_joint"], driver.pose[0]
    assert at < 0.85
    rig.spin(0.6, every=drive(rig, 0.1))
    assert driver.joints["lift_joint"] == pytest.approx(at, abs=0.03)
    assert driver.pose[0] == pytest.approx(gone, abs=0.03)
    assert (driver.stops == 0 and driver.grips) if held else driver.stops
    assert refused(rig, rig.arm, arm_goal({"lift_joint": 0.5}, 1.0))
    assert driver.errors == []


def test_fingers_open_as_far_as_the_driver_has_it(rig, driver):
    done = send(rig, rig.gripper, grip_goal(0.168))
    rig.until(done.done)
    assert done.result().result.reached_goal and driver.percent == pytest.approx(300.0)


@pytest.mark.thorough
def test_a_goal_that_the_driver_took_and_then_did_not_carry_out_is_told_again(rig, driver):
    """It checks its mode only once it has accepted, and another user may have changed that meanwhile."""
    rig.until(lambda: driver.pose[0] > 0.01, every=drive(rig, 0.1))
    driver.percent = 50.0
    driver._told[driver._modes] = None
    modes, driver._report = driver._report, lambda stamp: None
    driver.mode = "teleop"
    done = send(rig, rig.gripper, grip_goal(0.1))
    rig.until(lambda: driver.errors)
    driver._report = modes
    rig.until(done.done)
    assert done.result().result.reached_goal and driver.mode == "navigation"


def test_what_the_operator_must_do_first_is_said(rig, driver):
    driver.mode = "runstopped"
    rig.until(lambda: "runstop" in complaint(rig))
    rig.spin(0.3)
    driver.errors.clear()
    assert refused(rig, rig.arm, arm_goal({"lift_joint": 0.5}, 1.0))
    assert driver.errors == [] and driver.modes == [], "to set the parameter would release it"
    driver.mode, driver.homed = "navigation", False
    rig.until(lambda: "homed" in complaint(rig))


@pytest.mark.thorough
def test_a_driver_that_dies_in_the_middle_ends_the_goal_and_is_found_again(rig, driver):
    done = send(rig, rig.arm, arm_goal({"lift_joint": 0.9}, 5.0))
    rig.until(lambda: driver.joints["lift_joint"] > 0.35)
    driver.kill()
    rig.until(done.done)
    assert done.result().result.error_code == ABORTED and "silent" in done.result().result.error_string
    here = driver.joints["lift_joint"]
    driver.start()
    rig.spin(0.8)
    assert driver.joints["lift_joint"] == here, "what was asked of its predecessor is forgotten"
    done = send(rig, rig.arm, arm_goal({"lift_joint": here + 0.1}, 1.0))
    rig.until(done.done)
    assert done.result().result.error_code == SUCCESSFUL and driver.errors == []
