"""Settings as ROS parameters: typed, nested, unknown ones refused."""

import pytest
import rclpy
from dadu_nodes.support.parameters import declare, follow
from pydantic import Field, model_validator
from rclpy.node import Node
from rclpy.parameter import Parameter

from dadu.core.config import Settings
from dadu.core.errors import ConfigError


class Inner(Settings):
    speed: float = Field(0.3, gt=0, le=2)
    """of the wheels [m/s]"""


class Outer(Settings):
    name: str = "a"
    count: int = Field(1, ge=0)
    inner: Inner = Inner()


def settings(*arguments):
    rclpy.init(args=["--ros-args", *(a for pair in arguments for a in ("-p", pair))])
    try:
        node = Node("one")
        return declare(node, Outer)
    finally:
        rclpy.shutdown()


def test_defaults():
    assert settings("use_sim_time:=true") == Outer()


def test_values_are_converted_by_their_type():
    assert settings("inner.speed:=1", "name:=b", "count:=3") == Outer(name="b", count=3, inner=Inner(speed=1.0))


@pytest.mark.parametrize("pair, expected", [
    ("sped:=1", "one: unknown parameter 'sped'; valid: count, inner.speed, name"),
    ("count:=many", "parameters of node one: count: .*got 'many'"),
])
def test_refusals(pair, expected):
    with pytest.raises(ConfigError, match=expected):
        settings(pair)


def test_what_a_field_says_and_allows_is_said_to_ros_and_what_is_live_changes():
    rclpy.init()
    try:
        node, taken = Node("one"), []
        declare(node, Outer, live=("inner",))
        follow(node, Outer, ("inner",), taken.append)
        speed, count = (node.describe_parameter(name) for name in ("inner.speed", "count"))
        assert speed.description == "of the wheels [m/s]" and not speed.read_only and count.read_only
        (bounds,) = speed.floating_point_range
        assert (bounds.from_value, bounds.to_value) == (0.0, 2.0) and count.integer_range[0].from_value == 0

        def change(name, value):
            return node.set_parameters([Parameter(name, value=value)])[0]

        assert change("inner.speed", 0.5).successful and taken[-1].inner.speed == 0.5
        assert change("inner.speed", 1).successful and taken[-1].inner.speed == 1.0, "an integer is a number, too"
        refused = change("inner.speed", "fast")
        assert not refused.successful and "inner.speed" in refused.reason and len(taken) == 2
        assert not change("inner.speed", 0.0).successful and not change("inner.speed", 3.0).successful
        assert not change("count", 2).successful, "it is read once"
    finally:
        rclpy.shutdown()


class WithItsOwn(Settings):
    count: int = 0
    inner: Inner = Inner(speed=0.5)


@pytest.mark.parametrize(("words", "speed"), [((), 0.5), (("count:=1",), 0.5), (("inner.speed:=0.3",), 0.3)])
def test_a_default_that_a_node_has_of_its_own_for_a_group_s_field_holds_until_something_else_is_said(words, speed):
    rclpy.init(args=["--ros-args", *(a for word in words for a in ("-p", word))])
    try:
        assert declare(Node("one"), WithItsOwn).inner.speed == speed
    finally:
        rclpy.shutdown()


class Noticing(Settings):
    inner: Inner = Inner()
    given: list[str] = []

    @model_validator(mode="before")
    @classmethod
    def _notice(cls, data):
        return {**data, "given": sorted(data)}


@pytest.mark.parametrize(("word", "given"), [("inner.speed:=0.4", ["inner"]), ("inner.speed:=0.3", [])])
def test_what_equals_its_default_was_not_said(word, given):
    rclpy.init(args=["--ros-args", "-p", word])
    try:
        assert declare(Node("one"), Noticing).given == given
    finally:
        rclpy.shutdown()
