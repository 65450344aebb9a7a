"""Commands in the terms of ros2_control's controllers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiers import examples

from dadu.core.config import parse
from dadu.core.errors import ConfigError
from dadu.core.robot import JointTrajectory, Waypoint
from dadu.robots.drivers.controllers import GripSense, JointBoard, LinkageSettings, complete
from dadu.robots.hand import STILL_TIME

ROBOTIQ = LinkageSettings(joint="finger_joint", open=0.0, closed=0.695, gap=0.14)


@given(gap=st.floats(0.0, 0.14))
@examples(50)
def test_gap_and_angle_are_each_other_s_inverse(gap):
    assert ROBOTIQ.gap_at(ROBOTIQ.position_at(gap)) == pytest.approx(gap)
    assert 0.0 <= ROBOTIQ.position_at(gap) <= 0.695


def test_a_squeeze_is_closed_and_more_than_open_is_open():
    assert ROBOTIQ.position_at(-0.03) == 0.695 and ROBOTIQ.position_at(1.0) == 0.0
    assert ROBOTIQ.gap_at(0.72) == 0.0, "over-closed fingers are no negative gap"
    with pytest.raises(ConfigError, match="two positions"):
        parse(LinkageSettings, {"joint": "j", "open": 0.1, "closed": 0.1, "gap": 0.1}, "test")


def test_joints_left_out_stay_and_those_of_some_waypoints_are_carried_on():
    points = {"b": 0.5}, {"b": 0.7, "c": 1.0}, {"b": 1.0}
    partial = JointTrajectory(tuple(Waypoint(t, joints) for t, joints in enumerate(points, start=1)))
    full = complete(partial, ["a", "b", "c"], {"a": 0.1, "b": 0.2, "c": 0.3})
    assert [dict(w.positions) for w in full.waypoints] == [
        {"a": 0.1, "b": 0.5, "c": 0.3}, {"a": 0.1, "b": 0.7, "c": 1.0}, {"a": 0.1, "b": 1.0, "c": 1.0}]
    assert [w.time for w in full.waypoints] == [1.0, 2.0, 3.0]
    with pytest.raises(KeyError):
        complete(partial, ["a", "b", "c", "d"], {"a": 0.1, "c": 0.3})


def test_publishers_of_joints_are_merged_and_the_silent_one_is_noticed():
    board = JointBoard("left_")
    board.hear({"left_elbow": 1.0, "left_wrist": 2.0}, {}, 10.0)
    board.hear({"finger_joint": 0.3}, {"finger_joint": 5.0}, 10.5)
    board.hear({"left_wrist": 2.5}, {}, 11.0)
    assert board.positions == {"elbow": 1.0, "wrist": 2.5, "finger_joint": 0.3}
    assert board.efforts == {"finger_joint": 5.0}
    assert board.age(["elbow", "wrist"], 11.0) == 1.0 and board.age(["wrist"], 11.0) == 0.0
    assert board.age(["elbow", "knee"], 11.0) == float("inf")


def follow(sense, gaps, start, tick=0.05):
    """The force felt at the end of a row of gaps [m]."""
    return [sense.feel(gap, start + i * tick) for i, gap in enumerate(gaps)][-1]


def test_fingers_that_stop_short_hold_something_and_closed_ones_press_on_each_other():
    sense = GripSense(20.0)
    assert follow(sense, [0.04] * 40, 0.0) == 0.0, "nobody told them anything"
    sense.tell(-0.03, 2.0)
    assert follow(sense, [0.10] * 4, 2.0) == 0.0, "they have not started yet"
    assert follow(sense, [0.10 - 0.005 * i for i in range(12)], 2.2) == 0.0, "they move"
    assert follow(sense, [0.04] * 2, 2.8) == 0.0
    assert follow(sense, [0.04] * 2, 2.8 + STILL_TIME) == 20.0, "before skills look"
    assert follow(sense, [0.04, 0.0406] * 10, 3.8) == 20.0, "an encoder's count is no movement"
    assert follow(sense, [0.04, 0.03, 0.02, 0.01, 0.0], 4.8) == 0.0, "it slips out"
    assert follow(sense, [0.0] * 20, 5.1) == 20.0
    sense.tell(0.08, 6.5)
    assert follow(sense, [0.08] * 20, 6.5) == 0.0, "they are where they were told to be"
