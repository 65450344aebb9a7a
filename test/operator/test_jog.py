"""Arm, head and gripper by hand: steps within limits, one joint at a time, by keys and by gamepad."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiers import examples

from dadu.core.robot import Twist
from dadu.operator.jog import Gamepad, Jog
from dadu.robots import load_robot

ROBOT = load_robot("stretch")
SPEED = Twist(vx=0.2, wz=0.6)


@given(keys=st.text("jlikoc", max_size=60), gap=st.floats(0.0, 2.0))
@examples(50)
def test_no_keys_take_a_joint_beyond_its_limits(keys, gap):
    jog, measured = Jog(ROBOT), dict(ROBOT.home)
    for i, key in enumerate(keys):
        command = jog.press(key, measured, i * gap)
        if command is not None and command.joints is not None:
            ((name, target),) = command.joints.waypoints[-1].positions.items()
            limit = ROBOT.joints[name]
            assert limit.lower <= target <= limit.upper and abs(target - measured[name]) <= 6.3
            assert abs(target - measured[name]) / command.joints.waypoints[-1].time <= limit.velocity + 1e-6
            measured[name] = target


def test_steps_add_up_while_the_joint_is_on_its_way_and_start_anew_after_a_pause():
    jog, measured = Jog(ROBOT), {"joint_lift": 0.3}
    targets = [jog.press("i", measured, t).joints.waypoints[0].positions["joint_lift"] for t in (0.0, 0.1, 5.0)]
    assert targets == pytest.approx([0.35, 0.40, 0.35])
    jog.press("l", measured, 5.1)
    assert jog.joint == "wrist_extension" and jog.press("i", measured, 5.2) is None, "it was never measured"
    assert jog.press("o", measured, 6.0).gripper.aperture == ROBOT.aperture_max
    assert jog.press("c", measured, 6.0).gripper.aperture < 0 and jog.press("", measured, 6.0) is None


def pad(axes=(), **buttons):
    pressed = [0] * 12
    for name in buttons:
        pressed[getattr(Gamepad, name)] = 1
    values = [0.0] * 8
    for name, value in dict(axes).items():
        values[getattr(Gamepad, name)] = value
    return values, pressed


def test_a_gamepad_drives_only_while_its_switch_is_held():
    gamepad, measured = Gamepad(Jog(ROBOT), SPEED), dict(ROBOT.home)
    forward = {"FORWARD": 1.0, "TURN": 0.1}
    assert gamepad.read(*pad(forward), measured, 0.0).twist is None
    assert gamepad.read(*pad(forward, HOLD=1), measured, 0.1).twist == Twist(vx=0.2), "a little to the side is none"
    assert gamepad.read([float("nan")] * 8, pad(HOLD=1)[1], measured, 0.2).twist == Twist()
    assert gamepad.read([], [], measured, 0.3).twist is None, "a pad with fewer buttons is at rest"


def test_buttons_count_once_and_the_emergency_stop_without_the_switch():
    gamepad, measured = Gamepad(Jog(ROBOT), SPEED), dict(ROBOT.home)
    assert [gamepad.read(*pad(STOP=1), measured, t).e_stop for t in (0.0, 0.1)] == [True, False]
    assert gamepad.read(*pad(RELEASE=1), measured, 0.2).release
    closing = [gamepad.read(*pad(HOLD=1, CLOSE=1), measured, t).command for t in (0.3, 0.4)]
    assert closing[0].gripper.aperture < 0 and closing[1] is None
    gamepad.read(*pad({"CHOOSE": -1.0}, HOLD=1), measured, 0.5)
    moved = gamepad.read(*pad({"MOVE": 0.5}, HOLD=1), measured, 0.6).command.joints.waypoints[0].positions
    assert moved["wrist_extension"] == pytest.approx(0.5 * min(0.25 * 0.3, 0.1))
